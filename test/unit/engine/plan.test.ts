import { describe, expect, it } from 'vitest';
import type { Comparison } from '../../../electron/engine/compare';
import type { Applied } from '../../../electron/engine/endpoint';
import type { AgreedEntry, EnginePath, FileEntry } from '../../../electron/engine/entry';
import { nothingHeld } from '../../../electron/engine/growth';
import { changesFor, checkSize, nextBaseline, nextEntries, pendingBaseline, waitingItems } from '../../../electron/engine/plan';
import type { Decision, Direction } from '../../../electron/engine/reconcile';
import type { Scan } from '../../../electron/engine/scan';
import { AppError } from '../../../shared/errors';
import { agreed, agreements, file, files, plainRules } from './entries';

function scanOf(found: ReadonlyMap<EnginePath, FileEntry>): Scan {
  const listed = new Map([...found].map(([path, entry]) => [path, { kind: 'file' as const, ...entry }]));
  return { home: '/h', missingRoots: [], identity: null, freeBytes: null, files: found, refused: [], unknown: [], listed };
}

function comparison(
  decisions: readonly Decision[],
  sides: { readonly local?: ReadonlyMap<EnginePath, FileEntry>; readonly remote?: ReadonlyMap<EnginePath, FileEntry> },
  parts: Partial<Comparison> = {},
): Comparison {
  return {
    direction: 'sync-back',
    local: scanOf(sides.local ?? new Map()),
    remote: scanOf(sides.remote ?? new Map()),
    decisions,
    agreed: new Map<EnginePath, AgreedEntry>(),
    identity: { marker: null, hostKey: 'SHA256:x', home: '/r' },
    stop: null,
    notes: [],
    growth: nothingHeld,
    trees: async () => ({ byTree: new Map(), complete: true }),
    ...parts,
  };
}

const write = (path: string, entry: FileEntry, change: 'create' | 'update' = 'create'): Decision => ({
  kind: 'write',
  path,
  change,
  entry,
});
const remove = (path: string): Decision => ({ kind: 'remove', path, size: 1 });
const done = (...paths: readonly string[]): ReadonlyMap<EnginePath, Applied> =>
  new Map(paths.map((path) => [path, { path, ok: true, entry: null }]));

describe('changesFor', () => {
  it('orders changes by path, with what the listing saw there and the skill they belong to', () => {
    const local = files({ 'skills/a/SKILL.md': 'A', 'skills/z.md': 'A' });
    const decisions = [
      remove('skills/z.md'),
      write('skills/a/SKILL.md', file('Bb'), 'update'),
      write('skills/n/x.md', file('Ccc', true)),
      { kind: 'leave', path: 'skills/l.md' } as const,
    ];
    const changes = changesFor(comparison(decisions, { local, remote: files({ 'skills/n/SKILL.md': 'n' }) }));
    const expected = (path: string) => ({ kind: 'file', ...local.get(path) });
    const content = (text: string, executable: boolean) => {
      const { hash, size, mtime } = file(text);
      return { hash, size, mtime, executable };
    };
    expect(changes).toEqual([
      {
        kind: 'write',
        path: 'skills/a/SKILL.md',
        expected: expected('skills/a/SKILL.md'),
        content: content('Bb', false),
        group: 'skills/a',
      },
      { kind: 'write', path: 'skills/n/x.md', expected: null, content: content('Ccc', true), group: 'skills/n' },
      { kind: 'remove', path: 'skills/z.md', expected: expected('skills/z.md'), group: null },
    ]);
  });

  it('takes the execute bit from the side that has one, then from what was agreed, then from nothing', () => {
    const bitless = file('Bb', null);
    const executable = (local: FileEntry | undefined, base: AgreedEntry | undefined) => {
      const agreedMap = new Map(base === undefined ? [] : [['skills/x', base]]);
      const here = new Map(local === undefined ? [] : [['skills/x', local]]);
      const [change] = changesFor(comparison([write('skills/x', bitless)], { local: here }, { agreed: agreedMap }));
      return change?.kind === 'write' && change.content.executable;
    };
    expect([executable(file('A', true), agreed('A')), executable(file('A', false), agreed('A', true))]).toEqual([true, false]);
    expect([executable(undefined, agreed('A', true)), executable(file('A', null), agreed('A', true))]).toEqual([true, true]);
    expect(executable(undefined, undefined)).toBe(false);
  });
});

