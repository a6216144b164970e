import { lstat } from 'node:fs/promises';
import { join } from 'node:path';

/** Hermes holds an flock on it while it syncs back (tools/environments/file_sync.py). */
export const syncLockName = '.sync.lock';

/** What newer versions of Hermes leave when a sync-back did not finish. */
const unfinishedNames = ['.sync-back-pending', '.sync-back-intent.json'] as const;

/** The name of what an unfinished sync-back of Hermes left in the home; null when there is nothing. */
export async function unfinishedSyncBack(home: string): Promise<string | null> {
  for (const name of unfinishedNames) if (await isThere(join(home, name))) return name;
  return null;
}

/** Whether something has that name; what cannot be looked at counts as there. */
export async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT' && error.code !== 'ENOTDIR',
  );
}
