import type { Session } from '../../shared/session';
import type { StateFile } from './state-file';

/** The sessions that are not over, at most one for each connection. */
export interface SessionStore {
  list(): readonly Session[];
  get(connection: string): Session | null;
  /** Adds the session, or replaces the one of the same connection. */
  put(session: Session): Promise<void>;
  /** Forgets the connection's session; nothing happens when there is none. */
  remove(connection: string): Promise<void>;
}

/** A view on the state file. */
export function sessionStore(file: StateFile): SessionStore {
  return {
    list: () => file.state.sessions,
    get: (connection) => file.state.sessions.find((session) => session.connection === connection) ?? null,
    put: (session) =>
      file.update((draft) => {
        draft.sessions = [...draft.sessions.filter(({ connection }) => connection !== session.connection), { ...session }];
      }),
    remove: (connection) =>
      file.update((draft) => {
        draft.sessions = draft.sessions.filter((session) => session.connection !== connection);
      }),
  };
}

/** Whether work goes on in it. One whose end is only due has nobody at work: the remote may be gone for good. */
export function isUnderWay(session: Session | null): boolean {
  return session !== null && session.state !== 'pending';
}
