import type { Connection, FailedTest } from '../../shared/connection';
import { showAddress } from '../../shared/connection';
import type { ConnectionState, ConnectionView, LinkView, Progress } from '../../shared/contract';
import { isOffline } from '../../shared/errors';
import type { GuardEvent, HomeWatching } from '../../shared/guard';
import type { RunReport } from '../../shared/run-report';
import type { Session } from '../../shared/session';

/** Everything a connection's view is made of, all of it stored facts. */
export interface ConnectionFacts {
  readonly connection: Connection;
  readonly session: Session | null;
  readonly link: LinkView | null;
  readonly lastRun: RunReport | null;
  readonly lastTeardown: RunReport | null;
  /** Inbox items that wait. */
  readonly waiting: number;
  /** What guard mode found and nobody decided about. */
  readonly guard: readonly GuardEvent[];
  readonly watch: HomeWatching;
  readonly failedTest: FailedTest | null;
  readonly remembers: boolean;
  /** What an open question of the connection is about; the first of several. */
  readonly asks: ConnectionView['asks'];
  readonly running: boolean;
  /** Ebbgate does nothing by itself. */
  readonly paused: boolean;
  readonly progress: Progress | null;
}

type StateFacts = Omit<ConnectionFacts, 'connection' | 'lastTeardown' | 'watch' | 'remembers' | 'progress'>;

/** One state a connection, derived once. A pause is told where there is nothing else to tell. */
export function stateOf(facts: StateFacts): ConnectionState {
  const state = ownState(facts);
  return facts.paused && state === 'ready' ? 'paused' : state;
}

function ownState({ asks, failedTest, running, waiting, guard, lastRun, session, link }: StateFacts): ConnectionState {
  if (asks !== null) return 'needs-you';
  if (running) return 'working';
  if (waiting + guard.length > 0) return 'needs-you';
  if (link?.state === 'paused') return 'needs-you';
  if (link?.state === 'lost') return 'offline';
  const failure = lastRun?.outcome === 'failed' ? (lastRun.error?.code ?? '') : null;
  // That the remote was away once says nothing once it is back.
  if (failure !== null && !(isOffline(failure) && link !== null)) return isOffline(failure) ? 'offline' : 'needs-you';
  if (failure === null && lastRun !== null && lastRun.outcome !== 'done' && lastRun.outcome !== 'held') return 'needs-you';
  if (session?.state === 'pending') return 'needs-you';
  if (failedTest !== null) return failedTest.check === 'reach' ? 'offline' : 'needs-you';
  return 'ready';
}

/** The view of one connection. */
export function viewOf(facts: ConnectionFacts): ConnectionView {
  const { connection, session, link, lastRun, lastTeardown, waiting, guard, watch, failedTest, remembers, asks, progress } = facts;
  return {
    id: connection.id,
    name: connection.name,
    address: showAddress(connection.address),
    roots: connection.roots,
    localHome: connection.localHome,
    state: stateOf(facts),
    session,
    link,
    lastTeardown,
    lastRun,
    needsYou: waiting + guard.length,
    guard,
    watch,
    failedTest,
    remembers,
    asks,
    progress,
  };
}
