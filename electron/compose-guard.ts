import { join } from 'node:path';
import { isAppError } from '../shared/errors';
import { createGuard, type GuardDeps, type Guarding } from './app/guard';
import { guardRecords } from './app/guard-records';
import { homeOf, rulesFor } from './compose-local';
import { lockHome } from './hermes/home-lock';
import { takeSyncLock } from './hermes/sync-lock';
import type { EventHub } from './ipc/gate';

/** Milliseconds in which a lock that is free can be taken. */
const patienceMs = 1000;

export type GuardSurroundings = Pick<GuardDeps, 'state' | 'history' | 'growth' | 'runs' | 'connections' | 'isOn'> & {
  readonly dataDir: string;
  readonly events: EventHub;
};

/** Guard mode over one data folder. */
export function composeGuard({ dataDir, events, ...surroundings }: GuardSurroundings): Guarding {
  const guard = createGuard({
    ...surroundings,
    records: guardRecords(join(dataDir, 'guard')),
    copies: join(dataDir, 'hub-lock'),
    homeOf,
    rulesFor,
    isHeld,
    lockHome: (home, signal) => lockHome(home, true, signal),
    // Loaded when somebody watches: most commands never do.
    watchHome: async (request) => (await import('./hygiene/watch')).watchHome(request),
    changed: () => events.emit({ event: 'changed', data: {} }),
    now: Date.now,
  });
  // A run that ended, a connection that came, a setting: each may change what is watched.
  events.overhear(({ event }) => {
    if (event !== 'progress') guard.refresh();
  });
  return guard;
}

async function isHeld(home: string): Promise<boolean> {
  try {
    await (await takeSyncLock(home, new AbortController().signal, { patienceMs }))?.release();
    return false;
  } catch (error) {
    if (isAppError(error, 'run.busy')) return true;
    throw error;
  }
}
