import type { PathChange } from '../../shared/run-report';
import type { Disk } from './disk';
import type { Change } from './endpoint';
import type { EnginePath } from './entry';
import { type ChangeGroup, isWrite } from './groups';
import { storedName } from './state-names';

/** A version of a file that a change replaced or removed; its content is in the undo folder. */
export interface OldVersion {
  readonly hash: string;
  readonly size: number;
  /** Permission bits; null where the disk has none. */
  readonly mode: number | null;
  readonly mtime: number;
  readonly executable: boolean;
}

export interface NewVersion {
  readonly hash: string;
  readonly size: number;
  readonly executable: boolean;
}

/** One change that was carried out here, with what an undo needs. */
export interface SavedChange {
  readonly path: EnginePath;
  readonly change: PathChange;
  readonly group: string | null;
  /** For a copy: the file it was made from. */
  readonly about?: EnginePath | undefined;
  readonly old: OldVersion | null;
  readonly new: NewVersion | null;
}

/** A folder that went because it was emptied, and the permission bits it had. */
export interface GoneFolder {
  readonly path: EnginePath;
  readonly mode: number | null;
}

/** What finished groups did on this computer. */
export interface Saved {
  readonly changes: readonly SavedChange[];
  readonly folders: readonly GoneFolder[];
}

/** Describes a group that is done. */
export async function describeSaved(disk: Disk, { changes, folders }: ChangeGroup): Promise<Saved> {
  const saved: SavedChange[] = [];
  for (const change of changes) saved.push(await describeChange(disk, change));
  if (changes.every(isWrite)) return { changes: saved, folders: [] };
  const gone: GoneFolder[] = [];
  for (const { path, existed, mode } of folders) if (existed && (await disk.look(path)) === null) gone.push({ path, mode });
  return { changes: saved, folders: gone };
}

async function describeChange(disk: Disk, change: Change): Promise<SavedChange> {
  const { path, expected, group, about } = change;
  const kept = expected === null ? null : await disk.lookKept(storedName(path));
  const mode = kept?.mode ?? null;
  const old =
    expected === null
      ? null
      : {
          // Every listed file that may be changed was hashed; without a hash it could not be put back with certainty.
          hash: expected.hash ?? '',
          size: expected.size,
          mode,
          mtime: kept?.mtime ?? expected.mtime,
          executable: mode === null ? (expected.executable ?? false) : (mode & 0o100) !== 0,
        };
  if (!isWrite(change)) return { path, change: 'delete', group, about, old, new: null };
  const { hash, size, executable } = change.content;
  return { path, change: old === null ? 'create' : 'update', group, about, old, new: { hash, size, executable } };
}
