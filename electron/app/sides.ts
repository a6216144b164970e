import type { Connection } from '../../shared/connection';
import type { Rules } from '../../shared/rules';
import type { Endpoint } from '../engine/endpoint';

/** Both sides of a connection, opened for one run. */
export interface OpenSides {
  readonly local: Endpoint;
  readonly remote: Endpoint;
  readonly rules: Rules;
  /** SHA-256 fingerprint of the verified host key. */
  readonly hostKey: string;
  /** The machine really reached. */
  readonly address: { readonly user: string; readonly host: string; readonly port: number };
  /** Bytes of the TCP socket so far. */
  wire(): { readonly sent: number; readonly received: number; readonly handshake: number };
  /** Ends both sides and removes what the run staged. */
  close(): Promise<void>;
}

/** Opens both sides; how is decided where the parts are put together. */
export type OpenSidesFor = (connection: Connection, runId: string, signal: AbortSignal) => Promise<OpenSides>;
