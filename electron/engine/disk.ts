import { AppError, isAppError } from '../../shared/errors';
import { causePhrases } from '../../shared/phrases/causes';
import type { EnginePath } from './entry';

/** What lies at a path in the home, not following a link there. */
export interface DiskEntry {
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  readonly size: number;
  /** Modification time in milliseconds. */
  readonly mtime: number;
  /** Permission bits; null where the disk has none. */
  readonly mode: number | null;
  /** Size, times and inode in one text: equal texts mean that nothing happened in between, if `settled`. */
  readonly stamp: string;
  /** False while a later write could still get the same times. */
  readonly settled: boolean;
}

/** A file on its way into the staging folder. Ends with exactly one of `finish` and `discard`. */
export interface StagedFile {
  write(chunk: Uint8Array): Promise<void>;
  /** Content, time and mode are complete when this returns, and durable after `flushStaged`. */
  finish(): Promise<void>;
  discard(): Promise<void>;
}

/**
 * The part of a disk that an apply needs. Paths are engine paths inside the home; the empty path is the home. Names are those
 * of content in the flat staging and undo folders. Every method rejects with what the system said, and then did nothing,
 * unless stated otherwise; a path that leads outside the home is rejected.
 */
export interface Disk {
  look(path: EnginePath): Promise<DiskEntry | null>;
  /** SHA-256 of a regular file; rejects for anything else. */
  hash(path: EnginePath): Promise<string>;

  /** Makes one folder, with this mode or else for the user alone. False when something is there. */
  makeFolder(path: EnginePath, mode?: number | null): Promise<boolean>;
  /** Removes a folder if it is empty. False when it is not empty, or no folder. */
  removeEmptyFolder(path: EnginePath): Promise<boolean>;
  /** Makes renames into and out of the folder durable, where the system can. A folder that is gone needs nothing. */
  syncFolder(path: EnginePath): Promise<void>;
  /** Removes the temporary files that a process, now gone, left in these folders and in the undo folder. */
  dropTemporaries(folders: readonly EnginePath[], pid: number): Promise<void>;

  /** Starts a staged file, private to the user, replacing a leftover of that name. */
  stage(name: string, attributes: { readonly mtime: number; readonly executable: boolean }): Promise<StagedFile>;
  setStagedMode(name: string, mode: number): Promise<void>;
  /** Makes one finished file durable. */
  flushStaged(name: string): Promise<void>;
  /** Makes the names of the staged files durable. The folder is there afterwards. */
  syncStaging(): Promise<void>;
  isStaged(name: string): Promise<boolean>;
  dropStaged(name: string): Promise<void>;
  /** Gives staged content its final name in one step, over a file that may be there. */
  place(name: string, path: EnginePath): Promise<void>;
  /** Moves a placed file back into the staging folder. */
  unplace(path: EnginePath, name: string): Promise<void>;

  /** Keeps a second copy of a file in the undo folder. The name appears there only when the copy is complete. */
  keepCopy(path: EnginePath, name: string): Promise<void>;
  /** Moves a file into the undo folder. */
  keepMoved(path: EnginePath, name: string): Promise<void>;
  /** Makes the names of what is kept durable. */
  syncKept(): Promise<void>;
  isKept(name: string): Promise<boolean>;
  lookKept(name: string): Promise<DiskEntry | null>;
  /** Removes kept content. Nothing there is no error. */
  dropKept(name: string): Promise<void>;
  /** Moves kept content back to its path, over what is there. */
  putBack(name: string, path: EnginePath): Promise<void>;
  /** Returns once no write can share a clock tick with one that came before the call. */
  settle(): Promise<void>;
}

/** Folder part of a path; empty for a root. */
export function parentOf(path: EnginePath): EnginePath {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Folders above a path, the root first. */
export function parentsOf(path: EnginePath): readonly EnginePath[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

const words: Readonly<Record<string, string>> = {
  EACCES: causePhrases['no-permission'],
  EPERM: causePhrases['not-permitted'],
  EROFS: causePhrases['disk-read-only'],
  ENOSPC: causePhrases['disk-full'],
  EDQUOT: causePhrases['quota-used'],
  EIO: causePhrases['disk-error'],
  EBUSY: causePhrases['in-use'],
  ETXTBSY: causePhrases.executed,
  ENAMETOOLONG: causePhrases['name-too-long'],
  ENOENT: causePhrases['not-there'],
  ENOTDIR: causePhrases['above-no-folder'],
  EISDIR: causePhrases['is-folder'],
  ELOOP: causePhrases['is-link'],
  EMFILE: causePhrases['too-many-open'],
};

/** The system's code of an error, such as `ENOENT`; null when it has none. */
export function systemCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || isAppError(error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

/** Why something could not be done to one path, in words that follow "failed:". Names no path of this computer. */
export function problemOf(error: unknown): string {
  if (isAppError(error, 'local.failed')) return error.details.reason;
  const code = systemCode(error);
  if (code !== null) return words[code] ?? `the system said ${code}`;
  return error instanceof Error ? error.message : String(error);
}

/** An error that fails one path for a reason of our own. */
export function pathFailure(operation: string, path: EnginePath, reason: string): AppError<'local.failed'> {
  return new AppError('local.failed', { operation, path, reason });
}
