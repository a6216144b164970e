import type { Bridge, Envelope } from '../shared/contract';
import type { RemovedRun } from '../shared/plan';
import type { RunReport } from '../shared/run-report';

/** What the restore points' card asks for. */
export interface RestoreCalls {
  /** Contacts the remote; changes nothing. */
  plan(connection: string, keep: number): Promise<Envelope<RunReport>>;
  /** Carries out exactly that plan. */
  apply(connection: string, keep: number, fingerprint: string): Promise<Envelope<RunReport>>;
  undo(connection: string, run: string): Promise<Envelope<RunReport>>;
  free(connection: string, run: string): Promise<Envelope<RunReport>>;
  removed(connection: string): Promise<Envelope<{ readonly runs: readonly RemovedRun[] }>>;
}

/** The calls over a bridge. Bridge calls never reject. */
export function createRestoreCalls(bridge: Bridge): RestoreCalls {
  return {
    plan: (connection, keep) => bridge.call('prune', { connection, side: 'both', keep, apply: false }),
    apply: (connection, keep, plan) => bridge.call('prune', { connection, side: 'both', keep, apply: true, plan }),
    undo: (connection, run) => bridge.call('prune.undo', { connection, run }),
    free: (connection, run) => bridge.call('prune.free', { connection, run }),
    removed: (connection) => bridge.call('prune.removed', { connection }),
  };
}