describe('waitingItems', () => {
  it('carry both versions, whichever there are', () => {
    const wait = (path: string): Decision => ({ kind: 'wait', path, why: 'conflict', change: 'update', reason: 'r' });
    const sides = { local: files({ 'skills/a': 'A', 'skills/b': 'Bb' }), remote: files({ 'skills/a': 'Ccc', 'skills/c': 'Ccc' }) };
    const items = waitingItems(comparison([wait('skills/a'), wait('skills/b'), wait('skills/c'), remove('skills/d')], sides));
    expect(items.map(({ path, local, remote }) => [path, local?.size ?? null, remote?.size ?? null])).toEqual([
      ['skills/a', 1, 3],
      ['skills/b', 2, null],
      ['skills/c', null, 3],
    ]);
  });

  it('keep the execute bit of the other side, or the agreed one, where a side has none', () => {
    const wait = (path: string): Decision => ({ kind: 'wait', path, why: 'conflict', change: 'update', reason: 'r' });
    const paths = ['skills/here', 'skills/gone', 'skills/new'];
    const remote = new Map(paths.map((path) => [path, { ...file('Bb'), executable: null }]));
    const sides = { local: new Map([['skills/here', file('A', true)]]), remote };
    const items = waitingItems(comparison(paths.map(wait), sides, { agreed: new Map([['skills/gone', agreed('A', true)]]) }));
    expect(items.map((item) => item.remote?.executable)).toEqual([true, true, null]);
  });
});

describe('checkSize', () => {
  const gib = 1024 ** 3;
  const one = (size: number) => [{ path: 'skills/big/x.bin', size }];
  const refusal = (wanted: Parameters<typeof checkSize>[0], freeBytes: number | null, direction: Direction = 'sync-back') => {
    try {
      checkSize(wanted, { home: '/r', freeBytes }, direction);
      return null;
    } catch (error) {
      return error instanceof AppError ? { code: error.code, details: error.details } : error;
    }
  };

  it('refuses more than 2 GiB or 200 000 files, and names the largest folders', () => {
    const largest = [`skills/big (${2 * gib + 1} bytes)`];
    const many = Array.from({ length: 200_001 }, (_, index) => ({ path: `skills/${index}`, size: 0 }));
    for (const direction of ['push', 'sync-back'] as const) {
      expect(refusal(one(2 * gib), null, direction)).toBe(null);
      const tooMuch = { code: 'sync.over-cap', details: { bytes: 2 * gib + 1, files: 1, largest } };
      expect(refusal(one(2 * gib + 1), null, direction)).toEqual(tooMuch);
      expect(refusal(many.slice(1), null, direction)).toBe(null);
      expect(refusal(many, null, direction)).toMatchObject({ code: 'sync.over-cap', details: { files: 200_001 } });
    }
  });

  it('refuses what would not leave a gigabyte free here, and nothing when nothing is brought', () => {
    expect(refusal(one(1000), 1_000_001_000)).toBe(null);
    expect(refusal(one(1000), 1_000_000_999)).toEqual({
      code: 'local.no-space',
      details: { needed: 1000, free: 1_000_000_999, largest: ['skills/big (1000 bytes)'] },
    });
    expect([refusal([], 0), refusal(one(0), 0), refusal(one(1000), null)]).toEqual([null, null, null]);
  });

  it('refuses to send what the remote has no room for', () => {
    expect([refusal(one(1000), 1000, 'push'), refusal([], 0, 'push')]).toEqual([null, null]);
    expect(refusal(one(1001), 1000, 'push')).toEqual({
      code: 'remote.disk-full',
      details: { path: '/r', said: '1001 bytes are needed and 1000 are free' },
    });
  });
});

