import type { Bridge, Envelope } from '../shared/contract';
import type { RemovedRun } from '../shared/plan';
import type { RunReport } from '../shared/run-report';

type PrunedSide = 'local' | 'both';

/** What the cards of restore points and leftovers ask for. */
export interface RestoreCalls {
  /** Changes nothing. Contacts the remote unless only this computer is asked about. */
  plan(connection: string, side: PrunedSide, keep: number): Promise<Envelope<RunReport>>;
  /** Carries out exactly that plan. */
  apply(connection: string, side: PrunedSide, keep: number, fingerprint: string): Promise<Envelope<RunReport>>;
  /** Contacts the remote; changes nothing. */
  planClean(connection: string): Promise<Envelope<RunReport>>;
  /** Removes `only` these paths of exactly that plan. */
  applyClean(connection: string, only: readonly string[], fingerprint: string): Promise<Envelope<RunReport>>;
  undo(connection: string, run: string): Promise<Envelope<RunReport>>;
  free(connection: string, run: string): Promise<Envelope<RunReport>>;
  removed(connection: string): Promise<Envelope<{ readonly runs: readonly RemovedRun[] }>>;
}

/** The calls over a bridge. Bridge calls never reject. */
export function createRestoreCalls(bridge: Bridge): RestoreCalls {
  return {
    plan: (connection, side, keep) => bridge.call('prune', { connection, side, keep, apply: false }),
    apply: (connection, side, keep, plan) => bridge.call('prune', { connection, side, keep, apply: true, plan }),
    planClean: (connection) => bridge.call('clean', { connection, side: 'both', only: [], all: false, apply: false }),
    applyClean: (connection, only, plan) => bridge.call('clean', { connection, side: 'both', only, all: false, apply: true, plan }),
    undo: (connection, run) => bridge.call('prune.undo', { connection, run }),
    free: (connection, run) => bridge.call('prune.free', { connection, run }),
    removed: (connection) => bridge.call('prune.removed', { connection }),
  };
}
