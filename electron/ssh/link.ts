import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client, ClientChannel, SFTPWrapper } from 'ssh2';
import { AppError, isAppError } from '../../shared/errors';
import type { Carrier } from './carrier';
import { ChannelSlots, discard } from './channels';
import { type ExecChannel, wrapExecChannel } from './exec-channel';
import type { ExecOptions, SshConnection, WireBytes } from './ssh-connection';
import { stopError, translateOpenError, translateSshError } from './ssh-errors';
import type { Keepalive, SshTarget } from './target';

interface LinkParts {
  readonly client: Client;
  readonly carrier: Carrier;
  readonly target: SshTarget;
  readonly hostKey: string;
  readonly keepalive: Keepalive;
}

type Opened<T> = (error: Error | undefined, channel: T) => void;

interface Opening<T, R> {
  readonly stop: AbortSignal;
  readonly start: (done: Opened<T>) => void;
  /** Called within the library's callback, before any further packet. */
  readonly take: (channel: T, release: () => void) => R;
}

const openTimeoutMs = 30_000;
const closeGraceMs = 2000;
const freeingDelaysMs = [10, 30, 100, 300, 1000];

/** An authenticated connection over the library's client and our carrier. */
export class SshLink implements SshConnection {
  readonly hostKey: string;
  readonly target: SshTarget;
  readonly closed: Promise<AppError | null>;
  private readonly handshake: number;
  private readonly slots = new ChannelSlots();
  /** Fires once, with the error, when the link is gone. */
  private readonly gone = new AbortController();
  private readonly heartbeat: NodeJS.Timeout;
  private opened = 0;
  private lost: AppError | null = null;
  private settleClosed: (error: AppError | null) => void = () => undefined;

  constructor(private readonly parts: LinkParts) {
    const { client, carrier } = parts;
    this.hostKey = parts.hostKey;
    this.target = parts.target;
    const { sent, received } = carrier.wire();
    this.handshake = sent + received;
    this.closed = new Promise((resolve) => {
      this.settleClosed = resolve;
    });
    this.heartbeat = this.watch();
    client.on('error', (error) => this.fail(error));
    client.on('end', () => this.fail(new Error('the other side closed the connection')));
    client.on('close', () => this.fail(new Error('the other side closed the connection')));
  }

  wire(): WireBytes {
    return { ...this.parts.carrier.wire(), handshake: this.handshake };
  }

  failure(): AppError | null {
    return this.lost;
  }

  exec(command: string, options: ExecOptions): Promise<ExecChannel> {
    const stop = AbortSignal.any([options.signal, this.gone.signal]);
    const { host, port } = this.target;
    return this.open<ClientChannel, ExecChannel>({
      stop,
      start: (done) => this.parts.client.exec(command, done),
      take: (channel, release) => wrapExecChannel(channel, { host, port, stop, release, stallMs: options.stallMs ?? null }),
    });
  }

  sftp(signal: AbortSignal): Promise<SFTPWrapper> {
    return this.open<SFTPWrapper, SFTPWrapper>({
      stop: AbortSignal.any([signal, this.gone.signal]),
      start: (done) => this.parts.client.sftp(done),
      take: (channel, release) => {
        // A broken stream closes the channel, which fails every pending request; the event itself adds nothing.
        channel.on('error', () => undefined);
        channel.on('close', release);
        return channel;
      },
    });
  }

  /** A stream to a machine that the other side reaches; it counts as one of the channels. */
  async forward(host: string, port: number, signal: AbortSignal): Promise<Duplex> {
    try {
      return await this.open<ClientChannel, Duplex>({
        stop: AbortSignal.any([signal, this.gone.signal]),
        start: (done) => this.parts.client.forwardOut('127.0.0.1', 0, host, port, done),
        take: (channel, release) => channel.on('error', () => undefined).on('close', release),
      });
    } catch (error) {
      if (!isAppError(error, 'ssh.protocol')) throw error;
      const reason = `${this.target.host} could not reach it: ${error.details.reason}`;
      throw new AppError('ssh.unreachable', { host, port, reason }, { cause: error });
    }
  }

  verify(withinMs: number): void {
    if (this.gone.signal.aborted) return;
    const { client, carrier } = this.parts;
    const { stream } = carrier;
    let seen = stream.bytesRead;
    const timer = setInterval(() => {
      // What was on its way before proves nothing, but the answer may queue behind it.
      if (stream.bytesRead === seen) this.fail(new AppError('ssh.timed-out', { ...this.place(), seconds: Math.ceil(withinMs / 1000) }));
      seen = stream.bytesRead;
    }, withinMs);
    this.gone.signal.addEventListener('abort', () => clearInterval(timer), { once: true });
    try {
      // Nothing was ever forwarded, so this changes nothing there; the refusal is the sign of life.
      client.unforwardIn('localhost', 0, () => clearInterval(timer));
    } catch (error) {
      this.fail(error);
    }
  }

