import { execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLocalEndpoint } from '../../../electron/endpoints/local';
import { type WalkFiles, walkFiles } from '../../../electron/endpoints/local-walk';
import { createRules } from '../../../shared/rules';
import { listSkills, patience, plainRules } from '../../contract/contract-side';
import { systemError } from '../../support/faulty-disk';
import { makeTempFolder, removeTempFolder, writeTree } from '../../support/tree';

let folder: string;
let home: string;
beforeEach(async () => {
  folder = await makeTempFolder('local-unit');
  home = join(folder, 'home');
  await mkdir(home);
});
afterEach(() => removeTempFolder(folder));

const open = (more: { readonly files?: WalkFiles } = {}) =>
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
    const endpoint = open({ files: failing('readdir', '.hub/a', 'EACCES') });
    await endpoint.list(request(), patience);
    const totals = await endpoint.totals(request(), patience);
    expect(totals).toEqual({ byTree: new Map([['.hub', { files: 1, bytes: 5 }]]), complete: false });
  });

  it('count folders that a user rule refuses under their own name', async () => {
    await writeTree(home, { 'skills/a/dist/x.js': '1234', 'skills/a/SKILL.md': 'in' });
    const matches = (path: string, isDirectory: boolean) => (isDirectory && path.endsWith('/dist') ? 'dist/' : null);
    const rules = createRules({ platform: 'posix', folds: { case: false, unicode: false }, userRules: { patterns: ['dist/'], matches } });
    const endpoint = open();
    await endpoint.list({ roots: ['skills'], rules, memory: null, counts: true }, patience);
    const totals = await endpoint.totals({ roots: ['skills'], rules }, patience);
    expect(totals.byTree).toEqual(new Map([['dist', { files: 1, bytes: 4 }]]));
  });
});
