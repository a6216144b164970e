import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copyTree, sameTree } from '../../../electron/hygiene/copy-tree';
import { makeTempFolder, readTree, removeTempFolder, writeTree } from '../../support/tree';

describe('copying a folder to another volume', () => {
  let folder: string;
  const at = (name: string): string => join(folder, name);
  beforeEach(async () => {
    folder = await makeTempFolder('copy');
    await writeTree(folder, {
      'one/skills.tar.gz': { text: 'archive', mode: 0o640, mtime: 1_700_000_000_000 },
      'one/run.sh': { text: '#!/bin/sh', executable: true },
      'one/inner/empty': { folder: true, mode: 0o750 },
      'one/inner/link': { link: '../run.sh' },
    });
  });
  afterEach(() => removeTempFolder(folder));

  it('keeps names, contents, modes, links and times', async () => {
    await copyTree(at('one'), at('two'));
    expect(await readTree(at('two'))).toEqual(await readTree(at('one')));
    expect(Math.abs(lstatSync(at('two/inner')).mtimeMs - lstatSync(at('one/inner')).mtimeMs)).toBeLessThan(0.01);
    expect(await sameTree(at('one'), at('two'))).toBe(true);
  });

  it.each([
    ['a content', { 'two/run.sh': { text: '#!/bin/sX', executable: true } }],
    ['a name', { 'two/another': '' }],
    ['a mode', { 'two/skills.tar.gz': { text: 'archive', mode: 0o600 } }],
  ] as const)('is not taken for the same when %s differs', async (_, change) => {
    await copyTree(at('one'), at('two'));
    await writeTree(folder, change);
    expect(await sameTree(at('one'), at('two'))).toBe(false);
  });

  it('refuses what is neither a file, a folder nor a link', async () => {
    await writeTree(folder, { 'one/pipe': { fifo: true } });
    await expect(copyTree(at('one'), at('two'))).rejects.toThrow('neither a file nor a folder');
  });
});
