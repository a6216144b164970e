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
  /** Content of this computer's own identity marker, read anew. */
  localMarker(): Promise<string | null>;
  /** What an unfinished sync-back of Hermes left here; null when there is nothing. */
  readonly hermesUnfinished: string | null;
  /** Bytes of the TCP socket so far. */
  wire(): { readonly sent: number; readonly received: number; readonly handshake: number };
  /** Ends both sides and removes what the run staged. */
  close(): Promise<void>;
}

/** What a run wants to do with the sides it asks for. */
export interface SidesRequest {
  readonly connection: Connection;
  readonly runId: string;
  /** Local files will be written: nobody else may write them meanwhile. */
  readonly writesLocal: boolean;
  /** Nothing will be written anywhere: nobody has to wait for it. */
  readonly dryRun: boolean;
}

/** Opens both sides; how is decided where the parts are put together. `run.busy` when somebody else works in the home. */
export type OpenSidesFor = (request: SidesRequest, signal: AbortSignal) => Promise<OpenSides>;

/** This computer alone, opened for a run that does not contact the remote. */
export interface LocalSide extends Pick<OpenSides, 'local' | 'rules'> {
  /** Ends the side and removes what the run staged. */
  close(): Promise<void>;
}

/** Opens this computer's side, which will be written; nobody else writes it meanwhile. `run.busy` when somebody else works in the home. */
export type OpenLocalSide = (connection: Connection, runId: string, signal: AbortSignal) => Promise<LocalSide>;
