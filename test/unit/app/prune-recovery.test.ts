import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type History, openHistory } from '../../../electron/app/history';
import { type PruneRecord, type PruneRecords, pruneRecords } from '../../../electron/app/prune-records';
import { recoverPrunes } from '../../../electron/app/prune-recovery';
import { createLocalPruneSide } from '../../../electron/hygiene/prune-local';
import { makeTempFolder, removeTempFolder } from '../../support/tree';

const run = '2026-11-30T12-00-00-000Z-abcdef';
const item = (name: string) => ({ path: `skills/.curator_backups/${name}`, name: `0.${name}`, files: 2, bytes: 700 });

describe('recoverPrunes', () => {
  let folder: string;
  let records: PruneRecords;
  let history: History;
  beforeEach(async () => {
    folder = await makeTempFolder('prune-recovery');
    records = pruneRecords(folder);
    history = openHistory(join(folder, 'history.jsonl'), { now: () => Date.UTC(2026, 11, 1) });
  });
  afterEach(() => removeTempFolder(folder));

  const store = () => join(folder, 'pruned');
  const record = (parts: Partial<PruneRecord>): PruneRecord => ({
    ...{ version: 1, run, kind: 'prune', connection: 'c', removedAt: '2026-11-30T12:00:00.000Z', store: store(), told: false },
    ...{ local: { home: '/home', items: [item('a'), item('b')] }, remote: null, ...parts },
  });
  const recover = () =>
    recoverPrunes({
      ...{ records, history, now: () => Date.UTC(2026, 10, 30, 13), connection: () => null },
      kept: (home, at, id) => createLocalPruneSide({ home, store: at, now: Date.now }).kept(id, new AbortController().signal),
    });
  const went = async (name: string) => {
    await mkdir(join(store(), run), { recursive: true });
    await writeFile(join(store(), run, `0.${name}`), 'kept');
  };

  it('tells once what went here and what may have gone on the remote, and keeps a record of no more', async () => {
    await went('a');
    await records.save(record({ remote: { home: '/r/.hermes', items: [item('x'), item('y'), item('z')] } }));
    const notes = await recover();
    expect(notes).toEqual([
      'A run (prune) of "c" that began 2026-11-30T12:00:00.000Z was interrupted. On this computer 1 of 2 had gone. On the remote up to 3 may have gone; it was not asked. Undo puts back what went; the same again takes the rest.',
    ]);
    const [report] = await history.list();
    expect(report).toMatchObject({ id: run, kind: 'prune', outcome: 'interrupted', error: null, notes, remote: { home: '/r/.hermes' } });
    expect(report?.ledger.removed).toEqual({ files: 1, bytes: 700 });
    expect(report?.paths.map(({ path, outcome }) => [path, outcome])).toEqual([['skills/.curator_backups/a', 'removed']]);
    expect(await records.list()).toMatchObject([{ run, told: true, local: { items: [item('a')] }, remote: { items: { length: 3 } } }]);
    expect(await recover()).toEqual([]);
    expect(await history.list()).toHaveLength(1);
  });

  it('says that nothing had changed, and forgets the record, when nothing had gone', async () => {
    await records.save(record({ kind: 'clean' }));
    expect(await recover()).toEqual([expect.stringMatching(/^A run \(clean\) .* was interrupted\. It had changed nothing\.$/)]);
    expect(await history.list()).toMatchObject([{ kind: 'clean', outcome: 'interrupted', paths: [] }]);
    expect(await records.list()).toEqual([]);
  });

  it('is silent about a run that the history knows, and about one that was told of', async () => {
    await went('a');
    await records.save(record({}));
    await recover();
    // Its process ended between the report and the mark.
    await records.save(record({}));
    expect(await recover()).toEqual([]);
    expect(await records.list()).toMatchObject([{ told: true }]);
    expect(await recover()).toEqual([]);
    expect(await history.list()).toHaveLength(1);
  });

  it('leaves what it cannot look after for the next start', async () => {
    await mkdir(store());
    await records.save(record({ store: folder, local: { home: '/home', items: [item('a')] } }));
    await writeFile(join(folder, run), 'a file has the name of the folder');
    expect(await recover()).toEqual([expect.stringMatching(new RegExp(`^The interrupted run ${run} could not be looked after: `))]);
    expect(await records.list()).toMatchObject([{ run, told: false }]);
  });
});
