import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { type MessagePort, parentPort } from 'node:worker_threads';
import { systemCode } from '../engine/disk';
import type { WantedFile } from '../engine/endpoint';
import type { EnginePath, ListedEntry } from '../engine/entry';
import { createLocalPaths, type LocalPaths } from './local-files';
import { listRoots, type WalkedRoots, type WalkFiles } from './local-walk';

/*
 * Runs in a thread of its own: everything about this computer's files that takes long and only reads. Its calls are synchronous,
 * which costs half the time of the others and blocks nobody here.
 */

/** What the thread is asked for. `stop` holds one number: 1 once nobody wants the answer any more. */
export type ThreadRequest = { readonly id: number; readonly home: string; readonly stop: SharedArrayBuffer } & (
  | { readonly kind: 'list'; readonly roots: readonly string[]; readonly skipped: readonly string[]; readonly lookedAt: number }
  | { readonly kind: 'hash'; readonly paths: readonly EnginePath[] }
  | { readonly kind: 'read'; readonly files: readonly WantedFile[] }
);

/** The next message of a reading may be sent. */
export interface ThreadCredit {
  readonly credit: number;
}

/** A piece of a file in a message's bytes. `path` and `size` come with its first piece. */
export interface FilePiece {
  readonly path: EnginePath | null;
  readonly size: number;
  readonly from: number;
  readonly to: number;
  readonly isLast: boolean;
}

/** Parts of an answer, in small messages, so that whoever receives them is never busy for long. */
export type ThreadAnswer = { readonly id: number } & (
  | { readonly entries: readonly (readonly [EnginePath, ListedEntry])[] }
  | { readonly hashes: readonly (readonly [EnginePath, string])[] }
  | { readonly pieces: readonly FilePiece[]; readonly bytes: ArrayBuffer }
  | { readonly done: Omit<WalkedRoots, 'entries'> | null }
  | { readonly failed: string }
);

const itemsAtOnce = 500;
const bytesAtOnce = 256 * 1024;
/** Messages of a reading that may be on their way. */
export const messagesInFlight = 8;

const syncFiles: WalkFiles = {
  readdir: async (folder) => readdirSync(folder, { withFileTypes: true, encoding: 'buffer' }),
  lstat: async (file) => lstatSync(file, { bigint: true }),
  stat: async (file) => statSync(file, { bigint: true }),
};

