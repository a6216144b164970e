import type { Bridge, Envelope, UndoUsage } from '../shared/contract';
import type { RunReport } from '../shared/run-report';

/** What the undo card asks for. */
export interface UndoCalls {
  usage(connection: string): Promise<Envelope<UndoUsage>>;
  /** Takes back what the last run did on this computer. */
  undo(connection: string): Promise<Envelope<RunReport>>;
  /** Deletes for good what is kept for this. */
  free(connection: string): Promise<Envelope<UndoUsage>>;
}

/** The calls over a bridge. Bridge calls never reject. */
export function createUndoCalls(bridge: Bridge): UndoCalls {
  return {
    usage: (connection) => bridge.call('undo.usage', { connection }),
    undo: (connection) => bridge.call('undo', { connection }),
    free: (connection) => bridge.call('undo.free', { connection }),
  };
}
