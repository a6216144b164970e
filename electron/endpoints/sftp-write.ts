import { createHash } from 'node:crypto';
import { AppError } from '../../shared/errors';
import { pathPhrases } from '../../shared/phrases/paths';
import type { Applied, Change } from '../engine/endpoint';
import type { EnginePath, ListedEntry } from '../engine/entry';
import { plainReason } from '../ssh/ssh-errors';
import { overtaken } from './overtaken';
import { chunkBytes, maxInFlight } from './sftp-channel';
import { saysFull, sftpStatus, sftpStatusOf } from './sftp-errors';
import { type FileSource, hashFiles } from './sftp-files';
import { folderOf } from './sftp-folders';
import { entryOf, kindOf } from './sftp-walk';

export type WriteChange = Change & { readonly kind: 'write' };

/** What the placing of one file needs besides the change. */
export interface WriteSettings {
  readonly now: () => number;
  /** Makes a fresh temporary name. */
  readonly temporaryName: () => string;
}

type Body = AsyncIterable<Uint8Array> | readonly Uint8Array[];

const tidyMs = 5000;
/** Files up to this size are read again before they are replaced or removed. */
const cheapBytes = 256 * 1024;
const latestSecond = 2 ** 32 - 1;

/**
 * Places one file: a temporary name beside it, checked, then renamed over what the listing saw. A failure of this path is a
 * value and leaves what was there; a full disk or a lost link throws. No temporary file stays unless the link is lost.
 */
export async function writeFile(source: FileSource, settings: WriteSettings, change: WriteChange, body: Body): Promise<Applied> {
  const { path } = change;
  const temporary = `${source.home}/${folderOf(path) ?? ''}/${settings.temporaryName()}`;
  let placed = false;
  try {
    const entry = await fill(source, settings, change, temporary, body);
    if (entry === 'overtaken') return overtaken(path);
    const reason = typeof entry === 'string' ? entry : await changedSince(source, path, change.expected);
    if (reason !== null || typeof entry === 'string') return { path, ok: false, reason: reason ?? '' };
    // RACE: what is written to the target between the check and the rename is lost.
    await place(source, settings, temporary, path);
    placed = true;
    return { path, ok: true, entry };
  } catch (error) {
    if (sftpStatusOf(error) === null) throw error;
    if (await isFull(source, error, change.content.size)) {
      throw new AppError('remote.disk-full', { path, said: plainReason(error) }, { cause: error });
    }
    return { path, ok: false, reason: plainReason(error) };
  } finally {
    // A cancelled request may still have made the file, so it goes even when its creation was never confirmed.
    if (!placed) await source.channel.unlink(temporary, AbortSignal.timeout(tidyMs)).catch(() => undefined);
  }
}

/** Why a path is no longer what the listing saw; null while it is. */
export async function changedSince(source: FileSource, path: EnginePath, expected: ListedEntry | null): Promise<string | null> {
  const changed = await looksChanged(source, path, expected);
  if (changed !== null || expected === null || expected.hash === null || expected.kind !== 'file') return changed;
  // Size and second prove nothing for a file that was fresh when it was listed: a later write may share them. Nor do they for one
  // whose time was set back, but to read large files again for that would cost more than sending them.
  if (expected.stamp !== '' && expected.size > cheapBytes) return null;
  if ((await hashFiles(source, [path])).get(path) !== expected.hash) return pathPhrases['changed-on-way'];
  // What was saved while it was read shows by its time.
  return looksChanged(source, path, expected);
}

async function looksChanged(source: FileSource, path: EnginePath, expected: ListedEntry | null): Promise<string | null> {
  const stats = await source.channel.lstat(`${source.home}/${path}`, source.signal);
  if (expected === null) return stats === null ? null : pathPhrases['name-taken'];
  if (stats === null) return 'it is gone';
  if (stats.isDirectory()) return 'a folder has this name now';
  const now = entryOf(stats, kindOf(stats), 0);
  const sameBit = now.executable === null || expected.executable === null || now.executable === expected.executable;
  const changed = now.kind !== expected.kind || now.size !== expected.size || now.mtime !== expected.mtime || !sameBit;
  return changed ? pathPhrases['changed-on-way'] : null;
}

async function fill(
  source: FileSource,
  settings: WriteSettings,
  change: WriteChange,
  temporary: string,
  body: Body,
): Promise<ListedEntry | string> {
  const { channel, signal } = source;
  const { content } = change;
  const handle = await channel.create(temporary, 0o600, signal);
  const sent = await send(source, handle, body);
  const seconds = Math.min(Math.max(0, Math.floor(content.mtime / 1000)), latestSecond);
  await channel.setAttributes(handle, { mode: content.executable ? 0o755 : 0o644, atime: seconds, mtime: seconds }, signal);
  const stats = await channel.fstat(handle, signal);
  await channel.closeFile(handle, signal);
  if (sent.size !== content.size || sent.hash !== content.hash) return 'overtaken';
  if (stats.size !== content.size) return `the remote stored ${stats.size} bytes of ${content.size}`;
  return { ...entryOf(stats, 'file', settings.now()), hash: content.hash };
}

async function send(source: FileSource, handle: Buffer, body: Body): Promise<{ readonly size: number; readonly hash: string }> {
  const hash = createHash('sha256');
  const answers: Promise<void>[] = [];
  let size = 0;
  for await (const piece of body) {
    hash.update(piece);
    for (let from = 0; from < piece.length; from += chunkBytes) {
      const chunk = piece.subarray(from, from + chunkBytes);
      if (answers.length >= maxInFlight) await answers.shift();
      const answer = source.channel.write(handle, chunk, size, source.signal);
      // Awaited in order; one that fails earlier than its turn is still seen then.
      answer.catch(() => undefined);
      answers.push(answer);
      size += chunk.length;
    }
  }
  await Promise.all(answers);
  return { size, hash: hash.digest('hex') };
}

async function place(source: FileSource, settings: WriteSettings, temporary: string, path: EnginePath): Promise<void> {
  const { channel, home, signal } = source;
  const target = `${home}/${path}`;
  if (channel.atomicRename || (await channel.lstat(target, signal)) === null) return channel.rename(temporary, target, signal);
  // The server's rename replaces nothing. RACE: a link lost between the two renames leaves the path empty there. Worst
  // outcome: the next run finds it removed on the remote and changed here, which is a conflict, and the old agreed content is swept.
  const aside = `${home}/${folderOf(path) ?? ''}/${settings.temporaryName()}`;
  await channel.rename(target, aside, signal);
  try {
    await channel.rename(temporary, target, signal);
  } catch (error) {
    await channel.rename(aside, target, AbortSignal.timeout(tidyMs)).catch(() => undefined);
    throw error;
  }
  await channel.unlink(aside, signal);
}

/** OpenSSH says "Failure" for a full disk as for anything else; the free space tells. */
async function isFull(source: FileSource, error: unknown, needed: number): Promise<boolean> {
  if (saysFull(error)) return true;
  if (sftpStatusOf(error) !== sftpStatus.failure) return false;
  const free = await source.channel.freeBytes(source.home, source.signal);
  return free !== null && free < needed;
}
