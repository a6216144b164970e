import type { Connection } from '../../shared/connection';
import type { LinkView } from '../../shared/contract';
import { isOffline } from '../../shared/errors';
import type { RunReport } from '../../shared/run-report';
import type { Session } from '../../shared/session';
import type { SshConnection } from '../ssh/ssh-connection';
import { Watcher, type WatcherDeps } from './watcher';

export interface WatchDeps extends WatcherDeps {
  session(connection: string): Session | null;
  connection(id: string): Connection | null;
  isRunning(connection: string): boolean;
  /** Whether no link is to be kept. */
  isPaused(): boolean;
}

/** Keeps a link for every open session, rebuilds it when it is lost, and ends what could not end while the remote was away. */
export interface Watch {
  /** Keeps the link of a session that is open; one whose end is only due is the person's to end. */
  open(connection: Connection): void;
  /** A run is over. */
  ran(report: RunReport): void;
  /** Something the person did may have removed what a link was paused for. */
  retry(connection: string): void;
  /** A link that waits for its next attempt waits no longer. */
  tryNow(connection: string): void;
  /** Lets go of the links of connections that are no longer there. */
  prune(): void;
  /** Lets go of every link that no run works on; those follow when their run is over. */
  rest(): void;
  /** Null while no session is watched. */
  linkOf(connection: string): LinkView | null;
  /** The link of a session, for a run to use and to leave open; null while none is up. */
  borrow(connection: string): SshConnection | null;
  /** The computer woke up, or its network changed: waiting ends, and no attempt that began before counts. */
  resumed(): void;
  /** Closes every link. */
  stop(): Promise<void>;
}

export function createWatch(deps: WatchDeps): Watch {
  const watchers = new Map<string, Watcher>();
  const closing = new Set<Promise<void>>();
  let stopped = false;
  const leave = (id: string): void => {
    const done = watchers.get(id)?.leave();
    watchers.delete(id);
    if (done === undefined) return;
    closing.add(done);
    void done.finally(() => closing.delete(done));
  };
  const watcherOf = (connection: Connection): Watcher => {
    const watcher = watchers.get(connection.id) ?? new Watcher(connection, deps);
    watchers.set(connection.id, watcher);
    return watcher;
  };
  return {
    open(connection) {
      if (!stopped && !deps.isPaused() && deps.session(connection.id)?.state === 'open') watcherOf(connection).keep();
    },
    ran({ kind, connection: { id }, outcome, error }) {
      const connection = deps.connection(id);
      const session = deps.session(id);
      if (stopped || (kind !== 'push' && kind !== 'sync-back')) return;
      if (connection === null || deps.isPaused()) leave(id);
      else if (session?.state === 'open') watcherOf(connection).keep();
      // Whatever else keeps a session from ending is for the person to look at.
      else if (session?.state === 'pending' && outcome === 'failed' && error !== null && isOffline(error.code)) {
        if (!watcherOf(connection).endWhenBack(error)) leave(id);
      } else leave(id);
    },
    retry: (id) => watchers.get(id)?.retry(),
    tryNow: (id) => watchers.get(id)?.tryNow(),
    prune() {
      for (const id of [...watchers.keys()]) if (deps.connection(id) === null) leave(id);
    },
    rest() {
      for (const id of [...watchers.keys()]) if (!deps.isRunning(id)) leave(id);
    },
    linkOf: (id) => watchers.get(id)?.view ?? null,
    borrow: (id) => watchers.get(id)?.link ?? null,
    resumed() {
      for (const watcher of watchers.values()) watcher.tryNow();
    },
    async stop() {
      stopped = true;
      for (const id of [...watchers.keys()]) leave(id);
      await Promise.all(closing);
    },
  };
}
