import { Readable, Writable } from 'node:stream';
import type { ClientChannel } from 'ssh2';
import { AppError } from '../../shared/errors';
import { stopError } from './ssh-errors';

/** How a remote command ended; both null when the remote did not say. */
export interface ExitStatus {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A running remote command. Every failure of the link or a cancel ends all four parts with the same `AppError`. */
export interface ExecChannel {
  /** What is written after the remote stopped reading is discarded: the exit status and `stderrText` tell why. */
  readonly stdin: Writable;
  /** Delivers everything up to the end of output, also when the exit status came first. Must be read or destroyed. */
  readonly stdout: Readable;
  /** The last 8 kB the remote wrote to stderr so far; complete once `exit` has settled. */
  stderrText(): string;
  /** Settles once the status is known and stderr has ended. A status proves nothing about completeness. */
  readonly exit: Promise<ExitStatus>;
  /** From now on, so many milliseconds without a byte either way while output is awaited fail the command with `ssh.timed-out`. */
  failWhenSilent(stallMs: number): void;
  /** Ends the command's input and the channel; unread output is dropped. */
  close(): void;
}

/** What a channel gets from its connection. */
export interface ExecContext {
  readonly host: string;
  readonly port: number;
  /** Fires when the caller cancels or the link is gone. */
  readonly stop: AbortSignal;
  /** Gives the slot back; called when the remote closed the channel or the link is gone. */
  readonly release: () => void;
  /** Without a byte either way for so long while output is awaited, the command fails with `ssh.timed-out`. */
  readonly stallMs: number | null;
}

const stderrLimit = 8192;

/** Wraps a channel of the library into streams that fail instead of ending when the link drops. */
export function wrapExecChannel(channel: ClientChannel, context: ExecContext): ExecChannel {
  return new WrappedChannel(channel, context);
}

class WrappedChannel implements ExecChannel {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly exit: Promise<ExitStatus>;
  private status: ExitStatus | null = null;
  private stderr: Buffer = Buffer.alloc(0);
  private stderrEnded = false;
  private outputEnded = false;
  private paused = false;
  private remoteClosed = false;
  private stalled: NodeJS.Timeout | undefined;
  private pendingWrite: (() => void) | null = null;
  private settleExit: (status: ExitStatus) => void = () => undefined;
  private rejectExit: (error: AppError) => void = () => undefined;

  constructor(
    private readonly channel: ClientChannel,
    private readonly context: ExecContext,
  ) {
    this.exit = new Promise((resolve, reject) => {
      this.settleExit = resolve;
      this.rejectExit = reject;
    });
    this.stdout = this.makeStdout();
    this.stdin = this.makeStdin();
    // Each failure reaches whoever reads, writes or awaits; a part nobody looks at must not end the process.
    this.exit.catch(() => undefined);
    this.stdout.on('error', () => undefined);
    this.stdin.on('error', () => undefined);
    channel.on('error', () => undefined);
    this.listen();
    if (context.stallMs !== null) this.failWhenSilent(context.stallMs);
    context.stop.addEventListener('abort', this.onStop, { once: true });
    if (context.stop.aborted) this.onStop();
  }

  stderrText(): string {
    return this.stderr.toString('utf8');
  }

  failWhenSilent(stallMs: number): void {
    const { host, port } = this.context;
    this.stalled = setTimeout(() => {
      if (this.paused) this.stalled?.refresh();
      else this.fail(new AppError('ssh.timed-out', { host, port, seconds: Math.ceil(stallMs / 1000) }));
    }, stallMs);
  }

  close(): void {
    this.stdin.destroy();
    this.stdout.destroy();
    this.channel.stderr.resume();
    this.channel.close();
  }

  private readonly onStop = (): void => {
    // What the remote completed stays readable, whatever becomes of the link afterwards; a cancel still counts.
    if (this.remoteClosed && this.context.stop.reason instanceof AppError) return;
    this.fail(stopError(this.context.stop));
  };

  private fail(error: AppError): void {
    clearTimeout(this.stalled);
    this.context.stop.removeEventListener('abort', this.onStop);
    this.rejectExit(error);
    this.stdin.destroy(error);
    this.stdout.destroy(error);
    this.channel.close();
    if (this.context.stop.aborted && error.code !== 'run.cancelled') this.context.release();
  }

  private listen(): void {
    const { channel } = this;
    channel.on('data', (chunk: Buffer) => {
      this.stalled?.refresh();
      if (this.stdout.destroyed || this.stdout.push(chunk)) return;
      this.paused = true;
      channel.pause();
    });
    channel.on('end', () => {
      this.outputEnded = true;
      if (!this.stdout.destroyed) this.stdout.push(null);
    });
    channel.on('exit', (code: number | null, signal?: string) => {
      this.status = { code, signal: signal ?? null };
      this.maybeExit();
    });
    channel.stderr.on('data', (chunk: Buffer) => {
      this.stalled?.refresh();
      this.stderr = Buffer.concat([this.stderr, chunk]).subarray(-stderrLimit);
    });
    channel.stderr.on('end', () => {
      this.stderrEnded = true;
      this.maybeExit();
    });
    // The library emits this one as soon as the remote closed the channel, whether or not stdout has been read.
    channel.stderr.on('close', () => this.onRemoteClosed());
  }

  private onRemoteClosed(): void {
    this.remoteClosed = true;
    clearTimeout(this.stalled);
    this.pendingWrite?.();
    this.status ??= { code: null, signal: null };
    this.maybeExit();
    this.context.release();
    if (this.outputEnded || this.stdout.destroyed) this.context.stop.removeEventListener('abort', this.onStop);
  }

  private maybeExit(): void {
    if (this.status && (this.stderrEnded || this.remoteClosed)) this.settleExit(this.status);
  }

  private makeStdout(): Readable {
    return new Readable({
      highWaterMark: 256 * 1024,
      read: () => {
        this.paused = false;
        this.stalled?.refresh();
        this.channel.resume();
      },
      destroy: (error, done) => {
        // Dropped output must keep flowing, or the library never reports the channel as closed.
        this.channel.resume();
        if (!this.outputEnded) this.channel.close();
        done(error);
      },
    });
  }

  private makeStdin(): Writable {
    return new Writable({
      highWaterMark: 256 * 1024,
      write: (chunk: Buffer, _encoding, done) => {
        if (this.remoteClosed || !this.channel.writable) return done();
        this.pendingWrite = () => {
          this.pendingWrite = null;
          this.stalled?.refresh();
          done();
        };
        this.channel.write(chunk, () => this.pendingWrite?.());
      },
      final: (done) => {
        this.channel.end();
        done();
      },
    });
  }
}
