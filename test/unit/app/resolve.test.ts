import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { Resolution } from '../../../shared/inbox';
import type { PathReport } from '../../../shared/run-report';
import { A, eachInItsOwnPlace, entryOf, L, path, place, R, type Version } from './resolving';

eachInItsOwnPlace();

const copy = 'skills/a/notes.ebbgate-copy-build-box.md';
const other = { 'skills/a/SKILL.md': '# a\n' };

interface Row {
  readonly name: string;
  readonly choice: Resolution;
  readonly kind?: 'conflict' | 'guarded' | 'review';
  readonly local: Version;
  readonly remote: Version;
  /** Content here afterwards; null when there is no file. */
  readonly left: string | null;
  readonly copied?: string;
  /** What both sides agree on afterwards. */
  readonly agreed: Version;
  readonly undone: readonly string[];
  readonly line: Partial<PathReport>;
}

const goesOut = 'kept as it is here; goes out at the next push';
const goesAway = 'stays removed here; removed on the remote at the next push';
const theirs = "the remote's version, by your decision";
const refused = { outcome: 'refused', path } as const;

const rows: readonly Row[] = [
  {
    ...{ name: 'keep-local leaves the file and takes the remote version as known', choice: 'keep-local', local: L, remote: R },
    ...{ left: L, agreed: R, undone: [], line: { ...refused, change: 'update', reason: goesOut } },
  },
  {
    ...{ name: 'keep-local of a file that is gone there forgets what both agreed on', choice: 'keep-local', local: L, remote: null },
    ...{ left: L, agreed: null, undone: [], line: { ...refused, change: 'delete', reason: goesOut } },
  },
  {
    ...{ name: 'keep-local of a file that is gone here removes it there at the next push', choice: 'keep-local', local: null, remote: R },
    ...{ left: null, agreed: R, undone: [], line: { ...refused, change: 'create', reason: goesAway } },
  },
  {
    ...{ name: 'keep-local of a guarded file does nothing else', choice: 'keep-local', kind: 'guarded', local: L, remote: R },
    ...{ left: L, agreed: R, undone: [], line: { ...refused, reason: goesOut } },
  },
  {
    ...{ name: 'keep-remote replaces the file and keeps what was there', choice: 'keep-remote', local: L, remote: R },
    ...{ left: R, agreed: R, undone: [L], line: { path, outcome: 'written', change: 'update', bytes: R.length, reason: theirs } },
  },
  {
    ...{ name: 'keep-remote brings a file back that is gone here', choice: 'keep-remote', local: null, remote: R },
    ...{ left: R, agreed: R, undone: [], line: { path, outcome: 'written', change: 'create', bytes: R.length, reason: theirs } },
  },
  {
    ...{ name: 'keep-remote removes a file that is gone there, into the undo store', choice: 'keep-remote', local: L, remote: null },
    ...{ left: null, agreed: null, undone: [L], line: { path, outcome: 'removed', change: 'delete', bytes: L.length, reason: theirs } },
  },
  {
    ...{ name: 'release lets a guarded file come home', choice: 'release', kind: 'guarded', local: L, remote: R },
    ...{ left: R, agreed: R, undone: [L], line: { path, outcome: 'written', change: 'update', reason: 'released by your decision' } },
  },
  {
    ...{ name: 'release removes a guarded file that is gone there', choice: 'release', kind: 'guarded', local: L, remote: null },
    ...{ left: null, agreed: null, undone: [L], line: { path, outcome: 'removed', change: 'delete' } },
  },
  {
    ...{ name: 'keep-both leaves the file and puts the remote version beside it', choice: 'keep-both', local: L, remote: R },
    ...{ left: L, copied: R, agreed: R, undone: [] },
    line: {
      path: copy,
      outcome: 'written',
      change: 'create',
      bytes: R.length,
      reason: `copy of the remote's version of ${path}, never synced; yours is ${goesOut}`,
    },
  },
  {
    ...{ name: 'keep-both of a file that is gone here only makes the copy', choice: 'keep-both', local: null, remote: R },
    ...{ left: null, copied: R, agreed: R, undone: [], line: { path: copy, outcome: 'written' } },
  },
  {
    ...{ name: 'keep-both of a file that is gone there keeps the one there is', choice: 'keep-both', local: L, remote: null },
    ...{ left: L, agreed: null, undone: [], line: { ...refused, reason: goesOut } },
  },
  {
    ...{ name: 'discard leaves everything and what was agreed on', choice: 'discard', local: L, remote: R },
    ...{ left: L, agreed: A, undone: [], line: { ...refused, reason: 'declined; not offered again until it changes on the remote' } },
  },
];

async function arrange(local: Version): Promise<void> {
  await place.write(local === null ? other : { ...other, [path]: typeof local === 'string' ? local : { ...local } });
  await place.agree({ [path]: A, 'skills/a/SKILL.md': '# a\n' });
}

