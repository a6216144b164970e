import type { SftpChannel, SftpStats } from '../endpoints/sftp-channel';
import { sftpStatus, sftpStatusOf } from '../endpoints/sftp-errors';
import { readSmallFile } from '../endpoints/sftp-files';
import type { SeenEntry, TreeReader, Unseen } from './tree-reader';

/**
 * Looks at a remote that offers nothing but SFTP. Archives are not unpacked: that would download them, and what is
 * not checked where it lies counts as not checked.
 */
export function createSftpReader(channel: SftpChannel, signal: AbortSignal): TreeReader {
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
    gunzips: async () => null,
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
