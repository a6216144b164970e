import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { RuleOptions } from '../../shared/rules';

/** The name with the case of every letter exchanged. */
function swapCase(name: string): string {
  return [...name].map((letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase())).join('');
}

/** Whether the folder takes `name` and its case-swapped form for one; null when the name has no letters or is not there. */
async function foldsName(folder: string, name: string): Promise<boolean | null> {
  const swapped = swapCase(name);
  // Letters whose swapped form has another length (`ß`) say nothing.
  if (swapped === name || swapped.length !== name.length) return null;
  const there = await stat(join(folder, name), { bigint: true }).catch(() => null);
  if (there === null) return null;
  const other = await stat(join(folder, swapped), { bigint: true }).catch(() => null);
  return other !== null && other.ino === there.ino && other.dev === there.dev;
}

/**
 * How the disk under the home compares names, asked of names that exist already; nothing is written. Names inside the home come
 * first, since the home may be where a volume begins.
 */
export async function detectFolds(home: string): Promise<RuleOptions['folds']> {
  const isMac = process.platform === 'darwin';
  const inside = await readdir(home).catch(() => []);
  for (const name of inside) {
    const folds = await foldsName(home, name);
    if (folds !== null) return { case: folds, unicode: isMac };
  }
  for (let folder = home; folder !== dirname(folder); folder = dirname(folder)) {
    const folds = await foldsName(dirname(folder), basename(folder));
    if (folds !== null) return { case: folds, unicode: isMac };
  }
  return { case: isMac || process.platform === 'win32', unicode: isMac };
}
