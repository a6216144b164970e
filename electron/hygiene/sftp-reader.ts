import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { SftpChannel, SftpStats } from '../endpoints/sftp-channel';
import { sftpStatus, sftpStatusOf } from '../endpoints/sftp-errors';
import { readPipelined, readSmallFile } from '../endpoints/sftp-files';
import type { SeenEntry, TreeReader, Unseen } from './tree-reader';

/**
 * Looks at a remote that offers nothing but SFTP. Archives are not unpacked unless that was asked for: it downloads them, and
 * what was not checked counts as not checked.
 */
export function createSftpReader(channel: SftpChannel, signal: AbortSignal, download = false): TreeReader {
  return {
    look: (path, { follow }) =>
      orUnseen(async () => {
        const stats = follow ? await channel.stat(path, signal) : await channel.lstat(path, signal);
        return stats === null ? 'missing' : entryOf(path.slice(path.lastIndexOf('/') + 1), stats);
      }),
    list: (folder) =>
      orUnseen(async () => {
        const found = await channel.readdir(folder, signal);
        const named = found.filter(({ filename }) => filename !== '.' && filename !== '..' && !filename.includes('/'));
        return named.map(({ filename, longname, attrs }) => entryOf(filename, attrs, longname.startsWith('l')));
      }),
    read: (file, limit) => orUnseen(async () => (await readSmallFile({ channel, home: '', signal }, file, limit)) ?? 'missing'),
    gunzips: async (file) => (download ? gunzips(channel, file, signal) : null),
  };
}

function entryOf(name: string, stats: SftpStats, listedAsLink = false): SeenEntry {
  const isLink = listedAsLink || stats.isSymbolicLink();
  const kind = isLink ? 'link' : stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : 'other';
  return { name, kind, size: stats.size, mtime: stats.mtime * 1000 };
}

async function orUnseen<T>(work: () => Promise<T>): Promise<T | Unseen> {
  try {
    return await work();
  } catch (error) {
    const status = sftpStatusOf(error);
    if (status === null) throw error;
    return status === sftpStatus.missing ? 'missing' : 'unreadable';
  }
}

/** Downloads an archive, keeping nothing of it. */
async function gunzips(channel: SftpChannel, file: string, signal: AbortSignal): Promise<boolean | 'unreadable'> {
  const stats = await channel.lstat(file, signal);
  if (stats === null || !stats.isFile()) return 'unreadable';
  const handle = await channel.openToRead(file, signal).catch((error: unknown) => {
    if (sftpStatusOf(error) === null) throw error;
    return null;
  });
  if (handle === null) return 'unreadable';
  try {
    await pipeline(readPipelined(channel, { handle, size: stats.size }, signal), createGunzip(), async (unpacked) => {
      for await (const chunk of unpacked) void chunk;
    });
    return true;
  } catch (error) {
    if (String((error as { readonly code?: unknown }).code).startsWith('Z_')) return false;
    if (sftpStatusOf(error) === null) throw error;
    return 'unreadable';
  } finally {
    await channel.closeFile(handle, signal).catch(() => undefined);
  }
}
