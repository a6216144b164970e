import { createHash } from 'node:crypto';
import type { IncomingFile, WantedFile } from '../engine/endpoint';
import type { EnginePath } from '../engine/entry';
import { chunkBytes, maxInFlight, type SftpChannel } from './sftp-channel';
import { sftpStatusOf } from './sftp-errors';
import { SftpFolders } from './sftp-folders';

/** Files up to this size are fetched whole ahead of their turn, so that small ones do not wait for each other's round trips. */
const smallBytes = 256 * 1024;
const aheadBytes = 8 * 1024 * 1024;
const aheadFiles = 48;
const filesAtOnce = 16;

interface OpenFile {
  readonly handle: Buffer;
  readonly size: number;
}

/** A file whose turn has come: its whole content, or an open handle to stream from. */
type Fetched = { readonly file: OpenFile; readonly content: Buffer | null };

/** Where files are read: below one home, by one channel, for one request. */
export interface FileSource {
  readonly channel: SftpChannel;
  readonly home: string;
  readonly signal: AbortSignal;
}

/** Reads up to `size` bytes in order with many requests in flight. A file that became shorter ends early. */
export async function* readPipelined(channel: SftpChannel, file: OpenFile, signal: AbortSignal): AsyncGenerator<Buffer> {
  const asked: { readonly length: number; readonly answer: Promise<Buffer> }[] = [];
  let position = 0;
  const ask = (): void => {
    const length = Math.min(chunkBytes, file.size - position);
    const answer = readFully(channel, file.handle, position, length, signal);
    // Left behind when an earlier part fails or the reader goes.
    answer.catch(() => undefined);
    asked.push({ length, answer });
    position += length;
  };
  while (position < file.size && asked.length < maxInFlight) ask();
  for (let next = asked.shift(); next !== undefined; next = asked.shift()) {
    const bytes = await next.answer;
    if (position < file.size) ask();
    if (bytes.length > 0) yield bytes;
    if (bytes.length < next.length) return;
  }
}

/** The beginning of a regular file, at most `limit` bytes; null when there is no such file. Throws when it cannot be read. */
export async function readSmallFile(source: FileSource, at: string, limit: number): Promise<Buffer | null> {
  const { channel, signal } = source;
  const stats = await channel.lstat(at, signal);
  if (stats === null || !stats.isFile()) return null;
  const handle = await channel.openToRead(at, signal);
  try {
    return await readFully(channel, handle, 0, limit, signal);
  } finally {
    await leave(channel, handle, signal);
  }
}

/** Downloads and hashes. A file that is gone, is no regular file or cannot be read is left out. */
export async function hashFiles(source: FileSource, paths: readonly EnginePath[]): Promise<ReadonlyMap<EnginePath, string>> {
  const hashes = new Map<EnginePath, string>();
  const folders = new SftpFolders(source.channel, source.home, source.signal);
  const queue = [...paths];
  const work = async (): Promise<void> => {
    for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
      const hash = await hashFile(source, folders, path);
      if (hash !== null) hashes.set(path, hash);
    }
  };
  await Promise.all(Array.from({ length: filesAtOnce }, work));
  return hashes;
}

/** Streams contents in the order asked, small files ahead of their turn. */
export async function* readFiles(source: FileSource, files: readonly WantedFile[]): AsyncGenerator<IncomingFile> {
  const folders = new SftpFolders(source.channel, source.home, source.signal);
  const ahead: Promise<Fetched | null>[] = [];
  let next = 0;
  let bytes = 0;
  const fill = (): void => {
    while (next < files.length && ahead.length < aheadFiles && (ahead.length === 0 || bytes < aheadBytes)) {
      const wanted = files[next++];
      if (wanted === undefined) return;
      bytes += Math.min(wanted.size, smallBytes);
      const fetched = fetch(source, folders, wanted.path);
      fetched.catch(() => undefined);
      ahead.push(fetched);
    }
  };
  try {
    for (const wanted of files) {
      fill();
      const fetched = await ahead.shift();
      bytes -= Math.min(wanted.size, smallBytes);
      if (fetched) yield* deliver(source, wanted.path, fetched);
    }
  } finally {
    // The reader left early: what was opened ahead is closed, or the server runs out of handles.
    for (const fetched of await Promise.allSettled(ahead)) {
      const { file = null, content = null } = (fetched.status === 'fulfilled' && fetched.value) || {};
      if (file !== null && content === null) await leave(source.channel, file.handle, source.signal);
    }
  }
}

async function* deliver(source: FileSource, path: EnginePath, { file, content }: Fetched): AsyncGenerator<IncomingFile> {
  if (content !== null) {
    yield { path, size: file.size, body: oneChunk(content) };
    return;
  }
  try {
    yield { path, size: file.size, body: readPipelined(source.channel, file, source.signal) };
  } finally {
    await leave(source.channel, file.handle, source.signal);
  }
}

async function* oneChunk(content: Buffer): AsyncGenerator<Uint8Array> {
  if (content.length > 0) yield content;
}

async function fetch(source: FileSource, folders: SftpFolders, path: EnginePath): Promise<Fetched | null> {
  return orLeftOut(async () => {
    const file = await openRegular(source, folders, path);
    if (file === null || file.size > smallBytes) return file && { file, content: null };
    try {
      return { file, content: await collect(readPipelined(source.channel, file, source.signal)) };
    } finally {
      await leave(source.channel, file.handle, source.signal);
    }
  });
}

/** SHA-256 in hex of one file's content; null when it cannot be had. */
async function hashFile(source: FileSource, folders: SftpFolders, path: EnginePath): Promise<string | null> {
  return orLeftOut(async () => {
    const file = await openRegular(source, folders, path);
    if (file === null) return null;
    try {
      const hash = createHash('sha256');
      for await (const bytes of readPipelined(source.channel, file, source.signal)) hash.update(bytes);
      return hash.digest('hex');
    } finally {
      await leave(source.channel, file.handle, source.signal);
    }
  });
}

/** Opens a regular file below real folders; anything else is never opened, as a FIFO would block the server for ever. */
async function openRegular(source: FileSource, folders: SftpFolders, path: EnginePath): Promise<OpenFile | null> {
  const { channel, home, signal } = source;
  const [holding, stats] = await Promise.all([folders.holding(path), channel.lstat(`${home}/${path}`, signal)]);
  if (holding !== 'real' || stats === null || !stats.isFile()) return null;
  // RACE: a link or FIFO may take the place here. Worst outcome: foreign content that no listed hash matches, or the stall limit.
  return { handle: await channel.openToRead(`${home}/${path}`, signal), size: stats.size };
}

async function readFully(channel: SftpChannel, handle: Buffer, from: number, length: number, signal: AbortSignal): Promise<Buffer> {
  const first = await channel.read(handle, from, length, signal);
  if (first.length === length || first.length === 0) return first;
  const parts = [first];
  let got = first.length;
  while (got < length) {
    const part = await channel.read(handle, from + got, length - got, signal);
    if (part.length === 0) break;
    parts.push(part);
    got += part.length;
  }
  return Buffer.concat(parts);
}

async function collect(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts);
}

async function orLeftOut<T>(work: () => Promise<T | null>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (sftpStatusOf(error) === null) throw error;
    return null;
  }
}

/** Closes a handle that was only read from; whether the server liked it changes nothing. */
async function leave(channel: SftpChannel, handle: Buffer, signal: AbortSignal): Promise<void> {
  await channel.closeFile(handle, signal).catch(() => undefined);
}
