import { lstat, mkdir, readdir, rename, rm, rmdir, utimes } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { AppError } from '../../shared/errors';
import { copyTree, sameTree } from './copy-tree';
import { createLocalReader } from './local-reader';
import { surveyRemain } from './local-remains';
import { backupsFolder, type Failures, folderOf, isPlain, type MoveOutcome, type PruneSide, surveyPath, surveyTree } from './prune-side';
import type { TreeReader } from './tree-reader';

export interface LocalPruneOptions {
  /** Absolute Hermes home. */
  readonly home: string;
  /** Folder that keeps what goes, one folder a run; best on the home's volume. */
  readonly store: string;
  readonly now: () => number;
}

/** This computer's side: its Hermes home, and by absolute paths what Hermes left in the temporary folder. The caller holds the home's locks while it moves. */
export function createLocalPruneSide({ home, store, now }: LocalPruneOptions): PruneSide {
  const at = (path: string): string => (isAbsolute(path) ? path : join(home, path));
  const look = (reader: TreeReader, path: string) => (isAbsolute(path) ? surveyRemain(reader, path) : surveyPath(reader, home, path));
  return {
    side: 'local',
    home,
    async survey(paths, signal) {
      const reader = createLocalReader(signal);
      const inHome = paths.filter((path) => !isAbsolute(path));
      const remains = await Promise.all(paths.filter((path) => isAbsolute(path)).map((path) => look(reader, path)));
      const survey = await surveyTree(reader, home, inHome);
      return { ...survey, entries: [...survey.entries, ...remains.filter((entry) => entry !== null)], clock: now() };
    },
    async move(run, items, signal): Promise<MoveOutcome> {
      const reader = createLocalReader(signal);
      for (const { path, stamp } of items) {
        if ((await look(reader, path))?.stamp !== stamp) return { kind: 'changed' };
      }
      const folder = join(store, run);
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
      } catch (error) {
        return { kind: 'refused', error: localFailure('make the folder', folder, error) };
      }
      const failed = new Map<string, string>();
      for (const { path, name } of items) await attempt(path, failed, () => shift(at(path), join(folder, name)));
      return { kind: 'moved', failed };
    },
    async restore(run, items, signal): Promise<Failures> {
      const failed = new Map<string, string>();
      for (const { path, name } of items) {
        await attempt(path, failed, async () => {
          const from = join(store, run, name);
          const isInPlace = await exists(at(path));
          if (!(await exists(from))) {
            // It never went, or is back already.
            if (isInPlace) return;
            throw new Obstacle('it is no longer kept');
          }
          if (isInPlace) throw new Obstacle('something else has its name now');
          const [root, up] = isAbsolute(path) ? [dirname(path), ''] : [home, folderOf(path)];
          if (up === backupsFolder && !(await exists(at(up)))) await mkdir(at(up)).catch(() => undefined);
          if (!(await isPlain(createLocalReader(signal), root, up))) throw new Obstacle('the folder that held it is gone');
          await shift(from, at(path));
        });
      }
      await rmdir(join(store, run)).catch(() => undefined);
      return failed;
    },
    kept: (run) => namesIn(join(store, run)),
    async drop(run) {
      const folder = join(store, run);
      await namesIn(folder);
      try {
        await rm(folder, { recursive: true, force: true });
      } catch (error) {
        throw localFailure('delete', folder, error);
      }
    },
    async close() {},
  };
}

async function namesIn(folder: string): Promise<ReadonlySet<string>> {
  try {
    const seen = await lstat(folder);
    if (!seen.isDirectory()) throw new Obstacle('it is not a folder');
    return new Set(await readdir(folder));
  } catch (error) {
    if (isMissing(error)) return new Set();
    throw localFailure('list', folder, error);
  }
}

function localFailure(operation: string, path: string, error: unknown): AppError {
  return new AppError('local.failed', { operation, path, reason: reasonOf(error) }, { cause: error });
}

/** What is in the way of one path, in words for the report. */
class Obstacle extends Error {}

async function attempt(path: string, failed: Map<string, string>, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    failed.set(path, reasonOf(error));
  }
}

/** Moves a folder whole: by one rename, and where that leads to another volume by a copy that is compared before the first is removed. */
async function shift(from: string, to: string): Promise<void> {
  const { atimeMs, mtimeMs } = await lstat(from);
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    const unfinished = join(dirname(to), `.ebbgate-new-${process.pid}-${basename(to)}`);
    try {
      await copyTree(from, unfinished);
      if (!(await sameTree(from, unfinished))) throw new Obstacle('its copy is not the same');
      await rename(unfinished, to);
    } catch (cause) {
      await rm(unfinished, { recursive: true, force: true });
      throw cause;
    }
    await rm(from, { recursive: true });
  }
  // Some disks take a move for a change of the folder. A time that is set loses its last digits, so it is only set then.
  if ((await lstat(to)).mtimeMs !== mtimeMs) await utimes(to, atimeMs / 1000, mtimeMs / 1000);
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: unknown) => !isMissing(error),
  );
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
