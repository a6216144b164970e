import type { BigIntStats, Dirent } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { throwIfCancelled } from '../engine/cancel';
import { systemCode } from '../engine/disk';
import type { TreeTotals } from '../engine/endpoint';
import type { EnginePath, ListedEntry } from '../engine/entry';
import { describeStats, isAbsence, type LocalPaths } from './local-files';

/** Folders that are read at the same time. */
const foldersInFlight = 16;

/** The file calls of a walk; a test replaces them to make a disk fail. */
export interface WalkFiles {
  readdir(folder: string): Promise<readonly Dirent<Buffer>[]>;
  lstat(file: string): Promise<BigIntStats>;
  stat(file: string): Promise<BigIntStats>;
}

/** The file calls of this computer. Names come as bytes, so that what is no valid UTF-8 is seen and not mistaken. */
export const walkFiles: WalkFiles = {
  readdir: (folder) => readdir(folder, { withFileTypes: true, encoding: 'buffer' }),
  lstat: (file) => lstat(file, { bigint: true }),
  stat: (file) => stat(file, { bigint: true }),
};

/** What a walk needs to know. */
export interface WalkContext {
  readonly paths: LocalPaths;
  readonly files: WalkFiles;
  readonly now: () => number;
}

/** What a walk looks at to see whether anybody still wants it. */
type Stoppable = Pick<AbortSignal, 'aborted'>;

/** What to list. Folders with a skipped name are not entered. */
export interface WalkRequest {
  readonly roots: readonly EnginePath[];
  readonly skipped: ReadonlySet<string>;
}

/** Visits folders, many at a time; each visit returns the folders to visit next. The first failure ends it. */
async function visitFolders<T>(first: readonly T[], visit: (folder: T) => Promise<readonly T[]>, signal: Stoppable): Promise<void> {
  const pending = [...first];
  let active = 0;
  await new Promise<void>((resolve, reject) => {
    const proceed = (): void => {
      if (active === 0 && pending.length === 0) resolve();
      while (active < foldersInFlight && !signal.aborted) {
        const folder = pending.pop();
        if (folder === undefined) return;
        active += 1;
        visit(folder).then((next) => {
          active -= 1;
          for (const found of next) pending.push(found);
          proceed();
        }, reject);
      }
      if (signal.aborted && active === 0) resolve();
    };
    proceed();
  });
  throwIfCancelled(signal);
}

type RootState = 'folder' | 'missing' | 'unreadable';

/** A root is the only place where a link is followed. A root that is no folder is unknown, not empty. */
async function lookAtRoot({ paths, files }: WalkContext, root: EnginePath): Promise<RootState> {
  try {
    return (await files.stat(paths.resolve(root))).isDirectory() ? 'folder' : 'unreadable';
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') return 'unreadable';
  }
  try {
    await files.lstat(paths.resolve(root));
    // A link that leads nowhere: the disk behind it may only be away.
    return 'unreadable';
  } catch (error) {
    return isAbsence(error) ? 'missing' : 'unreadable';
  }
}

interface ListWorker {
  readonly context: WalkContext;
  readonly request: WalkRequest;
  readonly signal: Stoppable;
  readonly entries: Map<EnginePath, ListedEntry>;
  readonly unreadable: EnginePath[];
  readonly notEntered: EnginePath[];
}

/** Something whose name cannot be said in UTF-8. Rules refuse it, so all that matters is that it is there. */
function unnameable(dirent: Dirent<Buffer>): ListedEntry {
  const kind = dirent.isFile() ? 'file' : dirent.isSymbolicLink() ? 'link' : 'other';
  return { kind, size: 0, mtime: 0, executable: null, hash: null, stamp: '' };
}

async function listEntry({ context, entries, unreadable }: ListWorker, path: EnginePath): Promise<boolean> {
  const lookedAt = context.now();
  try {
    const { kind, size, mtime, mode, stamp, settled } = describeStats(await context.files.lstat(context.paths.resolve(path)), lookedAt);
    if (kind === 'folder') return true;
    if (kind !== 'file') {
      entries.set(path, { kind, size, mtime, executable: null, hash: null, stamp: '' });
      return false;
    }
    const executable = mode === null ? null : (mode & 0o100) !== 0;
    entries.set(path, { kind, size, mtime, executable, hash: null, stamp: settled ? stamp : '' });
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') unreadable.push(path);
  }
  return false;
}

