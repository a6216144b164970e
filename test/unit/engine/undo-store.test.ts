import { describe, expect, it } from 'vitest';
import {
  decodeHead,
  decodeManifest,
  encodeManifest,
  keptBy,
  nextUndo,
  overBounds,
  planUndo,
  type UndoEntry,
  type UndoHead,
  type UndoManifest,
} from '../../../electron/engine/undo-store';

const day = 24 * 3_600_000;
const now = Date.UTC(2026, 5, 30);

function head(runId: string, more: Partial<UndoHead> & { readonly daysAgo?: number } = {}): UndoHead {
  const { daysAgo = 0, ...rest } = more;
  return {
    ...{
      runId,
      kind: 'sync-back',
      connection: { id: '1', name: 'box' },
      home: '/h',
      contentDir: `/u/${runId}`,
      undoes: null,
      declines: false,
    },
    ...{ createdAt: new Date(now - daysAgo * day).toISOString(), files: 1, bytes: 10, ...rest },
  };
}

const old = (hash: string, mode = 0o640) => ({ hash, size: 3, mode, mtime: 1_600_000_000_000, executable: false });
const made = (hash: string) => ({ hash, size: 5, executable: false });
const entries: readonly UndoEntry[] = [
  { path: 'skills/created', change: 'create', group: 'a', old: null, new: made('N1'), agreed: null },
  { path: 'skills/updated', change: 'update', group: 'a', old: old('O2'), new: made('N2'), agreed: null },
  { path: 'skills/deleted', change: 'delete', group: 'a', old: old('O3', 0o755), new: null, agreed: null },
];
const manifest: UndoManifest = { head: head('r', keptBy(entries)), entries, folders: [{ path: 'skills/gone', mode: 0o711 }] };

describe('the manifest', () => {
  it('is read as it was written, and its head alone', () => {
    const text = encodeManifest(manifest);
    expect(decodeManifest(text)).toEqual(manifest);
    expect(decodeHead(text.split('\n')[0] ?? '')).toEqual({ ...manifest.head, files: 2, bytes: 6 });
  });

  it('is nothing when it is cut at any byte, or of another version', () => {
    const text = encodeManifest(manifest);
    for (let length = 0; length < text.length - 1; length += 1) expect(decodeManifest(text.slice(0, length)), `${length}`).toBeNull();
    expect(decodeManifest(text.replace('"version":1', '"version":2'))).toBeNull();
  });
});

describe('nextUndo', () => {
  it('is the newest run of the connection', () => {
    const heads = [head('old', { daysAgo: 2 }), head('new', { daysAgo: 1 }), head('other', { connection: { id: '2', name: 'else' } })];
    expect(nextUndo(heads, '1')?.runId).toBe('new');
    expect(nextUndo(heads, '3')).toBeNull();
  });

  it('is the undo itself once a run was undone, and never a run that was', () => {
    const heads = [head('a', { daysAgo: 3 }), head('b', { daysAgo: 2 }), head('undo', { daysAgo: 1, kind: 'undo', undoes: 'b' })];
    expect(nextUndo(heads, '1')?.runId).toBe('undo');
    expect(nextUndo([...heads.slice(0, 2), head('redo', { undoes: 'undo' }), ...heads.slice(2)], '1')?.runId).toBe('redo');
  });
});

describe('overBounds', () => {
  const bounds = { ageMs: 14 * day, files: 10, bytes: 100 };
  const names = (heads: readonly UndoHead[]) => overBounds(heads, now, bounds).map(({ runId }) => runId);

  it('drops by age, then the oldest until the rest fits', () => {
    const timeline = [
      head('today', { daysAgo: 0, files: 4, bytes: 10 }), // 4 files, 10 bytes
      head('yesterday', { daysAgo: 1, files: 6, bytes: 80 }), // 10 files, 90 bytes: just fits
      head('three', { daysAgo: 3, files: 0, bytes: 11 }), // 101 bytes: too much
      head('four', { daysAgo: 4, files: 0, bytes: 0 }), // older than one that went
      head('old', { daysAgo: 15, files: 0, bytes: 0 }),
    ];
    expect(names(timeline.toReversed())).toEqual(['three', 'four', 'old']);
  });

  it('keeps what is exactly as old and as much as allowed', () => {
    expect(names([head('edge', { daysAgo: 14, files: 10, bytes: 100 })])).toEqual([]);
    expect(names([head('files', { files: 11, bytes: 0 })])).toEqual(['files']);
    expect(names([head('bytes', { files: 1, bytes: 101 })])).toEqual(['bytes']);
  });
});

describe('planUndo', () => {
  const plan = (present: Readonly<Record<string, string>>) => planUndo(manifest, new Map(Object.entries(present)));

  it('takes back every change that is still as the run left it, with modes and times', () => {
    const { changes, settled, problems, folderModes } = plan({ 'skills/created': 'N1', 'skills/updated': 'N2' });
    const expected = { kind: 'file', size: 5, mtime: 0, executable: null, stamp: '' };
    expect(changes).toEqual([
      { kind: 'remove', path: 'skills/created', expected: { ...expected, hash: 'N1' }, group: 'a' },
      { kind: 'write', path: 'skills/updated', expected: { ...expected, hash: 'N2' }, content: old('O2'), group: 'a' },
      { kind: 'write', path: 'skills/deleted', expected: null, content: old('O3', 0o755), group: 'a' },
    ]);
    expect([settled.size, problems.size, [...folderModes]]).toEqual([0, 0, [['skills/gone', 0o711]]]);
  });

  it('has nothing to do for a path that is as it was before', () => {
    const { changes, settled } = plan({ 'skills/updated': 'O2', 'skills/deleted': 'O3' });
    expect(changes).toEqual([]);
    expect([...settled]).toEqual(['skills/created', 'skills/updated', 'skills/deleted']);
  });

  it('leaves a path alone that is neither, and says why', () => {
    expect([...plan({ 'skills/created': 'X', 'skills/deleted': 'X' }).problems]).toEqual([
      ['skills/created', 'it changed here since'],
      ['skills/updated', 'it was removed here since'],
      ['skills/deleted', 'a file of that name appeared here since'],
    ]);
  });
});
