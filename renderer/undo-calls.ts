import type { Bridge, Envelope, Reply, UndoUsage } from '../shared/contract';
import type { RunReport } from '../shared/run-report';

/** What the undo card asks for. */
export interface UndoCalls {
  usage(connection: string): Promise<Envelope<Reply<'undo.usage'>>>;
  /** Undoes that run, if it is still the next to be undone. */
  undo(connection: string, run: string): Promise<Envelope<RunReport>>;
  /** Deletes for good what is kept for this. */
  free(connection: string): Promise<Envelope<UndoUsage>>;
}

/** The calls over a bridge. Bridge calls never reject. */
export function createUndoCalls(bridge: Bridge): UndoCalls {
  return {
    usage: (connection) => bridge.call('undo.usage', { connection }),
    undo: (connection, run) => bridge.call('undo', { connection, run }),
    free: (connection) => bridge.call('undo.free', { connection }),
  };
}
