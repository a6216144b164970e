import type { BigIntStats } from 'node:fs';
import { chmod, mkdir, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLocalEndpoint, detectFolds } from '../../../electron/endpoints/local';
import { describeStats } from '../../../electron/endpoints/local-files';
import { AppError } from '../../../shared/errors';
import { listSkills, patience, plainRules } from '../../contract/contract-side';
import { createClock } from '../../support/clock';
import { folderHome, makeTempFolder, readTree, removeTempFolder, sha256, writeTree } from '../../support/tree';

let folder: string;
let home: string;
beforeEach(async () => {
  folder = await makeTempFolder('local-unit');
  home = join(folder, 'home');
  await mkdir(home);
});
afterEach(() => removeTempFolder(folder));

const open = (more: { readonly now?: () => number } = {}) =>
  createLocalEndpoint({ home, stagingDir: join(folder, 'staging'), undoDir: join(folder, 'undo'), now: () => Date.now(), ...more });

const request = (roots: readonly string[] = ['skills']) => ({ roots, rules: plainRules, memory: null });

describe('a stamp', () => {
  const start = 1_700_000_000_000;
  const stats = (ctime: number, mtime: number): BigIntStats =>
    ({
      size: 3n,
      mtimeNs: BigInt(mtime) * 1_000_000n,
      ctimeNs: BigInt(ctime) * 1_000_000n,
      ino: 7n,
      mode: 0o100644n,
      isFile: () => true,
      isDirectory: () => false,
      isSymbolicLink: () => false,
    }) as BigIntStats;

  it.each([
    { name: 'a change within the last tick', age: 20, ctime: start + 5, mtime: start, settled: false },
    { name: 'a change before the last tick', age: 21, ctime: start + 5, mtime: start, settled: true },
    { name: 'a change in the future', age: -1000, ctime: start + 5, mtime: start, settled: false },
    { name: 'whole seconds, within two', age: 2000, ctime: start, mtime: start - 5000, settled: false },
    { name: 'whole seconds, before that', age: 2001, ctime: start, mtime: start - 5000, settled: true },
    { name: 'only one of the times in whole seconds', age: 21, ctime: start, mtime: start - 5001, settled: true },
  ])('vouches as it should for $name', ({ age, ctime, mtime, settled }) => {
    expect(describeStats(stats(ctime, mtime), ctime + age).settled).toBe(settled);
  });

  it('is empty, and memory is not believed, while a write could hide', async () => {
    await writeTree(home, { 'skills/a.md': 'one' });
    const clock = createClock(Date.now() + 60_000);
    const later = await listSkills(open({ now: clock.now }));
    const memory = { token: null, entries: new Map([...later.entries].map(([path, entry]) => [path, { ...entry, hash: sha256('one') }])) };
    const early = await open({ now: () => 0 }).list({ ...request(), memory }, patience);
    expect([early.entries.get('skills/a.md')?.stamp, early.entries.get('skills/a.md')?.hash]).toEqual(['', null]);
    const settled = await open({ now: clock.now }).list({ ...request(), memory }, patience);
    expect(settled.entries.get('skills/a.md')?.hash).toBe(sha256('one'));
  });

  it('changes with a rename over, an edit of the same length and a change of mode', async () => {
    await writeTree(home, { 'skills/a.md': { text: 'one', mtime: start } });
    const tree = folderHome(home);
    const now = () => Date.now() + 60_000;
    const stamp = async () => (await listSkills(open({ now }))).entries.get('skills/a.md')?.stamp;
    const stamps = [await stamp(), await stamp()];
    expect(stamps[0]).toBe(stamps[1]);
    await tree.settle();
    await tree.stealthEdit('skills/a.md', 'two');
    stamps.push(await stamp());
    await tree.settle();
    await chmod(join(home, 'skills/a.md'), 0o600);
    stamps.push(await stamp());
    expect(new Set(stamps).size).toBe(3);
  });
});

