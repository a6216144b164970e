import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { carryOutPlan, restoreRecord } from '../../../electron/app/prune-execute';
import { pruneRecords } from '../../../electron/app/prune-records';
import type { Looked, PruneSides } from '../../../electron/app/prune-sides';
import type { LeavingEntry } from '../../../electron/hygiene/prune';
import { createLocalPruneSide } from '../../../electron/hygiene/prune-local';
import { backupsFolder, type PruneSide } from '../../../electron/hygiene/prune-side';
import { AppError } from '../../../shared/errors';
import { makeTempFolder, readTree, removeTempFolder, writeTree } from '../../support/tree';

const never = new AbortController().signal;
const run = '2026-11-30T12-00-00-000Z-abcdef';
const id = '2026-05-01T04-00-00Z';
const path = `${backupsFolder}/${id}`;

describe('carrying out a plan over both sides', () => {
  let folder: string;
  let sides: Readonly<Record<'local' | 'remote', PruneSide>>;
  beforeEach(async () => {
    folder = await makeTempFolder('prune');
    await mkdir(join(folder, 'data'));
    // Both are folders of this computer here: what matters is the order of moves and what is recorded.
    const side = (name: 'local' | 'remote'): PruneSide => ({
      ...createLocalPruneSide({ home: join(folder, name), store: join(folder, name === 'local' ? 'data/pruned' : 'trash'), now: Date.now }),
      side: name,
    });
    sides = { local: side('local'), remote: side('remote') };
    for (const name of ['local', 'remote']) await writeTree(join(folder, name), { [`${path}/skills.tar.gz`]: `archive of ${name}` });
  });
  afterEach(() => removeTempFolder(folder));

  const homes = async () => [await readTree(join(folder, 'local')), await readTree(join(folder, 'remote'))];
  const opened = (): PruneSides => ({
    store: join(folder, 'data/pruned'),
    localAt: () => sides.local,
    remote: { reached: null as never, at: () => ({ ...sides.remote, empty: async () => undefined }) },
    hermesHolds: null,
    inspect: async () => ({ local: null, remote: null }),
    close: async () => undefined,
  });

  async function carryOut(beforeMoves: () => Promise<void> = async () => undefined, cancel = never) {
    const leaving = { local: await leavingOn('local'), remote: await leavingOn('remote') };
    await beforeMoves();
    const looked: Looked = { sides: [], at: sides, remoteHome: null, problems: [] };
    const prepared = { plan: { fingerprint: '', lines: [] }, leaving };
    const record = {
      version: 1,
      run,
      kind: 'prune',
      connection: 'c',
      removedAt: '2026-11-30T12:00:00.000Z',
      store: join(folder, 'data/pruned'),
    } as const;
    const records = pruneRecords(join(folder, 'data'));
    return { records, carried: await carryOutPlan({ records, sides: opened(), looked, prepared, record }, cancel) };
  }

  async function leavingOn(side: 'local' | 'remote'): Promise<readonly LeavingEntry[]> {
    const { entries } = await sides[side].survey([], never);
    return entries.map(({ stamp, files, bytes }) => ({ path, stamp: stamp ?? '', name: `0.${id}`, files, bytes, reason: '' }));
  }

  it('puts the remote back when something here is no longer as planned, and leaves no record', async () => {
    const change = () => writeTree(join(folder, 'local'), { [`${path}/cron-jobs.json`]: '[]' });
    const before = (await homes())[1];
    const { records, carried } = await carryOut(change);
    expect(carried).toEqual({ kind: 'changed' });
    expect((await homes())[1]).toEqual(before);
    expect(await records.list()).toEqual([]);
  });

  it('keeps a record of what did not come back, which is told already and can be undone', async () => {
    const { remote } = sides;
    sides = { ...sides, remote: { ...remote, restore: async (_run, entries) => new Map(entries.map((entry) => [entry.path, 'in use'])) } };
    const { records, carried } = await carryOut(() => writeTree(join(folder, 'local'), { [`${path}/cron-jobs.json`]: '[]' }));
    expect(carried).toEqual({ kind: 'changed' });
    expect(await records.list()).toMatchObject([{ told: true, local: null, remote: { items: [{ path }] } }]);
  });

  it('moves nothing here when something on the remote is no longer as planned', async () => {
    const change = () => writeTree(join(folder, 'remote'), { [`${path}/cron-jobs.json`]: '[]' });
    const before = (await homes())[0];
    const { records, carried } = await carryOut(change);
    expect(carried).toEqual({ kind: 'changed' });
    expect((await homes())[0]).toEqual(before);
    expect(await records.list()).toEqual([]);
  });

  it('moves nothing after a cancel, and everything when the cancel comes after the first move', async () => {
    const before = await homes();
    const controller = new AbortController();
    await expect(carryOut(async () => controller.abort(), controller.signal)).rejects.toEqual(new AppError('run.cancelled', {}));
    expect(await homes()).toEqual(before);
    expect(await pruneRecords(join(folder, 'data')).list()).toEqual([]);

    const late = new AbortController();
    const { remote } = sides;
    sides = { ...sides, remote: { ...remote, move: (...request) => remote.move(...request).finally(() => late.abort()) } };
    const { carried } = await carryOut(undefined, late.signal);
    expect(carried).toMatchObject({ kind: 'moved', record: { local: { items: [{ path }] }, remote: { items: [{ path }] } } });
    for (const home of await homes()) expect(home.has(path)).toBe(false);
  });

  it('leaves a record with which everything comes back when it breaks off in the middle', async () => {
    const before = await homes();
    const { local } = sides;
    sides = {
      ...sides,
      local: {
        ...local,
        move: async () => {
          throw new Error('the power went');
        },
      },
    };
    await expect(carryOut()).rejects.toThrow('the power went');
    expect((await homes())[1]).not.toEqual(before[1]);
    sides = { ...sides, local };
    const records = pruneRecords(join(folder, 'data'));
    const [record] = await records.list('c');
    if (record === undefined) throw new Error('there is no record');
    const failed = await restoreRecord(records, opened(), record, never);
    expect([failed.local.size, failed.remote.size]).toEqual([0, 0]);
    expect(await homes()).toEqual(before);
    expect(await records.list()).toEqual([]);
  });

  it('leaves no record when the remote refuses before anything moved', async () => {
    const before = await homes();
    const refused = new AppError('remote.failed', { operation: 'use the trash', path: 'trash', said: 'it is a link' });
    sides = { ...sides, remote: { ...sides.remote, move: async () => ({ kind: 'refused', error: refused }) } };
    await expect(carryOut()).rejects.toBe(refused);
    expect(await homes()).toEqual(before);
    expect(await pruneRecords(join(folder, 'data')).list()).toEqual([]);
  });

  it('puts the remote back when this computer refuses before anything moved here', async () => {
    const before = await homes();
    // The folder that would keep what goes has the name of a file.
    sides = { ...sides, local: createLocalPruneSide({ home: join(folder, 'local'), store: join(folder, 'file'), now: Date.now }) };
    await writeTree(folder, { file: 'x' });
    await expect(carryOut()).rejects.toMatchObject({ code: 'local.failed' });
    expect(await homes()).toEqual(before);
    expect(await pruneRecords(join(folder, 'data')).list()).toEqual([]);
  });

  it.each([
    ['before the first move', false],
    ['after the last move', true],
  ])('records no more than what the stores hold when the remote breaks off %s', async (_, moves) => {
    const { remote } = sides;
    const move = async (...request: Parameters<PruneSide['move']>) => {
      if (moves) await remote.move(...request);
      throw new Error('the power went');
    };
    sides = { ...sides, remote: { ...remote, move } };
    await expect(carryOut()).rejects.toThrow('the power went');
    const kept = moves ? [{ run, local: null, remote: { items: [{ path }] } }] : [];
    expect(await pruneRecords(join(folder, 'data')).list()).toMatchObject(kept);
  });

  it('keeps the whole record when the remote cannot be asked what it kept', async () => {
    const gone = async () => {
      throw new Error('the link is lost');
    };
    sides = { ...sides, remote: { ...sides.remote, move: gone, kept: gone } };
    await expect(carryOut()).rejects.toThrow('the link is lost');
    expect(await pruneRecords(join(folder, 'data')).list()).toMatchObject([
      { run, local: { items: [{ path }] }, remote: { items: [{ path }] } },
    ]);
  });

  it('keeps what cannot come back because something else took its name', async () => {
    const { records } = await carryOut();
    await writeTree(join(folder, 'local'), { [`${path}/skills.tar.gz`]: 'a new one' });
    const [record] = await records.list();
    if (record === undefined) throw new Error('there is no record');
    const failed = await restoreRecord(records, opened(), record, never);
    expect([...failed.local]).toEqual([[path, 'something else has its name now']]);
    expect(failed.remote.size).toBe(0);
    expect(await records.list()).toMatchObject([{ run, local: { items: [{ path }] }, remote: null }]);
    expect((await readTree(join(folder, 'data/pruned', run))).has(`0.${id}/skills.tar.gz`)).toBe(true);
  });
});
