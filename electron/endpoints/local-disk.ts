import { randomBytes } from 'node:crypto';
import { chmod, copyFile, type FileHandle, link, lstat, mkdir, open, readdir, rename, rm, rmdir, unlink, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { causePhrases } from '../../shared/phrases/causes';
import { type Disk, pathFailure, type StagedFile, systemCode } from '../engine/disk';
import { makeTemporaryName, parseTemporaryName } from '../engine/state-names';
import { createLocalPaths, describeStats, hashFile, isAbsence } from './local-files';

/** Folders that one apply works with. Staging and undo belong to this run alone. */
export interface LocalDiskOptions {
  readonly home: string;
  readonly stagingDir: string;
  readonly undoDir: string;
  readonly now: () => number;
  /** Tests replace both. */
  readonly platform?: NodeJS.Platform;
  readonly wait?: (milliseconds: number) => Promise<void>;
}

const privateFolder = 0o700;
const never = new AbortController().signal;
/** What `link` says where a hard link cannot be made and a copy can. */
const cannotLink = new Set(['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'UNKNOWN', 'EINVAL']);
const settlingTime = 25;
/** Pauses before another try, in milliseconds: virus scanners and indexers let go within a second or two. */
const pauses = [10, 30, 100, 300, 600, 1000];
const inUse = new Set(['EPERM', 'EACCES', 'EBUSY']);

/** Seconds for a time in milliseconds; half a microsecond more, since the way to the disk cuts microseconds off. */
function seconds(time: number): number {
  return (time + 0.0005) / 1000;
}

async function exists(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    (error: unknown) => {
      if (isAbsence(error)) return false;
      throw error;
    },
  );
}

/** Copies a file under a name that is complete when it appears: content, mode and time are on the disk by then. */
async function copyWhole(from: string, to: string): Promise<void> {
  const temporary = join(dirname(to), makeTemporaryName({ kind: 'new', pid: process.pid, random: randomBytes(8).toString('hex') }));
  try {
    const stats = await lstat(from);
    await copyFile(from, temporary);
    await chmod(temporary, stats.mode & 0o777);
    await utimes(temporary, seconds(stats.atimeMs), seconds(stats.mtimeMs));
    await syncPath(temporary);
    await rename(temporary, to);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Renames, or copies and removes where the two places lie on different volumes. */
async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (systemCode(error) !== 'EXDEV') throw error;
    await copyWhole(from, to);
    await unlink(from);
  }
}

/** Flushes a file or a folder. Windows flushes only what is open for writing. */
async function syncPath(path: string): Promise<void> {
  const handle = await open(path, process.platform === 'win32' ? 'r+' : 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds));
}

/** Windows neither renames nor replaces a file while somebody has it open. */
async function patiently({ platform = process.platform, wait = pause }: LocalDiskOptions, path: string, work: () => Promise<void>) {
  if (platform !== 'win32') return work();
  for (const milliseconds of [...pauses, null]) {
    try {
      return await work();
    } catch (error) {
      if (!inUse.has(systemCode(error) ?? '')) throw error;
      if (milliseconds === null) throw pathFailure('replace', path, causePhrases['in-use']);
      await wait(milliseconds);
    }
  }
}

/** Makes the names in a folder durable. A folder that is gone needs nothing; Windows opens no folders and needs none of this. */
async function syncDirectory(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  await syncPath(folder).catch((error: unknown) => {
    if (!isAbsence(error)) throw error;
  });
}

async function unlinkIfThere(file: string): Promise<void> {
  await unlink(file).catch((error: unknown) => {
    if (!isAbsence(error)) throw error;
  });
}

async function openStaged(file: string, attributes: { readonly mtime: number; readonly executable: boolean }): Promise<StagedFile> {
  const mode = attributes.executable ? 0o700 : 0o600;
  const handle: FileHandle = await open(file, 'wx', mode).catch(async (error: unknown) => {
    if (systemCode(error) !== 'EEXIST') throw error;
    await unlink(file);
    return open(file, 'wx', mode);
  });
  return {
    write: (chunk) => handle.appendFile(chunk),
    finish: async () => {
      try {
        await handle.chmod(mode);
        await handle.utimes(seconds(attributes.mtime), seconds(attributes.mtime));
      } finally {
        await handle.close();
      }
    },
    discard: async () => {
      await handle.close();
      await unlinkIfThere(file);
    },
  };
}

/** Makes a folder and those above it. The system's own recursive way answers a refusal with what it did not find afterwards. */
async function makeFolders(folder: string): Promise<void> {
  const refusal = await mkdir(folder, { mode: privateFolder }).then(() => null, systemCode);
  if (refusal === null || refusal === 'EEXIST') return;
  if (refusal === 'ENOENT' && dirname(folder) !== folder) await makeFolders(dirname(folder));
  await mkdir(folder, { mode: privateFolder }).catch((error: unknown) => {
    if (systemCode(error) !== 'EEXIST') throw error;
  });
}

/** The disk of this computer, as an apply uses it. */
export function createLocalDisk(options: LocalDiskOptions): Disk {
  const { home, stagingDir, undoDir, now } = options;
  const { resolve } = createLocalPaths(home);
  const staged = (name: string) => join(stagingDir, name);
  const kept = (name: string) => join(undoDir, name);
  const made = new Map<string, Promise<unknown>>();
  const makeOurs = (folder: string): Promise<unknown> => {
    const making = made.get(folder) ?? makeFolders(folder);
    made.set(folder, making);
    return making;
  };

  const lookAt = async (file: string) => {
    const lookedAt = now();
    try {
      return describeStats(await lstat(file, { bigint: true }), lookedAt);
    } catch (error) {
      if (isAbsence(error)) return null;
      throw error;
    }
  };
  const syncOurs = async (folder: string) => {
    await makeOurs(folder);
    await syncDirectory(folder);
  };

  return {
    look: async (path) => lookAt(resolve(path)),
    hash: async (path) => hashFile(resolve(path), never),
    makeFolder: async (path, mode = null) => {
      try {
        await mkdir(resolve(path), { mode: privateFolder });
        if (mode !== null) await chmod(resolve(path), mode);
        return true;
      } catch (error) {
        if (systemCode(error) === 'EEXIST') return false;
        throw error;
      }
    },
    removeEmptyFolder: async (path) => {
      try {
        await rmdir(resolve(path));
        return true;
      } catch (error) {
        if (['ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'ENOENT', 'EBUSY'].includes(systemCode(error) ?? '')) return false;
        throw error;
      }
    },
    syncFolder: async (path) => syncDirectory(resolve(path)),
    dropTemporaries: async (folders, pid) => {
      for (const folder of [...folders.map(resolve), undoDir]) {
        const names = await readdir(folder).catch(() => []);
        for (const name of names) if (parseTemporaryName(name)?.pid === pid) await unlinkIfThere(join(folder, name));
      }
    },

    stage: async (name, attributes) => {
      await makeOurs(stagingDir);
      return openStaged(staged(name), attributes);
    },
    setStagedMode: async (name, mode) => chmod(staged(name), mode),
    flushStaged: (name) => syncPath(staged(name)),
    syncStaging: () => syncOurs(stagingDir),
    isStaged: (name) => exists(staged(name)),
    dropStaged: (name) => unlinkIfThere(staged(name)),
    place: async (name, path) => patiently(options, path, () => move(staged(name), resolve(path))),
    unplace: async (path, name) => patiently(options, path, () => move(resolve(path), staged(name))),

    keepCopy: async (path, name) => {
      await makeOurs(undoDir);
      const file = resolve(path);
      // Another name of the same file may be written in place later, and would change what was kept.
      if ((await lstat(file)).nlink > 1) return copyWhole(file, kept(name));
      await link(file, kept(name)).catch((error: unknown) => {
        if (cannotLink.has(systemCode(error) ?? '')) return copyWhole(file, kept(name));
        throw error;
      });
    },
    keepMoved: async (path, name) => {
      await makeOurs(undoDir);
      await patiently(options, path, () => move(resolve(path), kept(name)));
    },
    syncKept: () => syncOurs(undoDir),
    isKept: (name) => exists(kept(name)),
    lookKept: (name) => lookAt(kept(name)),
    dropKept: (name) => unlinkIfThere(kept(name)),
    putBack: async (name, path) => {
      await patiently(options, path, () => move(kept(name), resolve(path)));
      // Renaming one name of a file over another name of the same file does nothing at all.
      await unlinkIfThere(kept(name));
    },
    settle: () => new Promise((done) => setTimeout(done, settlingTime)),
  };
}
