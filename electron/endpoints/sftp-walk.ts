import type { Stats } from 'ssh2';
import type { EnginePath, EntryKind, ListedEntry } from '../engine/entry';
import type { SftpChannel } from './sftp-channel';
import { sftpStatus, sftpStatusOf } from './sftp-errors';

/** What a walk meets. Directories are asked about before they are entered; paths begin with the root's name. */
export interface SftpVisitor {
  /** Whether to enter the directory. */
  enters(path: EnginePath): boolean;
  /** A file, link or special file. */
  meets(path: EnginePath, stats: Stats, kind: EntryKind): void;
  /** A directory that could not be read. */
  fails(path: EnginePath): void;
}

/** A write in the same clock tick, or one not yet visible in a time of whole seconds, could hide behind so fresh a time. */
const freshMs = 2000;

/** The listing's entry for what SFTP told. SFTP knows size and whole seconds and nothing better. */
export function entryOf(stats: Stats, kind: EntryKind, nowMs: number): ListedEntry {
  const mtime = stats.mtime * 1000;
  const fresh = !Number.isFinite(mtime) || nowMs - mtime < freshMs;
  return {
    kind,
    size: stats.size,
    mtime: Number.isFinite(mtime) ? mtime : 0,
    executable: stats.mode === undefined ? null : (stats.mode & 0o100) !== 0,
    hash: null,
    stamp: fresh ? '' : `${stats.size}:${stats.mtime}`,
  };
}

export function kindOf(stats: Stats): EntryKind {
  return stats.isFile() ? 'file' : stats.isSymbolicLink() ? 'link' : 'other';
}

/**
 * Walks one root, as many directories at a time as the channel takes requests. The root may be a link to a folder; no other
 * link is followed. Returns false when there is no such folder.
 */
export async function walkSftp(
  channel: SftpChannel,
  home: string,
  root: EnginePath,
  visitor: SftpVisitor,
  signal: AbortSignal,
): Promise<boolean> {
  const stats = await orUnreadable(channel.stat(`${home}/${root}`, signal), root, visitor);
  if (stats === 'unreadable') return true;
  if (stats === null || !stats.isDirectory()) return false;
  const walk = async (folder: EnginePath): Promise<void> => {
    const found = await orUnreadable(channel.readdir(`${home}/${folder}`, signal), folder, visitor);
    // Gone since its parent was read.
    if (found === 'unreadable' || found === null) return;
    const below: Promise<void>[] = [];
    for (const { filename, longname, attrs } of found) {
      if (filename === '.' || filename === '..') continue;
      if (filename === '' || filename.includes('/')) {
        visitor.fails(folder);
        continue;
      }
      const path = `${folder}/${filename}`;
      // A server may answer with what a link leads to; the line it prints for people still says that it is one.
      const isLink = attrs.isSymbolicLink() || longname.startsWith('l');
      if (!isLink && attrs.isDirectory()) {
        if (visitor.enters(path)) below.push(walk(path));
      } else visitor.meets(path, attrs, isLink ? 'link' : kindOf(attrs));
    }
    await Promise.all(below);
  };
  await walk(root);
  return true;
}

async function orUnreadable<T>(request: Promise<T>, path: EnginePath, visitor: SftpVisitor): Promise<T | null | 'unreadable'> {
  try {
    return await request;
  } catch (error) {
    const status = sftpStatusOf(error);
    if (status === null) throw error;
    if (status === sftpStatus.missing) return null;
    visitor.fails(path);
    return 'unreadable';
  }
}
