import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { createLocalEndpoint } from '../../../electron/endpoints/local';
import { createLocalDisk } from '../../../electron/endpoints/local-disk';
import { applyChanges } from '../../../electron/engine/apply';
import type { Disk } from '../../../electron/engine/disk';
import type { Change, Listing } from '../../../electron/engine/endpoint';
import { incoming, outcomes, patience, remove, scanSkills, write } from '../../contract/contract-side';
import { contentsOf, makeTempFolder, readTree, removeTempFolder, type Tree } from '../../support/tree';

/** The folder of the running test, and the Hermes home in it. */
export let folder: string;
export let home: string;

/** Gives every test of the calling file a home of its own. */
export function eachWithItsOwnHome(): void {
  beforeEach(async () => {
    folder = await makeTempFolder('apply');
    home = join(folder, 'home');
    await mkdir(home);
  });
  afterEach(() => removeTempFolder(folder));
}

export const options = () => ({ home, stagingDir: join(folder, 'staging'), undoDir: join(folder, 'undo'), now: () => Date.now() });
export const scan = () => scanSkills(createLocalEndpoint(options()));
export const kept = async () => contentsOf(await readTree(join(folder, 'undo')).catch(() => new Map()));
export const texts = async () => contentsOf(await readTree(home));

export async function apply(
  changes: readonly Change[],
  contents: Readonly<Record<string, string>> = {},
  disk: Disk = createLocalDisk(options()),
) {
  return outcomes(await applyChanges(disk, { changes, contents: incoming(contents) }, patience));
}

/** A skill that is updated in every way at once, and a file beside it that stands alone. */
export const oldTree: Tree = {
  'skills/a/SKILL.md': { text: 'old skill', mtime: 1_600_000_000_000 },
  'skills/a/run.sh': { text: 'old script text', mode: 0o640, mtime: 1_600_000_001_000 },
  'skills/a/sub/gone.md': { text: 'goes away', mtime: 1_600_000_002_000 },
  'skills/b.md': { text: 'old b', mtime: 1_600_000_003_000 },
};
export const newContents = {
  'skills/a/SKILL.md': 'newer skill',
  'skills/a/run.sh': '#!/bin/sh',
  'skills/a/new/deep.md': 'created',
  'skills/b.md': 'newer b text',
};

export function skillChanges(listing: Listing): readonly Change[] {
  const update = (path: keyof typeof newContents, executable = false, group: string | null = 'a') =>
    write(path, newContents[path], { expected: listing.entries.get(path) ?? null, executable, ...(group === null ? {} : { group }) });
  return [
    update('skills/a/SKILL.md'),
    update('skills/a/run.sh', true),
    update('skills/a/new/deep.md'),
    remove('skills/a/sub/gone.md', listing, 'a'),
    update('skills/b.md', false, null),
  ];
}
