import { setTimeout as delay } from 'node:timers/promises';
import type { AppEvent } from '../../shared/contract';
import { isAppError } from '../../shared/errors';
import type { ComposedApp } from '../ipc/host';
import type { CliDeps } from './deps';

const pauseMs = 100;

/**
 * The application for one command: the running one when the data folder has an owner that answers, else one composed here.
 * An owner that is just starting or ending is waited for; then it is `store.busy`. `onLost` hears when the running one ends.
 */
export async function openApp(
  deps: CliDeps,
  folders: Parameters<CliDeps['compose']>[0],
  onLost: () => void = () => undefined,
): Promise<ComposedApp> {
  for (let waited = 0; ; waited += pauseMs) {
    const owner = await deps.connect(folders.dataDir);
    if (owner !== null) {
      owner.onLost(onLost);
      return {
        // Whoever owns the links notices by itself.
        resumed: () => undefined,
        dispatch: (name, params) => owner.dispatch(name, params),
        listen: (listener) => owner.listen(listener),
        dispose: async () => owner.close(),
      };
    }
    try {
      return await deps.compose({ ...folders, listen: sayRecovery(deps) });
    } catch (error) {
      if (!isAppError(error, 'store.busy') || waited >= deps.busyWaitMs) throw error;
    }
    await delay(pauseMs);
  }
}

/** Says once, where somebody looks on, that what an interrupted run left is looked after before anything else. */
function sayRecovery(deps: CliDeps): (event: AppEvent) => void {
  let isSaid = !deps.showsProgress;
  return ({ event, data }) => {
    if (isSaid || event !== 'progress' || data.phase !== 'recovering') return;
    isSaid = true;
    deps.stderr('Looking after an interrupted run…\n');
  };
}
