import type { Connection } from '../../shared/connection';
import { showAddress } from '../../shared/connection';
import type { ConnectionState, ConnectionView, Progress } from '../../shared/contract';
import { isOffline } from '../../shared/errors';
import type { RunReport } from '../../shared/run-report';
import type { Session } from '../../shared/session';

/** Everything a connection's view is made of, all of it stored facts. */
export interface ConnectionFacts {
  readonly connection: Connection;
  readonly session: Session | null;
  readonly lastRun: RunReport | null;
  readonly lastTeardown: RunReport | null;
  readonly waiting: number;
  readonly running: boolean;
  readonly progress: Progress | null;
}

/** One state a connection, derived once. */
export function stateOf({
  running,
  waiting,
  lastRun,
  session,
}: Omit<ConnectionFacts, 'connection' | 'lastTeardown' | 'progress'>): ConnectionState {
  if (running) return 'working';
  if (waiting > 0) return 'needs-you';
  if (lastRun?.outcome === 'failed') return isOffline(lastRun.error?.code ?? '') ? 'offline' : 'needs-you';
  if (lastRun !== null && lastRun.outcome !== 'done' && lastRun.outcome !== 'held') return 'needs-you';
  return session?.state === 'pending' ? 'needs-you' : 'ready';
}

/** The view of one connection. */
export function viewOf(facts: ConnectionFacts): ConnectionView {
  const { connection, session, lastRun, lastTeardown, waiting, progress } = facts;
  return {
    id: connection.id,
    name: connection.name,
    address: showAddress(connection.address),
    roots: connection.roots,
    localHome: connection.localHome,
    state: stateOf(facts),
    session,
    lastTeardown,
    lastRun,
    needsYou: waiting,
    progress,
  };
}