/**
 * RACE: a folder may become a link between being found and being read. Names behind the link are then listed; they are neither
 * hashed nor read nor written, since each of those checks the folders again.
 */
async function listFolder(worker: ListWorker, folder: EnginePath): Promise<readonly EnginePath[]> {
  const { context, request, signal } = worker;
  let dirents: readonly Dirent<Buffer>[];
  try {
    dirents = await context.files.readdir(context.paths.resolve(folder));
  } catch (error) {
    // A folder that vanished during the walk is gone; anything else leaves its content unknown.
    if (systemCode(error) !== 'ENOENT') worker.unreadable.push(folder);
    return [];
  }
  const folders: EnginePath[] = [];
  const rest: EnginePath[] = [];
  for (const dirent of dirents) {
    const name = dirent.name.toString('utf8');
    const path = `${folder}/${name}`;
    if (dirent.isDirectory()) folders.push(path);
    else if (name.includes('\ufffd') || name.includes('\\')) worker.entries.set(path, unnameable(dirent));
    else rest.push(path);
  }
  throwIfCancelled(signal);
  const becameFolders = await Promise.all(rest.map(async (path) => ((await listEntry(worker, path)) ? [path] : [])));
  return [...folders, ...becameFolders.flat()].filter((path) => {
    const isSkipped = request.skipped.has(path.slice(path.lastIndexOf('/') + 1));
    if (isSkipped) worker.notEntered.push(path);
    return !isSkipped;
  });
}

/** What lies below the roots. */
export interface WalkedRoots {
  readonly entries: ReadonlyMap<EnginePath, ListedEntry>;
  readonly unreadable: readonly EnginePath[];
  readonly missingRoots: readonly EnginePath[];
  /** Folders with a skipped name. */
  readonly notEntered: readonly EnginePath[];
}

/** Lists everything below the roots that is no folder. No content is read. */
export async function listRoots(context: WalkContext, request: WalkRequest, signal: Stoppable): Promise<WalkedRoots> {
  const worker: ListWorker = { context, request, signal, entries: new Map(), unreadable: [], notEntered: [] };
  const missingRoots: EnginePath[] = [];
  const present: EnginePath[] = [];
  for (const root of request.roots) {
    const state = await lookAtRoot(context, root);
    if (state === 'missing') missingRoots.push(root);
    else if (state === 'unreadable') worker.unreadable.push(root);
    else present.push(root);
  }
  await visitFolders(present, (folder) => listFolder(worker, folder), signal);
  const entries = new Map([...worker.entries].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { entries, unreadable: worker.unreadable.sort(), missingRoots, notEntered: worker.notEntered };
}

/** A folder that the rules refuse; `tree` is the name it is counted under. */
export interface RefusedFolder {
  readonly path: EnginePath;
  readonly tree: string;
}

/** Counts the files in refused folders. Reads names and sizes only. */
export async function countRefused(context: WalkContext, refused: readonly RefusedFolder[], signal: AbortSignal): Promise<TreeTotals> {
  const byTree = new Map<string, { files: number; bytes: number }>();
  let complete = true;

  const countFile = async (file: string, tree: string): Promise<void> => {
    try {
      const { size } = await context.files.lstat(file);
      const total = byTree.get(tree) ?? { files: 0, bytes: 0 };
      byTree.set(tree, { files: total.files + 1, bytes: total.bytes + Number(size) });
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') complete = false;
    }
  };
  const visit = async ({ path, tree }: RefusedFolder): Promise<readonly RefusedFolder[]> => {
    const folder = context.paths.resolve(path);
    const dirents = await context.files.readdir(folder).catch((error: unknown) => {
      if (systemCode(error) !== 'ENOENT') complete = false;
      return [];
    });
    const next: RefusedFolder[] = [];
    for (const dirent of dirents) {
      const inner = `${path}/${dirent.name.toString('utf8')}`;
      if (inner.includes('\ufffd') || inner.includes('\\')) complete = false;
      else if (dirent.isDirectory()) next.push({ path: inner, tree });
      else await countFile(context.paths.resolve(inner), tree);
    }
    throwIfCancelled(signal);
    return next;
  };
  await visitFolders(refused, visit, signal);
  return { byTree, complete };
}