describe('resolve', () => {
  it.each(rows)('$name', async ({ choice, kind, local, remote, left, copied, agreed, undone, line }) => {
    await arrange(local);
    const item = await place.wait({ path, local, remote, ...(kind === undefined ? {} : { kind }) });
    const report = await place.resolve(choice, item.id);
    expect(report).toMatchObject({ kind: 'resolve', outcome: 'done', error: null, connection: { id: 'c', name: 'build box' } });
    expect(report.paths).toEqual([expect.objectContaining(line)]);
    const here = { ...other, ...(left === null ? {} : { [path]: left }), ...(copied === undefined ? {} : { [copy]: copied }) };
    expect(await place.contents()).toEqual(here);
    expect(await place.agreed()).toEqual({
      'skills/a/SKILL.md': entryOf('# a\n'),
      ...(agreed === null ? {} : { [path]: entryOf(agreed) }),
    });
    expect(await place.undone()).toEqual(undone);
    expect(place.inbox.list()).toEqual([]);
  });

  it('counts only what it placed, and says so in the ledger', async () => {
    await arrange(L);
    const item = await place.wait({ path, local: L, remote: R });
    const { ledger, remote, pathsOmitted } = await place.resolve('keep-remote', item.id);
    expect({ written: ledger.written, removed: ledger.removed, wire: ledger.wire, refused: ledger.refused.files }).toEqual({
      ...{ written: { files: 1, bytes: R.length }, removed: { files: 0, bytes: 0 } },
      ...{ wire: { sent: 0, received: 0, handshake: 0 }, refused: 0 },
    });
    expect({ remote, pathsOmitted }).toMatchObject({ remote: { hostKey: null, home: null }, pathsOmitted: 0 });
  });

  it.each([true, false])('carries the execute bit over (%s)', async (executable) => {
    await arrange({ text: L, executable: !executable });
    const remote = { text: R, executable };
    const item = await place.wait({ path, local: { text: L, executable: !executable }, remote });
    await place.resolve('keep-remote', item.id);
    const image = (await place.images()).get(path);
    expect(image?.kind === 'file' && ((image.mode ?? 0) & 0o100) !== 0).toBe(executable);
    expect((await place.agreed())[path]).toEqual(entryOf(remote));
  });

  it('settles several items in one run, and leaves those that fail', async () => {
    const second = 'skills/b/x.md';
    await place.write({ [path]: L, [second]: 'edited after the item came\n' });
    await place.agree({ [path]: A, [second]: A });
    const one = await place.wait({ path, local: L, remote: R });
    const two = await place.wait({ path: second, local: L, remote: R });
    const report = await place.resolve('keep-remote', one.id, two.id, one.id);
    expect(report.outcome).toBe('partly');
    expect(report.paths.map((line) => [line.path, line.outcome, line.reason])).toEqual([
      [second, 'failed', 'it changed here meanwhile'],
      [path, 'written', theirs],
    ]);
    expect(await place.contents()).toEqual({ [path]: R, [second]: 'edited after the item came\n' });
    expect(await place.agreed()).toEqual({ [path]: entryOf(R), [second]: entryOf(A) });
    expect(place.inbox.list()).toEqual([two]);
    expect(place.inbox.contentFile(two.id)).not.toBeNull();
  });

  it('never writes over a file that appeared where there was none', async () => {
    await arrange('appeared\n');
    const item = await place.wait({ path, local: null, remote: R });
    const report = await place.resolve('keep-remote', item.id);
    expect(report.paths).toMatchObject([{ outcome: 'failed', reason: 'a file of that name appeared here meanwhile' }]);
    expect((await place.contents())[path]).toBe('appeared\n');
    expect(place.inbox.list()).toEqual([item]);
  });

  it('fails the path and keeps the item when the stored content is damaged', async () => {
    await arrange(L);
    const item = await place.wait({ path, local: L, remote: R });
    const file = place.inbox.contentFile(item.id) ?? '';
    await writeFile(file, R.replace('e', 'E'));
    const report = await place.resolve('keep-remote', item.id);
    expect(report.paths).toMatchObject([{ path, outcome: 'failed' }]);
    expect((await place.contents())[path]).toBe(L);
    expect(place.inbox.list()).toEqual([item]);
  });

  it('places nothing where a rule keeps it out by now, nor outside the synced folders', async () => {
    await arrange(L);
    await place.decisions.exclude('c', 'skills/a');
    const ruled = await place.wait({ path, local: L, remote: R });
    const outside = await place.wait({ path: 'config.yaml', local: null, remote: R });
    const report = await place.resolve('keep-remote', ruled.id, outside.id);
    expect(report.paths.map((line) => [line.path, line.outcome])).toEqual([
      ['config.yaml', 'failed'],
      [path, 'failed'],
    ]);
    expect(await place.contents()).toEqual({ ...other, [path]: L });
  });

  it('decides nothing while the record of the last session is missing', async () => {
    await place.write({ [path]: L });
    const item = await place.wait({ path, local: L, remote: R });
    for (const choice of ['keep-local', 'keep-remote', 'keep-both'] as const) {
      const report = await place.resolve(choice, item.id);
      expect(report.outcome).toBe('partly');
      expect(report.paths).toMatchObject([{ outcome: 'failed', reason: expect.stringContaining('session end') }]);
    }
    expect(await place.contents()).toEqual({ [path]: L });
    expect(place.inbox.list()).toEqual([item]);
  });

  it('ends at a cancel with the item still waiting', async () => {
    await arrange(L);
    const item = await place.wait({ path, local: L, remote: R });
    const resolving = place.resolve('keep-remote', item.id);
    place.runs.cancel('c');
    expect((await resolving).outcome).toBe('interrupted');
    expect((await place.contents())[path]).toBe(L);
    expect(place.inbox.list()).toEqual([item]);
  });
});
