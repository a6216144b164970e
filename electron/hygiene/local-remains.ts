import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isRunning } from '../platform/processes';
import { type FoundLeftover, syncBackOwner } from './leftovers';
import { type SurveyedEntry, surveyPath } from './prune-side';
import type { TreeReader } from './tree-reader';

/** What killed sync-backs of Hermes left in the temporary folder, apart from those whose process still runs. */
export async function findRemains(reader: TreeReader, folder: string): Promise<readonly FoundLeftover[]> {
  const listed = await reader.list(folder);
  if (typeof listed === 'string') return [];
  const left: FoundLeftover[] = [];
  for (const { name } of listed) {
    const found = await surveyRemain(reader, join(folder, name));
    if (found !== null) left.push({ path: found.path, bytes: found.bytes, cause: 'sync-back' });
  }
  return left;
}

/**
 * One of them as it lies there now, named by its absolute path. Null when it is none: it has another name, belongs to another user,
 * or a process with its number runs, which may be its own.
 */
export async function surveyRemain(reader: TreeReader, path: string): Promise<SurveyedEntry | null> {
  const owner = syncBackOwner(basename(path));
  if (owner === null || (await isRunning({ pid: owner, start: null }))) return null;
  const stats = await lstat(path).catch(() => null);
  // Windows knows no owner.
  if (stats === null || (process.getuid !== undefined && stats.uid !== process.getuid())) return null;
  const entry = await surveyPath(reader, dirname(path), basename(path));
  if (entry === null) return null;
  // What took its name meanwhile is something else, even with the same in it.
  const identity = `${stats.dev}:${stats.ino}:${stats.birthtimeMs} ${entry.stamp}`;
  return { ...entry, path, stamp: entry.stamp === null ? null : createHash('sha256').update(identity).digest('hex') };
}
