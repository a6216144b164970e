import type { Bridge, Envelope } from '../shared/contract';

/** What a guard mode card asks for, by the event's id. */
export interface GuardCalls {
  /** Puts the last good lock file of the hub back. */
  putBack(id: string): Promise<Envelope<unknown>>;
  /** Takes what is there for good. */
  dismiss(id: string): Promise<Envelope<unknown>>;
}

/** The calls over a bridge. Bridge calls never reject. */
export function createGuardCalls(bridge: Bridge): GuardCalls {
  return {
    putBack: (id) => bridge.call('guard.put-back', { id }),
    dismiss: (id) => bridge.call('guard.dismiss', { id }),
  };
}
