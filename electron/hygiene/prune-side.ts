import { createHash } from 'node:crypto';
import type { AppError } from '../../shared/errors';
import type { SideName } from '../../shared/inspection';
import { trashFolder } from '../engine/state-names';
import type { SeenEntry, TreeReader } from './tree-reader';

/** Where the curator keeps its restore points, relative to the Hermes home. */
export const backupsFolder = 'skills/.curator_backups';

/** What lies at a path of one side, whole: the same facts again mean that nothing in it changed. */
export interface SurveyedEntry {
  /** Relative to the Hermes home; absolute for what lies in the temporary folder of this computer. */
  readonly path: string;
  readonly kind: 'folder' | 'file' | 'link' | 'other';
  readonly files: number;
  readonly bytes: number;
  /** Latest modification in it, in milliseconds since 1970; null where the side cannot tell. */
  readonly newest: number | null;
  /** Changes with every name, size and time in it; null when a part could not be read, or when it is a link. */
  readonly stamp: string | null;
}

/** What one side holds right now. */
export interface Survey {
  /** Everything directly in the folder of restore points, then what else was asked for. */
  readonly entries: readonly SurveyedEntry[];
  /** That side's clock, in milliseconds since 1970; null where it cannot be asked. */
  readonly clock: number | null;
  /** A lock of another prune, with its time. */
  readonly pruning: { readonly since: number | null } | null;
  /** What of Hermes is locked right now; null when nothing is. */
  readonly locked: string | null;
}

/** A folder to move out of the way, as the plan saw it, and its name in the store. */
export interface Leaving {
  readonly path: string;
  readonly stamp: string;
  readonly name: string;
}

/** Paths that did not go, or did not come back, with the reason. */
export type Failures = ReadonlyMap<string, string>;

/** `refused`: the place that keeps what goes cannot be used. Only `moved` moved anything. */
export type MoveOutcome =
  | { readonly kind: 'changed' }
  | { readonly kind: 'refused'; readonly error: AppError }
  | { readonly kind: 'moved'; readonly failed: Failures };

/** One side, as prune and clean work on it. Nothing is ever moved or deleted through a link. */
export interface PruneSide {
  readonly side: SideName;
  /** Absolute Hermes home. */
  readonly home: string;
  /** Reads only. */
  survey(paths: readonly string[], signal: AbortSignal): Promise<Survey>;
  /** Looks once more at everything, and moves nothing at all when anything is not as stamped. */
  move(run: string, items: readonly Leaving[], signal: AbortSignal): Promise<MoveOutcome>;
  /** Puts back what a run moved, where its name is free. */
  restore(run: string, items: readonly Pick<Leaving, 'path' | 'name'>[], signal: AbortSignal): Promise<Failures>;
  /** Names in the store of what is kept of a run; none when nothing is. Fails when a link lies where the store should be. */
  kept(run: string, signal: AbortSignal): Promise<ReadonlySet<string>>;
  /** Deletes what a run moved, for good. Nothing happens when it is gone; fails like `kept`. */
  drop(run: string, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** A side that keeps what went for a time. */
export interface TrashOwner {
  /** Deletes what runs before `before` (the beginning of a run's id) moved into the trash. */
  empty(before: string, signal: AbortSignal): Promise<void>;
}

/** Lock of a prune in the trash, made with the first move and removed after the last. */
export const pruneLock = `${trashFolder}/.lock`;

/** Age from which a lock was left by a prune that broke off, in milliseconds. */
export const pruneLockMs = 10 * 60_000;

/** Whether that lock still counts. */
export function isPruning({ pruning }: Survey, now: number): boolean {
  return pruning !== null && (pruning.since === null || now - pruning.since < pruneLockMs);
}

/** Surveys a side through a reader of its tree. */
export async function surveyTree(reader: TreeReader, home: string, paths: readonly string[]): Promise<Survey> {
  const entries: SurveyedEntry[] = [];
  for (const path of [...(await listBackups(reader, home)), ...paths]) {
    const entry = await surveyPath(reader, home, path);
    if (entry !== null) entries.push(entry);
    // Its name cannot be spelled, so it cannot be asked for.
    else if (path.includes('\ufffd')) entries.push({ path, kind: 'other', files: 1, bytes: 0, newest: null, stamp: null });
  }
  const lock = await reader.look(`${home}/${pruneLock}`, { follow: false });
  return { entries, clock: null, pruning: typeof lock === 'string' ? null : { since: lock.mtime }, locked: null };
}

async function listBackups(reader: TreeReader, home: string): Promise<readonly string[]> {
  if (!(await isPlain(reader, home, backupsFolder))) return [];
  const listed = await reader.list(`${home}/${backupsFolder}`);
  return typeof listed === 'string' ? [] : listed.map(({ name }) => `${backupsFolder}/${name}`);
}

/** What lies at one path; null when nothing does. */
export async function surveyPath(reader: TreeReader, home: string, path: string): Promise<SurveyedEntry | null> {
  const seen = await reader.look(`${home}/${path}`, { follow: false });
  if (typeof seen === 'string') return null;
  const { kind, mtime } = seen;
  if (kind === 'link' || !(await isPlain(reader, home, folderOf(path)))) {
    return { path, kind: 'link', files: 1, bytes: seen.size, newest: mtime, stamp: null };
  }
  const found = new Found();
  found.add('.', seen);
  if (kind === 'folder') await addBelow(reader, `${home}/${path}`, '.', found);
  return { path, kind, files: found.files, bytes: found.bytes, newest: found.newest, stamp: found.stamp() };
}

/** The folder that holds a path; empty for the root itself. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** True when the folder and those above it, below the root, are real. The root itself may be a link. */
export async function isPlain(reader: TreeReader, home: string, folder: string): Promise<boolean> {
  const names = folder.split('/');
  for (let depth = 1; depth <= names.length; depth += 1) {
    const seen = await reader.look(`${home}/${names.slice(0, depth).join('/')}`, { follow: depth === 1 });
    if (typeof seen === 'string' || seen.kind !== 'folder') return false;
  }
  return true;
}

class Found {
  files = 0;
  bytes = 0;
  newest = 0;
  private complete = true;
  private readonly lines: string[] = [];

  add(path: string, { kind, size, mtime }: SeenEntry): void {
    this.newest = Math.max(this.newest, mtime);
    this.lines.push(`${kind} ${kind === 'folder' ? 0 : size} ${mtime} ${path}`);
    if (kind === 'folder') return;
    this.files += 1;
    this.bytes += size;
  }

  incomplete(): void {
    this.complete = false;
  }

  stamp(): string | null {
    return this.complete ? createHash('sha256').update(this.lines.sort().join('\0')).digest('hex') : null;
  }
}

async function addBelow(reader: TreeReader, home: string, path: string, found: Found): Promise<void> {
  const listed = await reader.list(`${home}/${path}`);
  if (typeof listed === 'string') return found.incomplete();
  for (const entry of listed) {
    const inside = `${path}/${entry.name}`;
    found.add(inside, entry);
    if (entry.kind === 'folder') await addBelow(reader, home, inside, found);
  }
}
