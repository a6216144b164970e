import { createHash } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { causePhrases } from '../../shared/phrases/causes';
import { throwIfCancelled } from '../engine/cancel';
import { type DiskEntry, pathFailure, systemCode } from '../engine/disk';
import type { EnginePath } from '../engine/entry';

/** Turns engine paths into paths of this computer. */
export interface LocalPaths {
  readonly home: string;
  /** Rejects whatever could lead outside the home. The empty path is the home. */
  resolve(path: EnginePath): string;
}

/** Paths below one home. */
export function createLocalPaths(home: string): LocalPaths {
  return {
    home,
    resolve: (path) => {
      if (path === '') return home;
      const names = path.split('/');
      const unsafe = names.some((name) => name === '' || name === '.' || name === '..') || path.includes('\0');
      // A drive letter or a backslash leads elsewhere on Windows only, but no such path passes the rules anywhere.
      if (unsafe || path.includes('\\') || (process.platform === 'win32' && path.includes(':'))) {
        throw pathFailure('open', path, causePhrases['leads-outside']);
      }
      return join(home, ...names);
    },
  };
}

/** A file's times move in ticks of at most 10 ms; where the disk keeps whole seconds, in steps of up to 2 s. */
const tick = { fine: 20, coarse: 2000 } as const;
const second = 1_000_000_000n;
const millisecond = 1_000_000n;
const hasModes = process.platform !== 'win32';

/**
 * What `stats` says of a file. The change time cannot be set back and the inode tells a file that was renamed over, so equal
 * stamps mean equal content, unless a write came in the same tick as the look.
 */
export function describeStats(stats: BigIntStats, lookedAt: number): DiskEntry {
  const coarse = stats.ctimeNs % second === 0n && stats.mtimeNs % second === 0n;
  const age = lookedAt - Number(stats.ctimeNs / millisecond);
  return {
    kind: stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'link' : 'other',
    size: Number(stats.size),
    mtime: Number(stats.mtimeNs / millisecond),
    mode: hasModes ? Number(stats.mode) & 0o777 : null,
    stamp: `${stats.size} ${stats.mtimeNs} ${stats.ctimeNs} ${stats.ino}`,
    settled: age > (coarse ? tick.coarse : tick.fine),
  };
}

/** Opens a regular file for reading, never through a link in its place, and never waiting as a pipe would make it. */
export async function openRegular(file: string): Promise<FileHandle> {
  const handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    if ((await handle.stat()).isFile()) return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  throw pathFailure('read', '', causePhrases['no-regular-file']);
}

const chunkSize = 131_072;

/** The first `length` bytes of an open file, in pieces; fewer when the file ends before. */
export async function* readChunks(handle: FileHandle, length: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  let left = length;
  while (left > 0) {
    throwIfCancelled(signal);
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(Math.min(chunkSize, left)), 0, Math.min(chunkSize, left), null);
    if (bytesRead === 0) return;
    left -= bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** SHA-256 of a regular file. */
export async function hashFile(file: string, signal: AbortSignal): Promise<string> {
  const handle = await openRegular(file);
  try {
    const hash = createHash('sha256');
    for await (const chunk of readChunks(handle, Number.POSITIVE_INFINITY, signal)) hash.update(chunk);
    return hash.digest('hex');
  } finally {
    await handle.close();
  }
}

/** True when the system's error says that nothing is there. */
export function isAbsence(error: unknown): boolean {
  const code = systemCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}
