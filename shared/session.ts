/** The states of a session. A pending one wanted to end and could not; it is offered first at the next start. */
export type SessionState = 'starting' | 'open' | 'ending' | 'pending';

/** One period of working through a connection, from push to sync-back. */
export interface Session {
  readonly connection: string;
  readonly state: SessionState;
  /** ISO 8601. */
  readonly startedAt: string;
}