describe('content', () => {
  it('is not read from pipes, sockets, folders or through links, and nothing waits', async () => {
    await writeTree(home, {
      'skills/pipe.md': { fifo: true },
      'skills/folder/x.md': 'x',
      'skills/a.md': 'plain',
      'skills/link.md': { link: 'a.md' },
    });
    const server = createServer().listen(join(home, 'skills/s.md'));
    await new Promise((resolve) => server.once('listening', resolve));
    const names = [
      'skills/pipe.md',
      'skills/s.md',
      'skills/folder',
      'skills/link.md',
      'skills/a.md/below',
      '../home/skills/a.md',
      'skills/a.md',
    ];
    try {
      expect(await open().hash(names, patience)).toEqual(new Map([['skills/a.md', sha256('plain')]]));
      const read: string[] = [];
      for await (const file of open().read(
        names.map((path) => ({ path, size: 5 })),
        patience,
      ))
        read.push(file.path);
      expect(read).toEqual(['skills/a.md']);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it('has the length that it had when it was opened', async () => {
    await writeTree(home, { 'skills/a.md': 'at first' });
    for await (const file of open().read([{ path: 'skills/a.md', size: 3 }], patience)) {
      await writeTree(home, { 'skills/a.md': 'at first, then it grew' });
      const chunks: Uint8Array[] = [];
      for await (const chunk of file.body) chunks.push(chunk);
      expect([file.size, Buffer.concat(chunks).toString()]).toEqual([8, 'at first']);
    }
  });
});

describe('the identity', () => {
  it('is private', async () => {
    await open().identify('me', patience);
    expect(await readTree(home)).toMatchObject(
      new Map<string, unknown>([
        ['.ebbgate', { kind: 'folder', mode: 0o700 }],
        ['.ebbgate/id', { kind: 'file', text: 'me', mode: 0o600 }],
      ]),
    );
  });

  it('is the same for two that write it at once', async () => {
    const written = await Promise.all(['one', 'two', 'three'].map((proposed) => open().identify(proposed, patience)));
    expect(new Set(written).size).toBe(1);
    expect((await listSkills(open())).identity).toBe(written[0]);
  });

  it('is not read or written through a link', async () => {
    await mkdir(join(folder, 'elsewhere'));
    await symlink(join(folder, 'elsewhere'), join(home, '.ebbgate'));
    const refusal = new AppError('local.failed', { operation: 'read', path: '.ebbgate/id', reason: 'it is no folder' });
    await expect(open().identify('me', patience)).rejects.toEqual(refusal);
    await rm(join(home, '.ebbgate'));
    await writeTree(folder, { 'elsewhere/id': 'not the marker', 'home/.ebbgate/id': { link: '../../elsewhere/id' } });
    await expect(listSkills(open())).rejects.toMatchObject({ code: 'local.failed' });
  });
});

describe('detectFolds', () => {
  it('asks the disk without writing to it', async () => {
    await writeTree(home, { 'skills/a.md': 'x', '123/b.md': 'y' });
    const before = await readTree(folder);
    const folds = await detectFolds(home);
    const there = await readTree(folder);
    expect(there).toEqual(before);
    const takesSwapped = await readTree(join(home, 'SKILLS')).then(
      () => true,
      () => false,
    );
    expect(folds).toEqual({ case: takesSwapped, unicode: process.platform === 'darwin' });
  });

  it('is not misled by a second folder whose name differs by case', async () => {
    await writeTree(home, { 'skills/a.md': 'x' });
    if (await detectFolds(home).then((folds) => folds.case)) return;
    await writeTree(home, { 'SKILLS/a.md': 'another folder' });
    expect((await detectFolds(home)).case).toBe(false);
  });

  it('asks the folders above while there is no home', async () => {
    expect(await detectFolds(join(home, 'not', 'there'))).toEqual(await detectFolds(home));
  });
});
