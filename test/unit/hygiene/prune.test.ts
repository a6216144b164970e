import { describe, expect, it } from 'vitest';
import { planClean } from '../../../electron/hygiene/clean';
import { activityOn, type LookedSide, planPrune } from '../../../electron/hygiene/prune';
import { backupsFolder, type Survey, type SurveyedEntry } from '../../../electron/hygiene/prune-side';
import { idAt, isRestorePointId } from '../../../electron/hygiene/restore-points';
import type { InspectedSide, RestorePoint } from '../../../shared/inspection';
import { planReasons } from '../../../shared/plan';

const now = Date.UTC(2026, 10, 30, 12);
const minute = 60_000;
const options = { keep: 1, keepRecent: false, includeRemoteOwn: false };
const [newest, older] = ['2026-11-20T04-00-00Z', '2026-11-10T04-00-00Z'];

const entry = (name: string, changes: Partial<SurveyedEntry> = {}): SurveyedEntry => ({
  ...{
    path: `${backupsFolder}/${name}`,
    kind: 'folder',
    files: 2,
    bytes: 1000,
    newest: now - 90 * 24 * 60 * minute,
    stamp: `stamp of ${name}`,
  },
  ...changes,
});
const point = (id: string, restorable: RestorePoint['restorable'] = null, problem: string | null = null): RestorePoint => ({
  ...{ id, reason: null, createdAt: null, bytes: 1000, restorable, problem, copyOfOtherSide: false },
});

interface Seen {
  readonly points?: readonly RestorePoint[];
  readonly entries?: readonly SurveyedEntry[];
  readonly survey?: Partial<Survey>;
  readonly trees?: InspectedSide['trees'];
}

function looked({
  points = [point(newest, true), point(older)],
  entries = [entry(newest), entry(older)],
  survey = {},
  trees = [],
}: Seen): LookedSide {
  const inspected = { runsHermes: false, restorePoints: points, trees } as unknown as InspectedSide;
  return { side: 'remote', inspected, survey: { entries, clock: now, pruning: null, locked: null, ...survey } };
}
const plan = (seen: Seen) => planPrune([looked(seen)], options, now).plan;
const goes = (seen: Seen) => plan(seen).lines.flatMap(({ id, decision }) => (decision === 'remove' ? [id] : []));

describe('a prune plan', () => {
  it('has the same fingerprint for the same state, however often it is made', () => {
    expect(plan({})).toEqual(plan({}));
    expect(goes({})).toEqual([older]);
  });

  it.each([
    ['a size', { bytes: 1001 }],
    ['a time', { newest: now - minute }],
    ['anything inside', { stamp: 'another' }],
  ])('has another fingerprint when %s of what goes changed', (_, changes) => {
    expect(plan({ entries: [entry(newest), entry(older, changes)] }).fingerprint).not.toBe(plan({}).fingerprint);
  });

  it('has another fingerprint when what stays changed, when a name was added, and for other choices', () => {
    const prints = [
      plan({}),
      plan({ entries: [entry(newest, { stamp: 'another' }), entry(older)] }),
      plan({ entries: [entry(newest), entry(older), entry('before-trip')] }),
      planPrune([looked({})], { ...options, keep: 3 }, now).plan,
      planPrune([{ ...looked({}), side: 'local' }], options, now).plan,
    ].map(({ fingerprint }) => fingerprint);
    expect(new Set(prints).size).toBe(prints.length);
  });

  it('keeps what could not be read whole, and what appeared between the two looks', () => {
    const appeared = '2026-11-05T04-00-00Z';
    const { lines } = plan({ entries: [entry(newest), entry(older, { stamp: null }), entry(appeared)] });
    expect(lines.map(({ id, decision, reason }) => [id, decision, reason])).toEqual([
      [newest, 'keep', planReasons.newest],
      [older, 'keep', planReasons.unreadable],
      [appeared, 'keep', planReasons.unreadable],
    ]);
  });

  it('never takes a link or a file for a restore point, whatever inspection said of that name', () => {
    for (const kind of ['link', 'file', 'other'] as const) expect(goes({ entries: [entry(newest), entry(older, { kind })] })).toEqual([]);
  });

  it('never makes a candidate of a name that is no id', () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    const random = makeRandom(seed);
    for (let round = 0; round < 3000; round += 1) {
      const name = mutate(older, random);
      if (isRestorePointId(name) || name.includes('/')) continue;
      // Even were inspection to take it for one.
      const found = goes({ points: [point(newest, true), point(name)], entries: [entry(newest), entry(name)] });
      expect(found, `seed ${seed}, name ${JSON.stringify(name)}`).toEqual([]);
    }
  });

  it('takes nothing outside the folder of restore points', () => {
    const blob = { ...entry(older), path: `.curator_backups/blobs/${older}` };
    const nested = { ...entry(older), path: `${backupsFolder}/before-trip/${older}` };
    expect(goes({ entries: [entry(newest), blob, nested] })).toEqual([]);
  });
});