describe('the baseline', () => {
  const decisions: readonly Decision[] = [
    write('skills/written.md', file('Bb', true), 'update'),
    write('skills/failed.md', file('Bb'), 'update'),
    remove('skills/removed.md'),
    remove('skills/stays.md'),
    { kind: 'drop', path: 'skills/dropped.md' },
    { kind: 'adopt', path: 'skills/adopted.md', entry: file('Ccc', null) },
    { kind: 'leave', path: 'skills/left.md' },
    { kind: 'wait', path: 'skills/conflict.md', why: 'conflict', change: 'update', reason: 'r' },
  ];
  const before = agreements(
    Object.fromEntries(
      ['written', 'failed', 'removed', 'stays', 'dropped', 'left', 'conflict', 'untouched'].map((name) => [`skills/${name}.md`, 'A']),
    ),
  );
  const remote = new Map([['skills/adopted.md', file('Ccc', true)]]);
  const made = comparison(decisions, { local: files({ 'skills/removed.md': 'A', 'skills/stays.md': 'A' }), remote }, { agreed: before });

  it('moves on by what was done, never by what was meant', () => {
    const failed: Applied = { path: 'skills/failed.md', ok: false, reason: 'r' };
    const results = new Map([...done('skills/written.md', 'skills/removed.md'), ['skills/failed.md', failed]]);
    const next = nextBaseline(made, results, plainRules, 'marker');
    const expected = new Map(before);
    for (const gone of ['skills/removed.md', 'skills/dropped.md']) expected.delete(gone);
    expected.set('skills/written.md', agreed('Bb', true)).set('skills/adopted.md', agreed('Ccc', true));
    expect(next).toEqual({
      identity: { marker: 'marker', hostKey: 'SHA256:x', home: '/r' },
      rules: plainRules.fingerprint,
      entries: expected,
      pending: null,
    });
  });

  it('names beforehand what a run is about to do, and to which side', () => {
    const pending = pendingBaseline(made, changesFor(made), plainRules, null);
    expect(pending.entries).toBe(before);
    expect(pending.pending).toEqual({
      writes: 'local',
      entries: new Map<string, AgreedEntry | null>([
        ['skills/failed.md', agreed('Bb')],
        ['skills/removed.md', null],
        ['skills/stays.md', null],
        ['skills/written.md', agreed('Bb', true)],
      ]),
    });
    expect(pendingBaseline({ ...made, direction: 'push' }, [], plainRules, null).pending?.writes).toBe('remote');
  });
});

describe('nextEntries', () => {
  it('remembers what apply saw, with the hash that was sent, and forgets what it removed', () => {
    const listed = scanOf(files({ 'skills/a.md': 'A', 'skills/b.md': 'A', 'skills/c.md': 'A', 'skills/d.md': 'A' })).listed;
    const changes = changesFor(
      comparison(
        [write('skills/a.md', file('Bb'), 'update'), remove('skills/b.md'), remove('skills/c.md'), write('skills/d.md', file('Bb'))],
        {
          local: files({ 'skills/a.md': 'A', 'skills/b.md': 'A', 'skills/c.md': 'A' }),
        },
      ),
    );
    const placed = { kind: 'file', size: 2, mtime: 5, executable: false, hash: null, stamp: 'new' } as const;
    const results = new Map<EnginePath, Applied>([
      ...done('skills/b.md', 'skills/d.md'),
      ['skills/a.md', { path: 'skills/a.md', ok: true, entry: placed }],
    ]);
    const next = nextEntries(listed, changes, results);
    expect([...next.keys()]).toEqual(['skills/a.md', 'skills/c.md', 'skills/d.md']);
    expect(next.get('skills/a.md')).toEqual({ ...placed, hash: file('Bb').hash });
    expect(next.get('skills/c.md')).toEqual(listed.get('skills/c.md'));
    expect(nextEntries(listed, [], new Map())).toBe(listed);
  });
});
