import { createHash } from 'node:crypto';
import { mkdir, realpath } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { AppError, isAppError } from '../../shared/errors';
import { type OwnerLock, takeOwnerLock } from '../store/owner-lock';
import { takeSyncLock } from './sync-lock';

/** How often a held home is asked for again, and for how long, in milliseconds. */
const askAgainMs = 200;
const patienceMs = 30_000;

export interface HomeLock {
  release(): Promise<void>;
}

/**
 * Keeps every other run, of any Ebbgate of this user with whatever data folder, out of a local Hermes home; and Hermes itself where
 * local files will be written. Waits for a holder, then `run.busy`.
 */
export async function lockHome(home: string, writesLocal: boolean, signal: AbortSignal): Promise<HomeLock> {
  const own = await takeOurs(home, signal);
  try {
    const hermes = writesLocal ? await takeSyncLock(home, signal, { patienceMs }) : null;
    return {
      release: async () => {
        await hermes?.release();
        await own.release();
      },
    };
  } catch (error) {
    await own.release();
    throw error;
  }
}

/** Our own lock lies outside the home, so that looking at a home changes nothing in it. */
async function takeOurs(home: string, signal: AbortSignal): Promise<OwnerLock> {
  const real = await realpath(home).catch(() => home);
  const name = createHash('sha256').update(real).digest('hex').slice(0, 32);
  const folder = join(tmpdir(), `ebbgate-${userInfo().uid}`, 'homes', name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (let waited = 0; ; waited += askAgainMs) {
    try {
      return await takeOwnerLock(folder);
    } catch (error) {
      if (!isAppError(error, 'store.busy')) throw error;
      const holder = `another Ebbgate (process ${error.details.pid}) works in this Hermes home`;
      if (waited >= patienceMs) throw new AppError('run.busy', { connection: home, holder }, { cause: error });
    }
    await new Promise((resolve) => setTimeout(resolve, askAgainMs));
    if (signal.aborted) throw new AppError('run.cancelled', {});
  }
}
