import { spawnSync } from 'node:child_process';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLocalReader } from '../../../electron/hygiene/local-reader';
import { surveyRemain } from '../../../electron/hygiene/local-remains';
import { createLocalPruneSide } from '../../../electron/hygiene/prune-local';
import type { Leaving } from '../../../electron/hygiene/prune-side';
import { makeTempFolder, readTree, removeTempFolder, writeTree } from '../../support/tree';

const never = new AbortController().signal;
const run = '2026-11-30T12-00-00-000Z-abcdef';
/** The number of a process that ended. */
const gone = spawnSync(process.execPath, ['-e', '']).pid;
const name = `hermes-sync-back-${gone}-ab`;
const content = { text: 'twelve bytes', mtime: 1_700_000_000_000 };

let folder: string;
beforeEach(async () => {
  folder = await makeTempFolder('remains');
  await writeTree(folder, { [`tmp/${name}/part.tar`]: content, home: { folder: true }, data: { folder: true } });
});
afterEach(() => removeTempFolder(folder));

const at = (path: string) => join(folder, 'tmp', path);
const survey = (path: string) => surveyRemain(createLocalReader(never), at(path));

describe('what a sync-back of Hermes left', () => {
  it('is named by its absolute path, with all that lies in it', async () => {
    expect(await survey(name)).toMatchObject({ path: at(name), kind: 'folder', files: 1, bytes: 12, stamp: expect.any(String) });
  });

  it.each([
    ['whose process runs', `hermes-sync-back-${process.pid}-ab`],
    ['of another name', 'hermes-sync-back-notes'],
  ])('is nothing %s', async (_, other) => {
    await writeTree(folder, { [`tmp/${other}/part.tar`]: content });
    expect(await survey(other)).toBeNull();
  });

  it('is never what a link leads to', async () => {
    await writeTree(folder, { [`tmp/${name}-link`]: { link: name } });
    expect(await survey(`${name}-link`)).toMatchObject({ kind: 'link', stamp: null });
  });
});

describe('moving it away', () => {
  const side = () => createLocalPruneSide({ home: join(folder, 'home'), store: join(folder, 'data/pruned'), now: Date.now });
  const items = async (): Promise<readonly Leaving[]> => [{ path: at(name), stamp: (await survey(name))?.stamp ?? '', name: `0.${name}` }];

  it('keeps it in the store, from where it comes back', async () => {
    const before = await readTree(folder);
    const leaving = await items();
    expect(await side().move(run, leaving, never)).toEqual({ kind: 'moved', failed: new Map() });
    expect([...(await readTree(folder)).keys()]).toContain(`data/pruned/${run}/0.${name}/part.tar`);
    expect(await side().restore(run, leaving, never)).toEqual(new Map());
    expect((await readTree(join(folder, 'tmp'))).get(`${name}/part.tar`)).toEqual(before.get(`tmp/${name}/part.tar`));
  });

  it.each([
    ['another folder with the same in it', { [`tmp/${name}/part.tar`]: content }],
    ['a link', { [`tmp/${name}`]: { link: 'aside' } }],
    ['a file', { [`tmp/${name}`]: content }],
  ])('moves nothing when %s took its name', async (_, tree) => {
    const leaving = await items();
    await rename(at(name), at('aside'));
    await writeTree(folder, tree);
    const before = await readTree(folder);
    expect(await side().move(run, leaving, never)).toEqual({ kind: 'changed' });
    expect(await readTree(folder)).toEqual(before);
  });
});
