import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ArrivalInput, findArrival } from '../../../electron/hygiene/arrivals';
import type { Footprint, Unit } from '../../../electron/hygiene/footprint';
import { seedFrom } from '../../support/random';

const MB = 1_000_000;
const backups = 'skills/.curator_backups';
const file = (bytes: number, newest = 1): Unit => ({ files: 1, bytes, newest, tree: null });
const inTree = (tree: string, bytes: number, newest = 1, files = 1): Unit => ({ files, bytes, newest, tree });
const footprint = (units: Readonly<Record<string, Unit>>, root: Footprint['root'] = 'ok'): Footprint => ({
  ...{ takenAt: 1000, root, syncLock: null },
  units: new Map(Object.entries(units)),
});
const skill = { 'skills/web/SKILL.md': file(10) };
const input = (now: Footprint, changes: Partial<ArrivalInput> = {}): ArrivalInput => ({
  ...{ before: footprint(skill), now, own: { paths: [], allInScope: false }, byHermes: false },
  ...{ growth: { usual: [], expected: [] }, roots: ['skills'], alerted: null },
  ...changes,
});
const points = (bytes: number) => footprint({ ...skill, [`${backups}/2026-10-01T04-00-00Z`]: inTree(backups, bytes, 1, 2) });

describe('findArrival', () => {
  it.each<readonly [string, ArrivalInput, readonly string[] | null]>([
    ['nothing new is nothing', input(footprint(skill)), null],
    ['20 MB of bookkeeping count whoever brings them', input(points(20 * MB)), ['bookkeeping']],
    ['less of it does not, unless Hermes brought it', input(points(20 * MB - 1)), null],
    ['1 MB of bookkeeping counts when Hermes brought it', input(points(MB), { byHermes: true }), ['bookkeeping']],
    ['less bothers nobody', input(points(MB - 1), { byHermes: true }), null],
    ['what was told of is not told again', input(points(30 * MB), { alerted: 25 * MB }), null],
    ['until it grew by 20 MB and a quarter', input(points(45 * MB), { alerted: 25 * MB }), ['bookkeeping']],
    [
      'what a run of ours put back is its own',
      input(points(30 * MB), { own: { paths: [`${backups}/2026-10-01T04-00-00Z`], allInScope: false } }),
      null,
    ],
    ['a file of 25 MB is growth', input(footprint({ ...skill, 'skills/web/big': file(25 * MB) })), ['growth']],
    ['one below is none', input(footprint({ ...skill, 'skills/web/big': file(25 * MB - 1) })), null],
    [
      'a file that a run of ours wrote is its own',
      input(footprint({ ...skill, 'skills/web/big': file(25 * MB) }), { own: { paths: ['skills/web/big'], allInScope: false } }),
      null,
    ],
    [
      'and so is everything in scope when its paths were too many',
      input(footprint({ ...skill, 'skills/web/big': file(25 * MB) }), { own: { paths: [], allInScope: true } }),
      null,
    ],
    ['a new skill of 20 MB is growth', input(footprint({ ...skill, 'skills/new/SKILL.md': file(20 * MB) })), ['growth']],
    [
      'an expected amount is none',
      input(footprint({ ...skill, 'skills/web/big': file(30 * MB) }), {
        growth: { usual: [], expected: [{ path: 'skills/other', files: 1, bytes: 30 * MB, newest: null }] },
      }),
      null,
    ],
    ['a folder that is missing is compared with nothing', input(footprint({}, 'missing')), null],
    ['and one that was missing neither', input(points(30 * MB), { before: footprint({}, 'missing') }), null],
  ])('%s', (_sentence, given, kinds) => {
    expect(findArrival(given).arrival?.kinds ?? null).toEqual(kinds);
  });

  it('counts what grew by what was added, and names the largest place', () => {
    const before = footprint({
      ...skill,
      [`${backups}/a`]: inTree(backups, 10 * MB),
      'skills/web/node_modules/x': inTree('skills/web/node_modules', 5),
    });
    const now = footprint({
      ...skill,
      [`${backups}/a`]: inTree(backups, 14 * MB, 2),
      'skills/web/node_modules/x': inTree('skills/web/node_modules', 25 * MB, 2, 3),
    });
    expect(findArrival(input(now, { before, byHermes: true })).arrival).toEqual({
      ...{ kinds: ['bookkeeping'], amount: { files: 2, bytes: 29 * MB - 5 }, usual: 0, culprit: 'skills/web/node_modules' },
      parts: [
        { path: 'skills/web/node_modules', files: 2, bytes: 25 * MB - 5 },
        { path: backups, files: 0, bytes: 4 * MB },
      ],
    });
  });

  it('is told again after a real clean-up', () => {
    const { alerted } = findArrival(input(points(10 * MB), { before: points(30 * MB), alerted: 30 * MB }));
    expect(alerted).toBe(10 * MB);
    expect(findArrival(input(points(35 * MB), { before: points(10 * MB), alerted })).arrival?.kinds).toEqual(['bookkeeping']);
  });

  it('says nothing without a change, never more than arrived, and nothing twice', () => {
    const sizes = fc.integer({ min: 0, max: 60 * MB });
    const names = fc.constantFrom(
      `${backups}/a`,
      `${backups}/b`,
      'skills/web/SKILL.md',
      'skills/web/big',
      'skills/new/x',
      'skills/t/.git/y',
    );
    const units = fc.dictionary(names, sizes).map((found) => {
      const entries = Object.entries(found).map(([path, bytes]) => {
        const tree = path.startsWith(backups) ? backups : path.includes('/.git/') ? 'skills/t/.git' : null;
        return [path, { files: 1, bytes, newest: bytes, tree }] as const;
      });
      return footprint(Object.fromEntries(entries));
    });
    fc.assert(
      fc.property(units, units, fc.boolean(), fc.option(sizes), (before, now, byHermes, alerted) => {
        const first = findArrival(input(now, { before, byHermes, alerted }));
        expect(findArrival(input(now, { before: now, byHermes, alerted: first.alerted })).arrival).toBeNull();
        const own = { paths: [...now.units.keys()], allInScope: false };
        expect(findArrival(input(now, { before, byHermes, alerted, own })).arrival).toBeNull();
        if (first.arrival === null) return;
        const { amount, parts, culprit } = first.arrival;
        const all = [...now.units.values()].reduce((sum, { bytes }) => sum + bytes, 0);
        expect(amount.bytes).toBeLessThanOrEqual(all);
        expect(amount.bytes).toBe(parts.reduce((sum, { bytes }) => sum + bytes, 0));
        expect(culprit).toBe(parts[0]?.path);
      }),
      { seed: seedFrom('ARRIVALS_SEED', 4), numRuns: 500 },
    );
  });
});