describe('what is under way', () => {
  const staging = (age: number | null) => entry('.rollback-staging-x', { newest: age === null ? null : now - age });
  const fresh = (age: number): readonly RestorePoint[] => [point(idAt(now - age), false, 'it has no archive'), point(newest, true)];
  it.each([
    ['nothing', {}, null],
    ['a rollback of 59 minutes ago', { entries: [staging(59 * minute)] }, 'a rollback'],
    ['a rollback of an hour ago', { entries: [staging(60 * minute)] }, null],
    ['a rollback of an unknown time', { entries: [staging(null)] }, 'a rollback'],
    ['a link named like a rollback', { entries: [{ ...staging(0), kind: 'link' as const }] }, null],
    ['a snapshot of 9 minutes ago', { points: fresh(9 * minute) }, 'a snapshot'],
    ['a snapshot of 10 minutes ago', { points: fresh(10 * minute) }, null],
    ['a snapshot of a clock that is ahead', { points: fresh(-5 * minute) }, 'a snapshot'],
    ['a finished snapshot of this minute', { points: [point(idAt(now), true)] }, null],
    ['a prune of 9 minutes ago', { survey: { pruning: { since: now - 9 * minute } } }, 'another prune'],
    ['a prune that broke off', { survey: { pruning: { since: now - 10 * minute } } }, null],
    ['a lock of Hermes', { survey: { locked: '.sync.lock' } }, 'Hermes holds .sync.lock'],
  ])('is %s', (_, seen: Seen, expected) => {
    const found = activityOn(looked(seen), now);
    if (expected === null) expect(found).toBeNull();
    else expect(found).toContain(expected);
  });
});

describe('a clean plan', () => {
  const modules = 'skills/a/node_modules';
  const tree = (path: string) => ({ name: path.slice(path.lastIndexOf('/') + 1), path, files: 1, bytes: 1, estimated: false });
  const trees = [tree(modules), tree('skills/.git'), tree('skills/.archive')];
  const entries = [modules, 'skills/.git', 'skills/.archive'].map((path) => ({ ...entry('x'), path }));

  it('offers only what can be made again, and takes only what was chosen', () => {
    const decide = (choice: Parameters<typeof planClean>[1]) =>
      planClean([looked({ trees, entries })], choice).plan.lines.map(({ path, decision, reason }) => [path, decision, reason]);
    const never = [
      ['skills/.git', 'keep', planReasons['not-rebuildable']],
      ['skills/.archive', 'keep', planReasons['not-rebuildable']],
    ];
    expect(decide({ all: false, only: [] })).toEqual([[modules, 'keep', planReasons['not-chosen']], ...never]);
    expect(decide({ all: true, only: [] })).toEqual([[modules, 'remove', planReasons.chosen], ...never]);
    expect(decide({ all: false, only: ['skills/.git', modules] })).toEqual([[modules, 'remove', planReasons.chosen], ...never]);
  });

  it('has the fingerprint of what was found, whatever was chosen of it', () => {
    const print = (only: readonly string[], found = entries) =>
      planClean([looked({ trees, entries: found })], { all: false, only }).plan.fingerprint;
    expect(print([modules])).toBe(print([]));
    expect(print([], entries.slice(1))).not.toBe(print([]));
    expect(print([], [{ ...entry('x'), path: modules, stamp: 'another' }, ...entries.slice(1)])).not.toBe(print([]));
  });
});

/** Numbers below one, the same ones for the same seed. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const pieces = [
  '',
  ' ',
  '-01',
  '-1',
  ' (copy)',
  '.',
  '\n',
  'Z',
  'T',
  '0',
  '9',
  '٣',
  '–',
  '~',
  '2026-13-40T99-99-99Z',
  '.rollback-staging-',
  '\u200b',
  '*',
  '..',
];

/** A name near an id, or nothing like one. */
function mutate(id: string, random: () => number): string {
  const at = Math.floor(random() * (id.length + 1));
  const length = Math.floor(random() * 4);
  const piece = pieces[Math.floor(random() * pieces.length)] ?? '';
  const cut = `${id.slice(0, at)}${piece}${id.slice(at + length)}`;
  return random() < 0.2 ? `${piece}${cut.toLowerCase()}` : cut;
}