/** Opens a regular file whose folders are real ones; null when it is anything else. */
function openReal(paths: LocalPaths, path: EnginePath, known: Map<string, boolean>): number | null {
  const names = path.split('/');
  for (let depth = 2; depth < names.length; depth += 1) {
    const folder = names.slice(0, depth).join('/');
    const isReal = known.get(folder) ?? lstatSync(paths.resolve(folder)).isDirectory();
    known.set(folder, isReal);
    if (!isReal) return null;
  }
  const file = openSync(paths.resolve(path), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  return null;
}

/** Opens it, or null when it cannot be read for any reason of the file's own. */
function tryOpen(paths: LocalPaths, path: EnginePath, known: Map<string, boolean>): number | null {
  try {
    return openReal(paths, path, known);
  } catch {
    return null;
  }
}

class Thread {
  private readonly credits = new Map<number, { left: number; wake: () => void }>();

  constructor(private readonly port: MessagePort) {}

  receive(message: ThreadRequest | ThreadCredit): void {
    if ('credit' in message) {
      const credit = this.credits.get(message.credit);
      if (credit === undefined) return;
      credit.left += 1;
      credit.wake();
      return;
    }
    this.serve(message).catch((error: unknown) => this.send({ id: message.id, failed: systemCode(error) ?? String(error) }));
  }

  private send(answer: ThreadAnswer, transfer: ArrayBuffer[] = []): void {
    this.port.postMessage(answer, transfer);
  }

  private async serve(request: ThreadRequest): Promise<void> {
    const stopped = new Int32Array(request.stop);
    const signal = {
      get aborted() {
        return Atomics.load(stopped, 0) === 1;
      },
    };
    const paths = createLocalPaths(request.home);
    if (request.kind === 'list') await this.list(request, paths, signal);
    else if (request.kind === 'hash') this.hash(request, paths, signal);
    else await this.read(request, paths, signal);
  }

  private async list(
    request: Extract<ThreadRequest, { kind: 'list' }>,
    paths: LocalPaths,
    signal: Pick<AbortSignal, 'aborted'>,
  ): Promise<void> {
    const { id, roots, skipped, lookedAt } = request;
    const walked = await listRoots({ paths, files: syncFiles, now: () => lookedAt }, { roots, skipped: new Set(skipped) }, signal);
    const { entries, ...done } = walked;
    const all = [...entries];
    for (let at = 0; at < all.length; at += itemsAtOnce) this.send({ id, entries: all.slice(at, at + itemsAtOnce) });
    this.send({ id, done });
  }

  private hash(
    { id, paths: wanted }: Extract<ThreadRequest, { kind: 'hash' }>,
    paths: LocalPaths,
    signal: Pick<AbortSignal, 'aborted'>,
  ): void {
    const buffer = Buffer.allocUnsafe(1 << 20);
    const known = new Map<string, boolean>();
    let hashes: [EnginePath, string][] = [];
    for (const path of wanted) {
      if (signal.aborted) break;
      const hash = hashOf(paths, path, known, buffer, signal);
      if (hash !== null) hashes.push([path, hash]);
      if (hashes.length < itemsAtOnce) continue;
      this.send({ id, hashes });
      hashes = [];
    }
    this.send({ id, hashes });
    this.send({ id, done: null });
  }

  /** Small files share a message, large ones take several. */
  private async read(
    { id, files }: Extract<ThreadRequest, { kind: 'read' }>,
    paths: LocalPaths,
    signal: Pick<AbortSignal, 'aborted'>,
  ): Promise<void> {
    this.credits.set(id, { left: messagesInFlight, wake: () => undefined });
    let bytes = Buffer.allocUnsafeSlow(bytesAtOnce);
    let filled = 0;
    let pieces: FilePiece[] = [];
    const flush = async (): Promise<void> => {
      await this.credit(id);
      this.send({ id, pieces, bytes: bytes.buffer as ArrayBuffer }, [bytes.buffer as ArrayBuffer]);
      bytes = Buffer.allocUnsafeSlow(bytesAtOnce);
      filled = 0;
      pieces = [];
    };
    for (const { path } of files) {
      if (signal.aborted) break;
      // Looked at anew for each file: a sending takes long, and what is behind a new link must not leave this computer.
      const file = tryOpen(paths, path, new Map());
      if (file === null) continue;
      try {
        const { size } = fstatSync(file);
        let left = size;
        for (let isFirst = true, isLast = false; !isLast; isFirst = false) {
          if (filled === bytesAtOnce) await flush();
          if (signal.aborted) break;
          const read = readSync(file, bytes, filled, Math.min(left, bytesAtOnce - filled), null);
          left -= read;
          isLast = left === 0 || read === 0;
          pieces.push({ path: isFirst ? path : null, size, from: filled, to: filled + read, isLast });
          filled += read;
        }
      } finally {
        closeSync(file);
      }
    }
    await flush();
    this.credits.delete(id);
    this.send({ id, done: null });
  }

  private async credit(id: number): Promise<void> {
    const credit = this.credits.get(id);
    if (credit === undefined) return;
    while (credit.left === 0) {
      await new Promise<void>((resolve) => {
        credit.wake = resolve;
      });
    }
    credit.left -= 1;
  }
}

function hashOf(
  paths: LocalPaths,
  path: EnginePath,
  known: Map<string, boolean>,
  buffer: Buffer,
  signal: Pick<AbortSignal, 'aborted'>,
): string | null {
  const file = tryOpen(paths, path, known);
  if (file === null) return null;
  try {
    const hash = createHash('sha256');
    for (let read = readSync(file, buffer, 0, buffer.length, null); read > 0; read = readSync(file, buffer, 0, buffer.length, null)) {
      if (signal.aborted) return null;
      hash.update(buffer.subarray(0, read));
    }
    return hash.digest('hex');
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}

if (parentPort !== null) {
  const thread = new Thread(parentPort);
  parentPort.on('message', (message: ThreadRequest | ThreadCredit) => thread.receive(message));
}
