import { isAppError } from '../../shared/errors';

/** How long another process, such as a command that is just ending, may keep the data folder. */
export const patienceMs = 10_000;
const pauseMs = 250;

/** Waits for its turn when the data folder is in use; every other failure, and a wait that is too long, is the caller's. */
export async function composeInTurn<T>(compose: () => Promise<T>, pause: (ms: number) => Promise<void>): Promise<T> {
  for (let waited = 0; ; waited += pauseMs) {
    try {
      return await compose();
    } catch (error) {
      if (!isAppError(error, 'store.busy') || waited >= patienceMs) throw error;
    }
    await pause(pauseMs);
  }
}
