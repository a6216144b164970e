import { lstat, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLocalDisk } from '../../../electron/endpoints/local-disk';
import { makeTempFolder, readTree, removeTempFolder, writeTree } from '../../support/tree';

const volumes = vi.hoisted(() => ({ apart: false }));

// One machine seldom has two volumes to test with. Names in the synced folder are then on another volume than all others.
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  const onOther = (path: unknown) => String(path).includes('/skills/');
  const across = (from: unknown, to: unknown) => volumes.apart && onOther(from) !== onOther(to);
  const crossing = () => Promise.reject(Object.assign(new Error('EXDEV: made by a test'), { code: 'EXDEV' }));
  return {
    ...real,
    rename: (from: string, to: string) => (across(from, to) ? crossing() : real.rename(from, to)),
    link: (from: string, to: string) => (across(from, to) ? crossing() : real.link(from, to)),
  };
});

let folder: string;
beforeEach(async () => {
  folder = await makeTempFolder('disk');
  await mkdir(join(folder, 'home'));
});
afterEach(() => removeTempFolder(folder));

const makeDisk = () =>
  createLocalDisk({
    home: join(folder, 'home'),
    stagingDir: join(folder, 'staging'),
    undoDir: join(folder, 'undo'),
    now: () => Date.now(),
  });
const mtime = 1_600_000_000_123;

describe.each([
  { where: 'on one volume', apart: false },
  { where: 'with a root on another volume', apart: true },
])('the local disk $where', ({ apart }) => {
  beforeEach(() => {
    volumes.apart = apart;
  });
  afterEach(() => {
    volumes.apart = false;
  });

  it('places staged content with its time and mode, over an old file or none', async () => {
    await writeTree(join(folder, 'home'), { 'skills/a.md': 'old' });
    const disk = makeDisk();
    for (const [name, path] of [
      ['1', 'skills/a.md'],
      ['2', 'skills/b.md'],
    ] as const) {
      const staged = await disk.stage(name, { mtime, executable: true });
      await staged.write(Buffer.from(`new ${name}`));
      await staged.finish();
      await disk.place(name, path);
    }
    expect(await readTree(join(folder, 'home', 'skills'))).toEqual(
      new Map([
        ['a.md', { kind: 'file', text: 'new 1', mode: 0o700, mtime }],
        ['b.md', { kind: 'file', text: 'new 2', mode: 0o700, mtime }],
      ]),
    );
    expect(await readdir(join(folder, 'staging'))).toEqual([]);
  });

  it('keeps copies and moved files whole, and puts them back', async () => {
    await writeTree(join(folder, 'home'), {
      'skills/a.md': { text: 'copied', mode: 0o640, mtime },
      'skills/b.md': { text: 'moved', mode: 0o755, mtime },
    });
    const before = await readTree(join(folder, 'home'));
    const disk = makeDisk();
    await disk.keepCopy('skills/a.md', 'a');
    await disk.keepMoved('skills/b.md', 'b');
    expect(await readTree(join(folder, 'undo'))).toEqual(
      new Map([
        ['a', { kind: 'file', text: 'copied', mode: 0o640, mtime }],
        ['b', { kind: 'file', text: 'moved', mode: 0o755, mtime }],
      ]),
    );
    expect([...(await readTree(join(folder, 'home', 'skills'))).keys()]).toEqual(['a.md']);
    await disk.putBack('a', 'skills/a.md');
    await disk.putBack('b', 'skills/b.md');
    expect([await readTree(join(folder, 'home')), await readdir(join(folder, 'undo'))]).toEqual([before, []]);
  });
});

describe('the local disk', () => {
  it('keeps a copy without reading it where a second name can be made', async () => {
    await writeTree(join(folder, 'home'), { 'skills/a.md': 'old' });
    await makeDisk().keepCopy('skills/a.md', 'a');
    expect((await lstat(join(folder, 'undo', 'a'))).ino).toBe((await lstat(join(folder, 'home/skills/a.md'))).ino);
  });

  it('removes empty folders only', async () => {
    await writeTree(join(folder, 'home'), { 'skills/full/a.md': 'x', 'skills/empty': { folder: true }, 'skills/link': { link: 'empty' } });
    const disk = makeDisk();
    const results = [];
    for (const path of ['skills/full', 'skills/link', 'skills/full/a.md', 'skills/gone', 'skills/empty'])
      results.push(await disk.removeEmptyFolder(path));
    expect(results).toEqual([false, false, false, false, true]);
    expect([...(await readTree(join(folder, 'home', 'skills'))).keys()]).toEqual(['full', 'full/a.md', 'link']);
  });
});
