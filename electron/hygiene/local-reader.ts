import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { lstat, open, readdir, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { SeenEntry, TreeReader, Unseen } from './tree-reader';

const atOnce = 32;

/** Looks at this computer's disk. A cancel ends whatever runs, with the signal's reason. */
export function createLocalReader(signal: AbortSignal): TreeReader {
  return new LocalReader(signal);
}

class LocalReader implements TreeReader {
  private free = atOnce;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly signal: AbortSignal) {}

  look(path: string, { follow }: { readonly follow: boolean }): Promise<SeenEntry | Unseen> {
    return this.seen(async () => entryOf(basename(path), follow ? await stat(path) : await lstat(path)));
  }

  list(folder: string): Promise<readonly SeenEntry[] | Unseen> {
    return this.seen(async () => {
      // As bytes: a name that is not valid UTF-8 is counted like any other.
      const names = await readdir(folder, { encoding: 'buffer' });
      const entries: SeenEntry[] = [];
      for (const name of names) {
        const stats = await lstat(Buffer.concat([Buffer.from(`${folder}/`), name])).catch((error: unknown) => {
          // Gone since the folder was read.
          if (unseen(error) === 'missing') return null;
          throw error;
        });
        if (stats !== null) entries.push(entryOf(name.toString('utf8'), stats));
      }
      return entries;
    });
  }

  read(file: string, limit: number): Promise<Buffer | Unseen> {
    return this.seen(async () => {
      const handle = await openRegular(file);
      if (handle === null) return 'unreadable';
      try {
        const into = Buffer.alloc(limit);
        let got = 0;
        for (let part = -1; part !== 0 && got < limit; got += part) part = (await handle.read(into, got, limit - got, got)).bytesRead;
        return into.subarray(0, got);
      } finally {
        await handle.close();
      }
    });
  }

  async gunzips(file: string): Promise<boolean | 'unreadable'> {
    const handle = await this.seen(() => openRegular(file));
    if (handle === null || typeof handle === 'string') return 'unreadable';
    try {
      await pipeline(handle.createReadStream(), createGunzip(), new Writable({ write: (_chunk, _encoding, done) => done() }), {
        signal: this.signal,
      });
      return true;
    } catch (error) {
      this.signal.throwIfAborted();
      return String((error as { readonly code?: unknown }).code).startsWith('Z_') ? false : 'unreadable';
    } finally {
      await handle.close().catch(() => undefined);
    }
  }

  /** Runs a few at a time, and turns the system's refusal into a value. */
  private async seen<T>(work: () => Promise<T>): Promise<T | Unseen> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      this.signal.throwIfAborted();
      return await work();
    } catch (error) {
      this.signal.throwIfAborted();
      return unseen(error);
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free += 1;
    }
  }
}

/** SHA-256 in hex of a regular file; null when it cannot be read. */
export async function hashLocalFile(file: string, signal: AbortSignal): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    const handle = await openRegular(file);
    if (handle === null) return null;
    await pipeline(handle.createReadStream(), hash, { signal });
    return hash.digest('hex');
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

/** Opened without waiting for a writer, should a FIFO lie there; null when it is no regular file. */
async function openRegular(file: string): Promise<Awaited<ReturnType<typeof open>> | null> {
  // Windows knows neither flag.
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
  const handle = await open(file, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  return null;
}

function entryOf(name: string, stats: Stats): SeenEntry {
  const kind = stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : stats.isSymbolicLink() ? 'link' : 'other';
  return { name, kind, size: stats.size, mtime: stats.mtimeMs };
}

function unseen(error: unknown): Unseen {
  const { code } = error as { readonly code?: unknown };
  return code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : 'unreadable';
}
