import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runRecords } from '../../../electron/app/run-records';
import { type Baseline, encodeBaseline } from '../../../electron/engine/baseline';
import { makeTempFolder, removeTempFolder } from '../../support/tree';
import { agreements } from '../engine/entries';

let folder: string;
beforeEach(async () => {
  folder = await makeTempFolder('records');
});
afterEach(() => removeTempFolder(folder));

const records = () => runRecords(folder, () => 4711);
const baseline: Baseline = {
  identity: { marker: 'm', hostKey: 'SHA256:x', home: '/h' },
  rules: 'r',
  entries: agreements({ 'skills/a.md': 'A' }),
  pending: null,
};
const memories = { local: null, remote: { token: 't', entries: new Map() } };
const nothing = { local: null, remote: null };

describe('records', () => {
  it('are none before the first run', async () => {
    expect([await records().baseline('c'), await records().memories('c')]).toEqual([{ kind: 'none' }, nothing]);
    expect(await readdir(folder)).toEqual([]);
  });

  it('are found again, each under its connection, and are private', async () => {
    await records().saveBaseline('c', baseline);
    await records().saveMemories('c', memories);
    expect([await records().baseline('c'), await records().memories('c')]).toEqual([{ kind: 'present', baseline }, memories]);
    expect([await records().baseline('d'), await records().memories('d')]).toEqual([{ kind: 'none' }, nothing]);
    for (const kind of ['baselines', 'memories']) {
      expect((await stat(join(folder, kind))).mode & 0o777).toBe(0o700);
      expect((await stat(join(folder, kind, 'c.json.gz'))).mode & 0o777).toBe(0o600);
    }
  });

  it('are forgotten with their connection, and nothing happens where there are none', async () => {
    for (const connection of ['c', 'd']) await records().saveBaseline(connection, baseline);
    await records().saveMemories('c', memories);
    await records().forget('c');
    await records().forget('nobody');
    expect([await records().baseline('c'), await records().memories('c')]).toEqual([{ kind: 'none' }, nothing]);
    expect((await records().baseline('d')).kind).toBe('present');
  });
});

describe('a baseline that cannot be read', () => {
  it.each([
    ['that was cut to ten bytes', async () => (await encodeBaseline(baseline)).subarray(0, 10)],
    ['that is empty', async () => Buffer.alloc(0)],
    ['that is something else', async () => Buffer.from('{"version":1}')],
  ])('%s is damaged at every look, and kept beside the one that replaces it', async (_name, make) => {
    const bytes = await make();
    await mkdir(join(folder, 'baselines'));
    await writeFile(join(folder, 'baselines', 'c.json.gz'), bytes);
    const aside = join(folder, 'baselines', 'c.json.gz.broken-4711');
    const kept = records();
    const unreadable = { kind: 'unreadable', problem: expect.stringContaining(`; kept as ${aside}`) };
    expect(await kept.baseline('c')).toEqual(unreadable);
    // Looking again, also after a restart, must not find that there never was one.
    expect(await kept.baseline('c')).toEqual(unreadable);
    expect(await records().baseline('c')).toEqual(unreadable);
    await kept.saveBaseline('c', baseline);
    expect(await readFile(aside)).toEqual(Buffer.from(bytes));
    expect(await kept.baseline('c')).toEqual({ kind: 'present', baseline });
  });

  it('stops the run when the disk does not give it, rather than starting anew', async () => {
    await mkdir(join(folder, 'baselines', 'c.json.gz'), { recursive: true });
    await expect(records().baseline('c')).rejects.toMatchObject({ code: expect.stringMatching(/^(store|local)\./) });
  });
});

describe('a memory that cannot be read', () => {
  it('is simply not used', async () => {
    await mkdir(join(folder, 'memories', 'd.json.gz'), { recursive: true });
    await writeFile(join(folder, 'memories', 'c.json.gz'), 'nonsense');
    expect([await records().memories('c'), await records().memories('d')]).toEqual([nothing, nothing]);
    await writeFile(join(folder, 'memories', 'c.json.gz'), await encodeBaseline(baseline));
    expect(await records().memories('c')).toEqual(nothing);
  });
});

describe('saving', () => {
  it('fails with a sentence when the folder cannot be made', async () => {
    await writeFile(join(folder, 'baselines'), 'in the way');
    await expect(records().saveBaseline('c', baseline)).rejects.toMatchObject({ code: expect.stringMatching(/^(store|local)\./) });
  });
});
