import { describe, expect, it } from 'vitest';
import type { Baseline } from '../../../electron/engine/baseline';
import { checkPlan, checkSides, firstSession, largestFolders, type SidesInput } from '../../../electron/engine/guards';
import type { Decision } from '../../../electron/engine/reconcile';
import { agreed, agreements, file, files, plainRules } from './entries';

const identity = { marker: 'the marker', hostKey: 'SHA256:x', home: '/home/u/.hermes' };
const baselineOf = (entries: Baseline['entries'], changes: Partial<Baseline['identity']> = {}): Baseline => ({
  identity: { ...identity, ...changes },
  rules: plainRules.fingerprint,
  entries,
  pending: null,
});
const baselineWith = (count: number) =>
  baselineOf(new Map(Array.from({ length: count }, (_, index) => [`skills/${index}.md`, agreed('A')])));
const some = <T>(count: number, make: (path: string) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => make(`skills/${index}.md`));
const removals = (count: number) => some(count, (path): Decision => ({ kind: 'remove', path, size: 1 }));
const updates = (count: number) => some(count, (path): Decision => ({ kind: 'write', path, change: 'update', entry: file('Bb') }));

describe('checkPlan', () => {
  it.each([
    { removed: 4, total: 5, stops: false, why: 'four files are few, whatever their share' },
    { removed: 5, total: 49, stops: true, why: 'five of 49 are more than a tenth' },
    { removed: 5, total: 50, stops: false, why: 'five of 50 are a tenth, not more' },
    { removed: 6, total: 60, stops: false, why: 'six of 60 are a tenth, not more' },
    { removed: 6, total: 59, stops: true, why: 'six of 59 are more than a tenth' },
    { removed: 5, total: 5, stops: true, why: 'all of five files' },
  ])('removals: $why', ({ removed, total, stops }) => {
    const found = checkPlan(removals(removed), baselineWith(total), 'push');
    expect(found.map(({ guard, details }) => ({ guard, details }))).toEqual(
      stops ? [{ guard: 'mass-delete', details: { removed, total } }] : [],
    );
  });

  it.each([
    { overwritten: 19, total: 19, stops: false, why: 'nineteen files are few, whatever their share' },
    { overwritten: 20, total: 39, stops: true, why: 'twenty of 39 are more than half' },
    { overwritten: 20, total: 40, stops: false, why: 'twenty of 40 are half, not more' },
    { overwritten: 21, total: 41, stops: true, why: 'twenty-one of 41 are more than half' },
  ])('replacements: $why', ({ overwritten, total, stops }) => {
    const found = checkPlan(updates(overwritten), baselineWith(total), 'sync-back');
    expect(found.map(({ guard, details }) => ({ guard, details }))).toEqual(
      stops ? [{ guard: 'mass-change', details: { overwritten, total } }] : [],
    );
  });

  it('says which side would lose files, and that nothing happened', () => {
    const message = (direction: 'push' | 'sync-back') => checkPlan(removals(6), baselineWith(8), direction)[0]?.message;
    expect(message('push')).toBe('6 of 8 files would be removed on the remote. Nothing was changed.');
    expect(message('sync-back')).toBe('6 of 8 files would be removed on this computer. Nothing was changed.');
  });

  it('finds both at once, removals first', () => {
    const found = checkPlan([...updates(25), ...removals(10)], baselineWith(40), 'push');
    expect(found.map(({ guard }) => guard)).toEqual(['mass-delete', 'mass-change']);
  });

  it('counts neither new files, conflicts and guarded files, nor anything without a baseline', () => {
    const harmless = [
      ...some(30, (path): Decision => ({ kind: 'write', path, change: 'create', entry: file('Bb') })),
      ...some(30, (path): Decision => ({ kind: 'wait', path, why: 'conflict', change: 'delete', reason: 'r' })),
      ...some(30, (path): Decision => ({ kind: 'wait', path, why: 'guarded', change: 'update', reason: 'r' })),
      ...some(30, (path): Decision => ({ kind: 'drop', path })),
    ];
    expect(checkPlan(harmless, baselineWith(30), 'push')).toEqual([]);
    expect(checkPlan([...removals(30), ...updates(30)], null, 'push')).toEqual([]);
    expect(checkPlan([...removals(30), ...updates(30)], baselineWith(0), 'push')).toEqual([]);
  });
});

