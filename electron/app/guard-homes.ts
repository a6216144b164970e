import { createHash } from 'node:crypto';
import type { Connection } from '../../shared/connection';

/** A Hermes home on this computer with the connections that work in it. */
export interface GuardedHome {
  readonly home: string;
  /** Names the files that are kept for it: the profile, and what tells homes apart. */
  readonly key: string;
  /** The first one names its events. */
  readonly connections: readonly [Connection, ...Connection[]];
}

/** Connections by the Hermes home they work in. */
export function guardedHomes(connections: readonly Connection[], homeOf: (connection: Connection) => string): readonly GuardedHome[] {
  const byHome = new Map<string, GuardedHome>();
  for (const connection of connections) {
    const home = homeOf(connection);
    const known = byHome.get(home);
    const sharing = known === undefined ? ([connection] as const) : ([...known.connections, connection] as const);
    byHome.set(home, { home, key: keyOf(home, connection.profile), connections: sharing });
  }
  return [...byHome.values()];
}

function keyOf(home: string, profile: string | null): string {
  return `${profile ?? 'default'}-${createHash('sha256').update(home).digest('hex').slice(0, 8)}`;
}
