import type { Connection } from '../../shared/connection';
import { AppError } from '../../shared/errors';
import type { StateFile } from './state-file';

/** The saved connections, in the order in which they were added. */
export interface ConnectionStore {
  list(): readonly Connection[];
  /** Fails with `connection.exists` when a name or id is taken, in whatever case it is written. */
  add(connection: Connection): Promise<void>;
  /** Removes a connection with its session and decisions; false when there was none. */
  remove(id: string): Promise<boolean>;
}

/** The form in which two names are compared. */
export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** A view on the state file. */
export function connectionStore(file: StateFile): ConnectionStore {
  return {
    list: () => file.state.connections,
    add: (connection) =>
      file.update((draft) => {
        const taken = draft.connections.some(({ id, name }) => [id, foldName(name)].includes(foldName(connection.name)));
        if (taken) throw new AppError('connection.exists', { name: connection.name });
        draft.connections.push({
          ...connection,
          address: { ...connection.address },
          roots: [...connection.roots],
          userRules: [...connection.userRules],
          lifted: [...connection.lifted],
        });
      }),
    remove: (id) =>
      file.update((draft) => {
        const before = draft.connections.length;
        draft.connections = draft.connections.filter((connection) => connection.id !== id);
        draft.sessions = draft.sessions.filter((session) => session.connection !== id);
        draft.decisions = draft.decisions.filter((decision) => decision.connection !== id);
        delete draft.failedTests?.[id];
        if (draft.guard !== undefined) draft.guard = draft.guard.filter((event) => event.connection !== id);
        return draft.connections.length < before;
      }),
  };
}
