import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compose } from '../../../electron/compose';
import { absolutePath, dataFolder, localHermesHome, makePrivateFolder } from '../../../electron/platform/app-paths';
import { replaceDurably, writeDurably } from '../../../electron/platform/atomic-file';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ebbgate-paths-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('folders', () => {
  it('are the ones given, then those of the environment, then the usual ones, always absolute', () => {
    expect(dataFolder('given', { EBBGATE_DATA_DIR: '/env' })).toBe(resolve('given'));
    expect(dataFolder(undefined, { EBBGATE_DATA_DIR: '/env' })).toBe('/env');
    expect(dataFolder(undefined, { EBBGATE_DATA_DIR: '' })).toMatch(/ebbgate/i);
    expect(localHermesHome('given', { HERMES_HOME: '/env' })).toBe(resolve('given'));
    expect(localHermesHome(undefined, { HERMES_HOME: '/env/' })).toBe('/env');
    expect(localHermesHome(undefined, {})).toBe(join(homedir(), '.hermes'));
  });

  it('understand ~ alone and as the first part, nowhere else', () => {
    expect(['~', '~/a', '/~/a', '~a'].map((path) => absolutePath(path, '/home/u'))).toEqual([
      '/home/u',
      '/home/u/a',
      '/~/a',
      resolve('~a'),
    ]);
  });

  it('are made private, and closed to others while they are empty only', async () => {
    await makePrivateFolder(join(folder, 'a/b'));
    expect([modeOf(join(folder, 'a')), modeOf(join(folder, 'a/b'))]).toEqual([0o700, 0o700]);
    for (const name of ['empty', 'used']) mkdirSync(join(folder, name));
    for (const name of ['empty', 'used']) chmodSync(join(folder, name), 0o755);
    writeFileSync(join(folder, 'used', 'file'), '');
    for (const name of ['empty', 'used']) await makePrivateFolder(join(folder, name));
    expect([modeOf(join(folder, 'empty')), modeOf(join(folder, 'used'))]).toEqual([0o700, 0o755]);
  });

  it('are refused where none can be made, whatever the system says of it', async () => {
    const impossible = process.platform === 'linux' ? '/proc/nope/deeper' : join(folder, 'file', 'deeper');
    writeFileSync(join(folder, 'file'), '');
    await expect(makePrivateFolder(impossible)).rejects.toThrow(process.platform === 'linux' ? 'no folder can be made there' : /ENOTDIR/);
    await expect(makePrivateFolder(join(folder, 'file'))).rejects.toThrow(/ENOTDIR/);
    await expect(compose({ dataDir: impossible })).rejects.toMatchObject({ code: 'store.failed', details: { file: impossible } });
  });
});

describe('durable writes', () => {
  it('replace a file as a whole, private, and leave nothing beside it', async () => {
    const file = join(folder, 'f');
    writeFileSync(file, 'older and longer');
    await writeDurably(file, 'newer');
    expect([statSync(file).size, modeOf(file), statSync(folder).nlink]).toEqual([5, 0o600, 2]);
  });

  it('leave the file as it was when the content cannot be made', async () => {
    const file = join(folder, 'f');
    await writeDurably(file, new TextEncoder().encode('old'));
    const failing = replaceDurably(file, async (handle) => {
      await handle.writeFile('half');
      throw new Error('no more');
    });
    await expect(failing).rejects.toThrow('no more');
    expect(statSync(file).size).toBe(3);
  });
});
