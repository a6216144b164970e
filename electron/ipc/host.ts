import type { AppEvent, Envelope } from '../../shared/contract';

/**
 * The application as every host sees it: Electron IPC, the loopback web host, the local socket and the command line.
 * `dispatch` never rejects: bad names, bad parameters and failures all come back as an error envelope.
 */
export interface Host {
  dispatch(name: string, params: unknown): Promise<Envelope<unknown>>;
  /** Returns the function that stops listening. */
  listen(listener: (event: AppEvent) => void): () => void;
}

/** A composed application: a host that owns its data folder until it is disposed of. */
export interface ComposedApp extends Host {
  /** The computer woke up, or its network changed: no link that was open is trusted before it proved to be alive. */
  resumed(): void;
  /** Waits for runs to reach a safe point, then lets go of the data folder. Idempotent. */
  dispose(): Promise<void>;
}
