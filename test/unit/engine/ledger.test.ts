import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildLedger, refusedLedger, tally } from '../../../electron/engine/ledger';
import type { RefusedEntry } from '../../../electron/engine/scan';
import type { Tree, TreeValue } from '../../support/tree';
import { files } from './entries';
import { createWorld, type EndedRun } from './whole-run';

const refusedBy = (path: string, rule: RefusedEntry['refusal']['rule'], match: string, bytes: number): RefusedEntry => ({
  path,
  refusal: { kind: 'refused', rule, owner: 'app', match },
  bytes,
});

describe('refusedLedger', () => {
  it('adds single entries and whole trees by rule and by tree', () => {
    const entries = [
      refusedBy('skills/x.db', 'database', '*.db', 10),
      refusedBy('skills/y.db', 'database', '*.db', 5),
      refusedBy('skills/a/.git', 'excluded-name', '.git', 3),
    ];
    const byTree = new Map([
      ['.git', { files: 4, bytes: 40 }],
      ['node_modules', { files: 6, bytes: 600 }],
    ]);
    expect(refusedLedger(entries, { byTree, complete: true })).toEqual({
      files: 13,
      bytes: 658,
      estimated: false,
      byTree: { '.git': { files: 5, bytes: 43 }, node_modules: { files: 6, bytes: 600 } },
      byRule: { database: { files: 2, bytes: 15 }, 'excluded-name': { files: 11, bytes: 643 } },
    });
  });

  it('says when a part was not counted', () => {
    expect(refusedLedger([], { byTree: new Map(), complete: false })).toMatchObject({ files: 0, bytes: 0, estimated: true });
  });
});

describe('buildLedger', () => {
  const scan = {
    ...{ home: '/h', missingRoots: [], identity: null, freeBytes: null, unknown: [], listed: new Map() },
    files: files({ 'skills/w.md': 'four', 'skills/u.md': 'unchanged', 'skills/c.md': 'in conflict' }),
    refused: [refusedBy('skills/x.db', 'database', '*.db', 100)],
  };
  const paths = [
    { path: 'skills/w.md', outcome: 'written', change: 'create', bytes: 4, reason: 'r' },
    { path: 'skills/gone.md', outcome: 'removed', change: 'delete', bytes: 7, reason: 'r' },
    { path: 'skills/c.md', outcome: 'conflict', change: 'update', bytes: 11, reason: 'r' },
    { path: 'skills/x.db', outcome: 'refused', change: 'create', bytes: 100, reason: 'r' },
  ] as const;
  const trees = { byTree: new Map(), complete: true };
  const build = (direction: 'push' | 'sync-back') =>
    buildLedger({ direction, sender: scan, trees, transferred: { files: 2, bytes: 15 }, paths });

  it('accounts for everything on the remote in a sync-back', async () => {
    expect(await build('sync-back')).toMatchObject({
      onRemote: { files: 4, bytes: 124 },
      refused: { files: 1, bytes: 100 },
      transferred: { files: 2, bytes: 15 },
      written: { files: 1, bytes: 4 },
      removed: { files: 1, bytes: 7 },
      unchanged: { files: 1, bytes: 9 },
    });
  });

  it('says nothing about the remote in a push', async () => {
    expect(await build('push')).toEqual({ ...(await build('sync-back')), onRemote: { files: 0, bytes: 0 } });
  });

  it('tallies nothing as nothing', () => {
    expect(tally([])).toEqual({ files: 0, bytes: 0 });
  });
});

const names = ['a.md', 'b.md', 'x.db', 'link.md', 'sub/c.md', 'sub/SKILL.md', '.git/x', 'node_modules/y.js', '.usage.json'].map(
  (name) => `skills/${name}`,
);
const anyValue = fc.oneof(
  fc.constantFrom<TreeValue>('A', 'Bb', 'Ccc'),
  fc.constant<TreeValue>({ text: 'Ccc', executable: true }),
  fc.constant<TreeValue>({ link: 'elsewhere' }),
  fc.constant<TreeValue>({ fifo: true }),
);
const anyTree = fc.dictionary(fc.constantFrom(...names), anyValue) as fc.Arbitrary<Tree>;
const allGuards = new Set(['first-session', 'remote-empty', 'local-empty', 'identity-changed', 'mass-delete', 'mass-change'] as const);
const anyUnreadable = fc.subarray(['skills/a.md', 'skills/sub', 'skills/sub/c.md']).map((paths) => new Set(paths));

/** Files and bytes of a run's own lines that describe what is on the sender, and its ledger's total for that side. */
function bothSidesOfTheSum({ ledger, paths }: EndedRun) {
  const named = paths.filter(({ outcome, change }) => outcome !== 'refused' && outcome !== 'removed' && change !== 'delete');
  const own = tally(named.map(({ bytes }) => bytes));
  return ledger.refused.bytes + ledger.unchanged.bytes + own.bytes;
}

describe('the ledger of any sync-back', () => {
  it('adds up: what is on the remote is refused, unchanged, or has a line of its own', async () => {
    const property = fc.asyncProperty(
      anyTree,
      anyTree,
      anyTree,
      anyUnreadable,
      anyUnreadable,
      async (local, remote, later, here, there) => {
        const world = createWorld(local, { 'skills/keep.md': 'x', ...remote });
        await world.syncBack();
        await world.remote.write(later);
        const ended = await world.syncBack({ local: { unreadable: here }, remote: { unreadable: there }, allow: allGuards });
        expect(bothSidesOfTheSum(ended)).toBe(ended.ledger.onRemote.bytes);
        expect(ended.ledger.transferred.bytes).toBeGreaterThanOrEqual(ended.ledger.written.bytes);
        const byRule = Object.values(ended.ledger.refused.byRule).reduce((sum, { bytes }) => sum + bytes, 0);
        expect(byRule).toBe(ended.ledger.refused.bytes);
      },
    );
    await fc.assert(property);
  });
});
