import type { FileEntryWithStats, InputAttributes, SFTPWrapper, Stats } from 'ssh2';
import { AppError } from '../../shared/errors';
import { causePhrases } from '../../shared/phrases/causes';
import type { SshConnection } from '../ssh/ssh-connection';
import { stopError } from '../ssh/ssh-errors';
import { sftpStatus, sftpStatusOf } from './sftp-errors';

/** Requests in flight at once: enough to fill a link of 100 ms, few enough for servers that queue them in memory. */
export const maxInFlight = 64;

/** Bytes asked for or sent in one request; every server takes this much. */
export const chunkBytes = 32 * 1024;

const stallMs = 60_000;

/** Attributes of a file as the server tells them, for those who need not know the library. */
export type SftpStats = Stats;

type Done<T> = (error: Error | null | undefined, value: T) => void;

/** Bytes free on a volume and its smallest unit, as `statvfs@openssh.com` tells them. */
interface VolumeFacts {
  readonly f_frsize: number | bigint;
  readonly f_bavail: number | bigint;
}

/**
 * SFTP requests as promises. A request that the server refused rejects with the library's error, which `sftpStatusOf` reads;
 * a lost link, a cancel and a server that no longer answers reject with an `AppError`, whatever the request was.
 */
export class SftpChannel {
  private free = maxInFlight;
  private readonly waiting: (() => void)[] = [];
  /** What waits for an answer, by its failure, with the signal that cancels it. */
  private readonly pending = new Map<(error: AppError) => void, AbortSignal>();
  private readonly heard = new Map<AbortSignal, () => void>();
  private ended: AppError | null = null;
  private broken: Error | null = null;
  private stall: NodeJS.Timeout | undefined;

  private constructor(
    private readonly sftp: SFTPWrapper,
    private readonly connection: SshConnection,
    readonly atomicRename: boolean,
  ) {
    sftp.on('error', (error: Error) => {
      this.broken = error;
    });
    sftp.on('close', () => this.end(this.lost()));
    sftp.on('end', () => this.end(this.lost()));
  }

  /** Opens SFTP on a connection. An account that prints text on login, or has no SFTP, fails with `ssh.no-shell`. */
  static async open(connection: SshConnection, signal: AbortSignal): Promise<SftpChannel> {
    const sftp = await connection.sftp(signal);
    return new SftpChannel(sftp, connection, offers(sftp, 'posix-rename@openssh.com'));
  }

  realpath(path: string, signal: AbortSignal): Promise<string> {
    return this.request<string>(signal, (done) => this.sftp.realpath(path, done));
  }

  /** Attributes of what lies at the path, a link itself; null when nothing does. */
  lstat(path: string, signal: AbortSignal): Promise<Stats | null> {
    return this.orNull(this.request<Stats>(signal, (done) => this.sftp.lstat(path, done)));
  }

  /** Attributes of what the path leads to; null when nothing does. */
  stat(path: string, signal: AbortSignal): Promise<Stats | null> {
    return this.orNull(this.request<Stats>(signal, (done) => this.sftp.stat(path, done)));
  }

  readdir(path: string, signal: AbortSignal): Promise<readonly FileEntryWithStats[]> {
    return this.request<FileEntryWithStats[]>(signal, (done) => this.sftp.readdir(path, done));
  }

  openToRead(path: string, signal: AbortSignal): Promise<Buffer> {
    return this.request<Buffer>(signal, (done) => this.sftp.open(path, 'r', done));
  }

  /** Creates a file; fails when anything has that name. */
  create(path: string, mode: number, signal: AbortSignal): Promise<Buffer> {
    return this.request<Buffer>(signal, (done) => this.sftp.open(path, 'wx', mode, done));
  }

  fstat(handle: Buffer, signal: AbortSignal): Promise<Stats> {
    return this.request<Stats>(signal, (done) => this.sftp.fstat(handle, done));
  }

  /** Reads once; an empty result is the end of the file, a short one is not. */
  read(handle: Buffer, position: number, length: number, signal: AbortSignal): Promise<Buffer> {
    const into = Buffer.allocUnsafe(length);
    return this.request<Buffer>(signal, (done) =>
      this.sftp.read(handle, into, 0, length, position, (error, bytes) => done(error, into.subarray(0, error ? 0 : bytes))),
    );
  }

  write(handle: Buffer, bytes: Uint8Array, position: number, signal: AbortSignal): Promise<void> {
    const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return this.command(signal, (done) => this.sftp.write(handle, data, 0, data.length, position, done));
  }

  setAttributes(handle: Buffer, attributes: InputAttributes, signal: AbortSignal): Promise<void> {
    return this.command(signal, (done) => this.sftp.fsetstat(handle, attributes, done));
  }