describe('checkSides', () => {
  const both = files({ 'skills/a.md': 'A', 'memories/b.md': 'A' });
  const input = (parts: Partial<SidesInput> = {}): SidesInput => ({
    roots: ['skills', 'memories'],
    baseline: baselineOf(agreements({ 'skills/a.md': 'A', 'skills/b.md': 'A', 'memories/b.md': 'A' })),
    local: both,
    remote: both,
    identity,
    ...parts,
  });
  const guard = (parts: Partial<SidesInput>) => checkSides(input(parts))?.guard ?? null;

  it('lets two sides pass that have files in every root that had some', () => {
    expect(checkSides(input())).toBe(null);
  });

  it('stops for each root by itself, and says how many files are missing', () => {
    const { details, guard: found, message } = checkSides(input({ remote: files({ 'memories/b.md': 'A', 'skillset/a.md': 'A' }) })) ?? {};
    expect([found, details]).toEqual(['remote-empty', { root: 'skills', known: 2, found: 0 }]);
    expect(message).toBe('The remote looks new or empty: 0 of 2 known files are in its skills. Nothing was changed.');
    const local = checkSides(input({ local: files({ 'skills/a.md': 'A' }) }));
    expect([local?.guard, local?.details]).toEqual(['local-empty', { root: 'memories', known: 1, found: 0 }]);
    expect(local?.message).toBe(
      'memories on this computer is unavailable or suddenly empty: 0 of 1 known files are there. Nothing was changed.',
    );
  });

  it('asks nothing of a root in which nothing was ever agreed', () => {
    expect(guard({ roots: ['skills', 'plugins', 'skill'] })).toBe(null);
    expect(guard({ baseline: baselineOf(new Map()), local: new Map(), remote: new Map() })).toBe(null);
  });

  it('takes the remote first when both sides are empty, and emptiness before another identity', () => {
    const other = { ...identity, marker: 'another' };
    expect(guard({ local: new Map(), remote: new Map() })).toBe('remote-empty');
    expect(guard({ remote: new Map(), identity: other })).toBe('remote-empty');
    expect(guard({ local: new Map(), identity: other })).toBe('local-empty');
  });

  it.each([
    { name: 'another marker', found: { marker: 'another' }, stops: true },
    { name: 'no marker any more', found: { marker: null }, stops: true },
    { name: 'the marker in another place', found: { home: '/srv/u/.hermes' }, stops: false },
    { name: 'the marker behind a new host key', found: { hostKey: 'SHA256:y' }, stops: false },
  ])('compares the marker of the last session: $name', ({ found, stops }) => {
    const stop = checkSides(input({ identity: { ...identity, ...found } }));
    expect(stop?.guard ?? null).toBe(stops ? 'identity-changed' : null);
    if (stops) expect(stop?.details).toEqual({ expected: identity, found: { ...identity, ...found } });
  });

  it('compares the home where no marker was written yet', () => {
    const baseline = baselineOf(agreements({ 'skills/a.md': 'A' }), { marker: null });
    expect(guard({ baseline })).toBe(null);
    expect(guard({ baseline, identity: { ...identity, home: '/srv/u/.hermes' } })).toBe('identity-changed');
  });

  it('has nothing to say without a baseline', () => {
    expect(guard({ baseline: null, local: new Map(), remote: new Map(), identity: { ...identity, marker: null } })).toBe(null);
  });
});

describe('firstSession', () => {
  const decisions: readonly Decision[] = [
    { kind: 'write', path: 'skills/a/SKILL.md', change: 'create', entry: file('A') },
    { kind: 'write', path: 'skills/a/b/big.md', change: 'create', entry: file('x'.repeat(100)) },
    { kind: 'wait', path: 'skills/c.md', why: 'conflict', change: 'create', reason: 'r' },
    { kind: 'adopt', path: 'skills/d.md', entry: file('A') },
  ];
  const refused = { files: 7, bytes: 900 };
  const ask = (parts: Partial<Parameters<typeof firstSession>[0]> = {}) =>
    firstSession({ direction: 'push', decisions, sender: files({ 'skills/a/SKILL.md': 'A' }), remoteHomeExists: true, refused, ...parts });

  it('says what would be sent and what stays, with the totals and the largest folders', () => {
    expect(ask()).toEqual({
      guard: 'first-session',
      message: 'First session: 2 files (101 bytes) would be sent; 7 files (900 bytes) of bookkeeping stay here. Nothing was changed yet.',
      details: {
        files: 2,
        bytes: 101,
        conflicts: 1,
        refused,
        largest: [
          { path: 'skills/a/b', files: 1, bytes: 100 },
          { path: 'skills/a', files: 1, bytes: 1 },
        ],
      },
    });
  });

  it('says what would come home', () => {
    expect(ask({ direction: 'sync-back' }).message).toBe(
      'First session: 2 files (101 bytes) would come home; 7 files (900 bytes) of bookkeeping stay on the remote. Nothing was changed yet.',
    );
  });

  it('says that the remote has no home yet, and that there is nothing here yet', () => {
    expect(ask({ remoteHomeExists: false }).message).toContain('The remote has no Hermes home yet; it will be created.');
    expect(ask({ sender: new Map() }).message).toContain("There are no skills here yet; the first end brings the remote's home.");
    expect(ask().message).not.toMatch(/no Hermes home|no skills/);
  });
});

describe('largestFolders', () => {
  it('adds up two levels below a root, largest first, then by name, and not more than asked', () => {
    const sizes: readonly (readonly [string, number])[] = [
      ['skills/cat/a/deep/down/x', 5],
      ['skills/cat/a/y', 6],
      ['skills/cat/z', 3],
      ['skills/loose', 3],
      ['skills/b/c/d', 11],
    ];
    const all = [
      { path: 'skills/b/c', files: 1, bytes: 11 },
      { path: 'skills/cat/a', files: 2, bytes: 11 },
      { path: 'skills', files: 1, bytes: 3 },
      { path: 'skills/cat', files: 1, bytes: 3 },
    ];
    expect(largestFolders(sizes)).toEqual(all);
    expect(largestFolders(sizes, 1)).toEqual(all.slice(0, 1));
    expect(largestFolders([])).toEqual([]);
  });
});