  async close(): Promise<void> {
    const { client, carrier } = this.parts;
    const socket = carrier.stream;
    if (this.gone.signal.aborted) return;
    const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    client.end();
    this.finish(null, this.lostBecause('it was closed on this computer'));
    const timer = setTimeout(() => socket.destroy(), closeGraceMs);
    await ended;
    clearTimeout(timer);
  }

  private async open<T extends ClientChannel | SFTPWrapper, R>(opening: Opening<T, R>): Promise<R> {
    const { stop } = opening;
    const release = await this.slots.acquire(stop);
    for (const delayMs of [...(this.opened > 0 ? freeingDelaysMs : []), null]) {
      try {
        const taken = await this.openOnce(opening, release);
        this.opened += 1;
        return taken;
      } catch (error) {
        if (!isAppError(error, 'ssh.protocol')) throw error;
        if (delayMs === null) {
          const isOneTooMany = this.slots.shrink();
          release();
          throw isOneTooMany ? new AppError('ssh.one-channel', { host: this.target.host }, { cause: error }) : error;
        }
        // A server counts a channel until it has reaped its command, a moment after the channel was closed.
        await pause(delayMs, undefined, { signal: stop }).catch(() => {
          release();
          throw stopError(stop);
        });
      }
    }
    throw this.lostBecause('no channel could be opened');
  }

  /** Keeps the slot when it succeeds, or when it fails in a way that is worth another try. */
  private openOnce<T extends ClientChannel | SFTPWrapper, R>({ stop, start, take }: Opening<T, R>, release: () => void): Promise<R> {
    return new Promise((resolve, reject) => {
      const fail = (error: AppError): void => {
        clearTimeout(timer);
        stop.removeEventListener('abort', onStop);
        reject(error);
      };
      let waiting = true;
      const onStop = (): void => giveUp(stopError(stop));
      const giveUp = (error: AppError): void => {
        waiting = false;
        fail(error);
      };
      const { host, port } = this.target;
      const timer = setTimeout(() => giveUp(new AppError('ssh.timed-out', { host, port, seconds: openTimeoutMs / 1000 })), openTimeoutMs);
      stop.addEventListener('abort', onStop, { once: true });
      const done: Opened<T> = (error, channel) => {
        if (error) {
          const translated = this.lost ?? translateOpenError(error, this.target);
          if (!waiting || translated.code !== 'ssh.protocol') release();
          return fail(translated);
        }
        clearTimeout(timer);
        stop.removeEventListener('abort', onStop);
        // Taken at once: the exit status may come in the same packet, and its event is not repeated.
        if (waiting) return resolve(take(channel, release));
        // Nobody waits any more: the slot is free once the remote has closed the channel too.
        discard(channel, release);
      };
      try {
        start(done);
      } catch (error) {
        release();
        fail(this.lost ?? this.translate(error));
      }
    });
  }

  /** Every answer to a probe is bytes received, and so is every acknowledgement during an upload: silence means a dead link. */
  private watch(): NodeJS.Timeout {
    const { carrier, keepalive } = this.parts;
    const socket = carrier.stream;
    let seen = socket.bytesRead;
    let silent = 0;
    return setInterval(() => {
      silent = socket.bytesRead === seen ? silent + 1 : 0;
      seen = socket.bytesRead;
      if (silent >= keepalive.silentIntervals) this.fail({ level: 'client-timeout', message: 'no answer to keepalive' });
    }, keepalive.intervalMs);
  }

  private fail(error: unknown): void {
    if (this.gone.signal.aborted) return;
    this.lost = this.translate(error);
    this.finish(this.lost, this.lost);
    this.parts.carrier.stream.destroy();
  }

  private finish(closedWith: AppError | null, reason: AppError): void {
    clearInterval(this.heartbeat);
    this.gone.abort(reason);
    this.settleClosed(closedWith);
  }

  private place(): { readonly host: string; readonly port: number } {
    return { host: this.target.host, port: this.target.port };
  }

  private lostBecause(reason: string): AppError {
    return new AppError('ssh.lost', { ...this.place(), reason });
  }

  private translate(error: unknown): AppError {
    const { host, port, user } = this.target;
    const { intervalMs, silentIntervals } = this.parts.keepalive;
    const seconds = Math.ceil((intervalMs * silentIntervals) / 1000);
    return translateSshError(error, { host, port, user, tried: [], phase: 'open', seconds });
  }
}
