import type { Connection } from '../../shared/connection';
import type { ConnectOptions } from './client';
import { resolveTarget } from './config';
import { connectSsh } from './connect';
import type { RememberedSecrets } from './login-memory';
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

/** What attempts need beside the connection. */
export interface ConnectorOptions {
  /** Whom an attempt may ask. */
  personFor(connection: Connection): Person;
  /** What it need not ask for. */
  rememberedFor(connection: Connection): RememberedSecrets | null;
  readonly pace?: LinkPace;
}

/** The one way to a remote. */
export function createConnector(env: SshEnvironment, { personFor, rememberedFor, pace = {} }: ConnectorOptions): Connector {
  return async (connection, { signal, acceptHostKey }) => {
    const target = await resolveTarget(connection, env);
    const asked = { person: personFor(connection), remembered: rememberedFor(connection) };
    return connectSsh(target, { ...pace, signal, acceptHostKey: acceptHostKey ?? connection.acceptedHostKey, ...asked });
  };
}
