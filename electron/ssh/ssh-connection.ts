import type { SFTPWrapper } from 'ssh2';
import type { AppError } from '../../shared/errors';
import type { ExecChannel } from './exec-channel';
import type { SshTarget } from './target';

/** Bytes of the TCP socket; `handshake` is the part, both ways, before the login ended. */
export interface WireBytes {
  readonly sent: number;
  readonly received: number;
  readonly handshake: number;
}

export interface ExecOptions {
  readonly signal: AbortSignal;
  /** Fail with `ssh.timed-out` after so long without a byte either way while output is awaited; none when left out. */
  readonly stallMs?: number | undefined;
}

/**
 * An authenticated connection. At most two channels are open at once; further requests wait their turn. Where the server turns
 * out to allow only one, the request that finds out fails with `ssh.one-channel`, and from then on one is the limit.
 */
export interface SshConnection {
  /** SHA-256 fingerprint of the verified host key. */
  readonly hostKey: string;
  readonly target: SshTarget;
  wire(): WireBytes;
  /** Runs a command under the account's login shell. */
  exec(command: string, options: ExecOptions): Promise<ExecChannel>;
  /** Opens SFTP; the caller ends it with `end()`. Pending requests fail when the link drops; `failure()` then tells why. */
  sftp(signal: AbortSignal): Promise<SFTPWrapper>;
  /** Why the connection is gone; null while it is up and after `close()`. */
  failure(): AppError | null;
  /** Asks for a sign of life, and takes the connection for lost when none comes in time: after a sleep no socket is to be trusted. */
  verify(withinMs: number): void;
  /** Settles when the connection has ended: with the error, or null after `close()`. */
  readonly closed: Promise<AppError | null>;
  /** Ends the connection; what still runs on it fails with `ssh.lost`. */
  close(): Promise<void>;
}
