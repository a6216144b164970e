import { execFileSync } from 'node:child_process';
import type { BigIntStats } from 'node:fs';
import { chmod, mkdir, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLocalEndpoint, detectFolds } from '../../../electron/endpoints/local';
import { describeStats } from '../../../electron/endpoints/local-files';
import { type WalkFiles, walkFiles } from '../../../electron/endpoints/local-walk';
import { AppError } from '../../../shared/errors';
import { createRules } from '../../../shared/rules';
import { listSkills, patience, plainRules } from '../../contract/contract-side';
import { createClock } from '../../support/clock';
import { systemError } from '../../support/faulty-disk';
import { folderHome, makeTempFolder, readTree, removeTempFolder, sha256, writeTree } from '../../support/tree';

let folder: string;
let home: string;
beforeEach(async () => {
  folder = await makeTempFolder('local-unit');
  home = join(folder, 'home');
  await mkdir(home);
});
afterEach(() => removeTempFolder(folder));

const open = (more: { readonly now?: () => number; readonly files?: WalkFiles } = {}) =>
  createLocalEndpoint({ home, stagingDir: join(folder, 'staging'), undoDir: join(folder, 'undo'), now: () => Date.now(), ...more });

/** File calls that fail for paths ending in `suffix`. */
function failing(call: keyof WalkFiles, suffix: string, code: string): WalkFiles {
  const files: WalkFiles = { ...walkFiles };
  return { ...files, [call]: async (path: string) => (path.endsWith(suffix) ? Promise.reject(systemError(code)) : files[call](path)) };
}

const request = (roots: readonly string[] = ['skills']) => ({ roots, rules: plainRules, memory: null });

describe('a walk', () => {
  it.each(['EACCES', 'EPERM', 'EIO', 'ENOTDIR', 'ELOOP'])('takes a folder that fails with %s for unknown', async (code) => {
    await writeTree(home, { 'skills/a/SKILL.md': 'read', 'skills/bad/SKILL.md': 'not read' });
    const listing = await listSkills(open({ files: failing('readdir', '/bad', code) }));
    expect([[...listing.entries.keys()], listing.unreadable]).toEqual([['skills/a/SKILL.md'], ['skills/bad']]);
  });

  it.each(['EACCES', 'EIO'])('takes a file that fails with %s for unknown', async (code) => {
    await writeTree(home, { 'skills/a.md': 'read', 'skills/bad.md': 'not read' });
    const listing = await listSkills(open({ files: failing('lstat', '/bad.md', code) }));
    expect([[...listing.entries.keys()], listing.unreadable]).toEqual([['skills/a.md'], ['skills/bad.md']]);
  });

  it('takes what vanishes under it for gone', async () => {
    await writeTree(home, { 'skills/a.md': 'read', 'skills/file.md': 'vanishes', 'skills/folder/x.md': 'vanishes' });
    const vanishing: WalkFiles = { ...failing('lstat', '/file.md', 'ENOENT'), readdir: failing('readdir', '/folder', 'ENOENT').readdir };
    const listing = await listSkills(open({ files: vanishing }));
    expect([[...listing.entries.keys()], listing.unreadable]).toEqual([['skills/a.md'], []]);
  });

  it('takes a root that is a file, a dangling link or unreadable for unknown, never for missing', async () => {
    await writeTree(home, { file: 'no folder', dangling: { link: 'nowhere' }, 'locked/a.md': 'x' });
    const listing = await open({ files: failing('stat', '/locked', 'EACCES') }).list(
      request(['file', 'dangling', 'locked', 'absent']),
      patience,
    );
    expect([listing.missingRoots, listing.unreadable]).toEqual([['absent'], ['dangling', 'file', 'locked']]);
  });

  it('lists names that are no valid UTF-8 so that the rules refuse them', async () => {
    await writeTree(home, { 'skills/a.md': 'plain' });
    execFileSync('/bin/sh', [
      '-c',
      'cd "$1" && printf x > "$(printf "bad\\377.md")" && mkdir "$(printf "dir\\376")" && printf y > "$(printf "dir\\376")/in.md"',
      'sh',
      join(home, 'skills'),
    ]);
    const { entries, unreadable } = await listSkills(open());
    expect([...entries.keys()]).toEqual(['skills/a.md', 'skills/bad\ufffd.md']);
    expect(plainRules.judge('skills/bad\ufffd.md', 'file')).toMatchObject({ kind: 'refused', rule: 'unstorable-name' });
    expect(unreadable).toEqual([]);
  });

  it('does not read a folder that the rules refuse, not even its names', async () => {
    await writeTree(home, { 'skills/a/SKILL.md': 'in', 'skills/a/.git/config': 'out', 'skills/.hub/x': 'out' });
    const read: string[] = [];
    const readdir: WalkFiles['readdir'] = (path) => {
      read.push(path.slice(home.length + 1));
      return walkFiles.readdir(path);
    };
    await listSkills(open({ files: { ...walkFiles, readdir } }));
    expect(read.sort()).toEqual(['skills', 'skills/a']);
  });

  it('lists a thousand folders completely', async () => {
    const tree = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`skills/s${index % 40}/d${index}/f.md`, `${index}`]));
    await writeTree(home, tree);
    expect([...(await listSkills(open())).entries.keys()]).toEqual(Object.keys(tree).sort());
  });

  it('refuses a root outside the home', async () => {
    await writeTree(folder, { 'outside/a.md': 'x', 'home/skills/a.md': 'y' });
    const listing = await open().list(request(['../outside']), patience);
    expect([listing.entries.size, listing.unreadable]).toEqual([0, ['../outside']]);
  });

  it('knows the free bytes even before there is a home', async () => {
    home = join(home, 'not', 'yet');
    const listing = await open().list(request(), patience);
    expect(listing.missingRoots).toEqual(['skills']);
    expect(listing.freeBytes).toBeGreaterThan(0);
  });
});

describe('totals', () => {
  it('say that they are incomplete when a part cannot be counted', async () => {
    await writeTree(home, { 'skills/.hub/a/x': '123', 'skills/.hub/b/y': '12345' });
    const totals = await open({ files: failing('readdir', '.hub/a', 'EACCES') }).totals(request(), patience);
    expect(totals).toEqual({ byTree: new Map([['.hub', { files: 1, bytes: 5 }]]), complete: false });
  });

  it('count folders that a user rule refuses under their own name', async () => {
    await writeTree(home, { 'skills/a/dist/x.js': '1234', 'skills/a/SKILL.md': 'in' });
    const matches = (path: string, isDirectory: boolean) => (isDirectory && path.endsWith('/dist') ? 'dist/' : null);
    const rules = createRules({ platform: 'posix', folds: { case: false, unicode: false }, userRules: { patterns: ['dist/'], matches } });
    const totals = await open().totals({ roots: ['skills'], rules }, patience);
    expect(totals.byTree).toEqual(new Map([['dist', { files: 1, bytes: 4 }]]));
  });
});

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
