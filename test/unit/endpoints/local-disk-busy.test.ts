import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLocalDisk } from '../../../electron/endpoints/local-disk';
import { problemOf } from '../../../electron/engine/disk';
import { systemError } from '../../support/faulty-disk';
import { makeTempFolder, removeTempFolder, writeTree } from '../../support/tree';

const busy = vi.hoisted(() => ({ left: 0, code: 'EPERM' }));

// Only Windows refuses to rename a file that somebody has open.
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  const rename = async (from: string, to: string) => {
    if (busy.left > 0) {
      busy.left -= 1;
      throw Object.assign(new Error('busy'), { code: busy.code });
    }
    return real.rename(from, to);
  };
  return { ...real, rename };
});

let folder: string;
let pauses: number[];
beforeEach(async () => {
  folder = await makeTempFolder('busy');
  pauses = [];
  busy.left = 0;
  await mkdir(join(folder, 'home'));
});
afterEach(() => removeTempFolder(folder));

const makeDisk = (platform: NodeJS.Platform) =>
  createLocalDisk({
    ...{ home: join(folder, 'home'), stagingDir: join(folder, 'staging'), undoDir: join(folder, 'undo'), now: () => Date.now(), platform },
    wait: async (milliseconds) => void pauses.push(milliseconds),
  });

async function placeNew(platform: NodeJS.Platform): Promise<void> {
  const disk = makeDisk(platform);
  const staged = await disk.stage('1', { mtime: 1_600_000_000_000, executable: false });
  await staged.write(Buffer.from('new text'));
  await staged.finish();
  await disk.place('1', 'a.md');
}

describe('placing a file that is in use, on Windows', () => {
  it.each(['EPERM', 'EACCES', 'EBUSY'])('waits and tries again after %s', async (code) => {
    Object.assign(busy, { left: 2, code });
    await placeNew('win32');
    expect(await readFile(join(folder, 'home', 'a.md'), 'utf8')).toBe('new text');
    expect(pauses).toEqual([10, 30]);
  });

  it('gives up after a while, and leaves the old file and the staged one', async () => {
    await writeTree(join(folder, 'home'), { 'a.md': 'old' });
    Object.assign(busy, { left: 1000, code: 'EBUSY' });
    expect(await placeNew('win32').catch(problemOf)).toBe('it is in use');
    expect(pauses.reduce((sum, one) => sum + one, 0)).toBeLessThan(5000);
    busy.left = 0;
    expect(await readFile(join(folder, 'home', 'a.md'), 'utf8')).toBe('old');
    expect(await readdir(join(folder, 'staging'))).toEqual(['1']);
  });

  it('does not wait for other failures, nor on other systems', async () => {
    Object.assign(busy, { left: 1, code: 'EIO' });
    expect(await placeNew('win32').catch(problemOf)).toBe(problemOf(systemError('EIO')));
    Object.assign(busy, { left: 1, code: 'EPERM' });
    expect(await placeNew('linux').catch(problemOf)).toBe(problemOf(systemError('EPERM')));
    expect(pauses).toEqual([]);
  });
});

describe('dropTemporaries', () => {
  it('removes what that process left, and nothing of others', async () => {
    const names = ['.ebbgate-new-77-0123456789abcdef', '.ebbgate-new-78-0123456789abcdef', '.ebbgate-new-77', 'a.md'];
    await writeTree(join(folder, 'home'), Object.fromEntries(names.map((name) => [`skills/${name}`, name])));
    await makeDisk('linux').dropTemporaries(['skills', 'missing'], 77);
    expect((await readdir(join(folder, 'home', 'skills'))).sort()).toEqual(names.slice(1).sort());
  });
});