  closeFile(handle: Buffer, signal: AbortSignal): Promise<void> {
    return this.command(signal, (done) => this.sftp.close(handle, done));
  }

  mkdir(path: string, mode: number, signal: AbortSignal): Promise<void> {
    return this.command(signal, (done) => this.sftp.mkdir(path, { mode }, done));
  }

  rmdir(path: string, signal: AbortSignal): Promise<void> {
    return this.command(signal, (done) => this.sftp.rmdir(path, done));
  }

  unlink(path: string, signal: AbortSignal): Promise<void> {
    return this.command(signal, (done) => this.sftp.unlink(path, done));
  }

  /** Renames; whether an existing target is replaced depends on `atomicRename`. */
  rename(from: string, to: string, signal: AbortSignal): Promise<void> {
    return this.command(signal, (done) => {
      if (this.atomicRename) this.sftp.ext_openssh_rename(from, to, done);
      else this.sftp.rename(from, to, done);
    });
  }

  /** Bytes free for this user on the volume of `path`; null when the server cannot tell. */
  async freeBytes(path: string, signal: AbortSignal): Promise<number | null> {
    if (!offers(this.sftp, 'statvfs@openssh.com')) return null;
    try {
      const facts = await this.request<VolumeFacts>(signal, (done) => this.sftp.ext_openssh_statvfs(path, done));
      return Number(facts.f_frsize) * Number(facts.f_bavail);
    } catch (error) {
      if (sftpStatusOf(error) === null) throw error;
      return null;
    }
  }

  /** Resolves once the server has closed the channel, or after a grace time. */
  async close(): Promise<void> {
    if (this.ended !== null) return;
    const closed = new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, 2000);
      this.sftp.once('close', () => {
        clearTimeout(timer);
        resolve();
      });
    });
    this.sftp.end();
    await closed;
    this.end(this.lost());
  }

  private command(signal: AbortSignal, send: (done: (error?: Error | null) => void) => void): Promise<void> {
    return this.request<void>(signal, (done) => send((error) => done(error, undefined)));
  }

  private async orNull(request: Promise<Stats>): Promise<Stats | null> {
    try {
      return await request;
    } catch (error) {
      if (sftpStatusOf(error) === sftpStatus.missing) return null;
      throw error;
    }
  }

  private async request<T>(signal: AbortSignal, send: (done: Done<T>) => void): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await this.answered(signal, send);
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free += 1;
    }
  }

  private answered<T>(signal: AbortSignal, send: (done: Done<T>) => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.ended !== null) return reject(this.ended);
      if (signal.aborted) return reject(stopError(signal));
      const fail = (error: AppError): void => {
        leave();
        reject(error);
      };
      const leave = (): void => {
        this.pending.delete(fail);
        this.watch();
      };
      this.pending.set(fail, signal);
      this.hear(signal);
      this.watch();
      send((error, value) => {
        leave();
        // Without a status the library gave up on the channel; the event that tells why may still be on its way.
        if (error && sftpStatusOf(error) === null) reject(this.ended ?? this.lost(error));
        else if (error) reject(error);
        else resolve(value);
      });
    });
  }

  /** One listener for all requests of a signal: a run makes tens of thousands. */
  private hear(signal: AbortSignal): void {
    if (this.heard.has(signal)) return;
    const cancel = (): void => {
      for (const [fail, by] of [...this.pending]) if (by === signal) fail(stopError(signal));
    };
    this.heard.set(signal, cancel);
    signal.addEventListener('abort', cancel, { once: true });
  }

  /** A server that answers nothing at all for so long is taken for lost; any answer starts the time again. */
  private watch(): void {
    clearTimeout(this.stall);
    if (this.pending.size === 0) return;
    const { host, port } = this.connection.target;
    this.stall = setTimeout(() => {
      this.end(new AppError('ssh.timed-out', { host, port, seconds: stallMs / 1000 }));
      this.sftp.end();
    }, stallMs);
  }

  private lost(cause: Error | null = this.broken): AppError {
    const { host, port } = this.connection.target;
    const reason = cause === null ? causePhrases['channel-closed'] : cause.message;
    return this.connection.failure() ?? new AppError('ssh.lost', { host, port, reason }, { cause });
  }

  private end(error: AppError): void {
    this.ended ??= error;
    for (const fail of [...this.pending.keys()]) fail(this.ended);
    for (const [signal, cancel] of this.heard) signal.removeEventListener('abort', cancel);
    this.heard.clear();
    clearTimeout(this.stall);
  }
}

/** Extensions the server announced; the library keeps them to itself. */
function offers(sftp: SFTPWrapper, extension: string): boolean {
  const { _extensions: extensions } = sftp as SFTPWrapper & { readonly _extensions?: Readonly<Record<string, string>> };
  return extensions?.[extension] !== undefined;
}
