import type { Connection } from '../../shared/connection';
import type { ConnectOptions } from './client';
import { resolveTarget } from './config';
import { connectSsh } from './connect';
import type { Person } from './person';
import type { SshConnection } from './ssh-connection';
import type { SshEnvironment } from './target';

/** How one attempt differs from another of the same connection. */
export interface AttemptOptions {
  readonly signal: AbortSignal;
  /** A fingerprint the person consented to just now, beside the one kept with the connection. */
  readonly acceptHostKey?: string | null | undefined;
}

/** Times of every attempt and link; what is left out has its usual value. */
export type LinkPace = Pick<ConnectOptions, 'connectTimeoutMs' | 'keepalive'>;

/** Connects to a saved remote. Tests, runs, inspections and prunes all come through here, with the same parameters. */
export type Connector = (connection: Connection, options: AttemptOptions) => Promise<SshConnection>;

/** The one way to a remote. `personFor` gives the person whom an attempt may ask. */
export function createConnector(env: SshEnvironment, personFor: (connection: Connection) => Person, pace: LinkPace = {}): Connector {
  return async (connection, { signal, acceptHostKey }) => {
    const target = await resolveTarget(connection, env);
    const person = personFor(connection);
    return connectSsh(target, { ...pace, signal, acceptHostKey: acceptHostKey ?? connection.acceptedHostKey, person });
  };
}
