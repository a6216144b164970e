import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Rules } from '../../shared/rules';
import { type ApplyRecord, applyChanges } from '../engine/apply';
import { orCancelled, throwIfCancelled } from '../engine/cancel';
import { type Disk, parentOf } from '../engine/disk';
import type { Endpoint, Listing, ListRequest, TreeTotals } from '../engine/endpoint';
import type { EnginePath, ListedEntry } from '../engine/entry';
import { inTurns } from '../engine/turns';
import { createLocalDisk } from './local-disk';
import { createLocalPaths } from './local-files';
import { readIdentity, writeIdentity } from './local-identity';
import { countRefused, listRoots, type RefusedFolder, type WalkContext, type WalkedRoots, type WalkFiles, walkFiles } from './local-walk';
import { hashInThread, listInThread, readInThread } from './local-worker';

export { detectFolds } from './local-folds';

/** The home on this computer, and where one run stages content and keeps what it replaces. */
export interface LocalEndpointOptions {
  readonly home: string;
  /** On the volume of the roots if possible, so that placing a file is a rename. Made when needed. */
  readonly stagingDir: string;
  readonly undoDir: string;
  readonly now: () => number;
  /** Makes an apply one that can be recovered and undone; whoever gave it drops what was staged. */
  readonly record?: ApplyRecord;
  /** File calls of the walks, which then do not run in a thread, and the disk of the apply; tests replace them. */
  readonly files?: WalkFiles;
  readonly disk?: Disk;
}

/** The name that a folder is counted under, in which the rules refuse it or one above; null for a folder that is in scope. */
function treeNames(roots: readonly string[], rules: Rules): (folder: EnginePath) => string | null {
  const names = new Map<EnginePath, string | null>(roots.map((root) => [root, null]));
  const nameOf = (folder: EnginePath): string | null => {
    const known = names.get(folder);
    if (known !== undefined) return known;
    const own = () => (rules.descends(folder) ? null : (rules.treeOf(folder) ?? folder.slice(folder.lastIndexOf('/') + 1)));
    const name = nameOf(parentOf(folder)) ?? own();
    names.set(folder, name);
    return name;
  };
  return nameOf;
}

/** What was walked, as the rules see it. */
interface Judged extends Pick<Listing, 'entries' | 'unreadable' | 'missingRoots'> {
  /** What was walked in folders that the rules refuse. */
  readonly counted: TreeTotals;
  /** Folders that were not walked. */
  readonly uncounted: readonly RefusedFolder[];
}

/** Parts what was walked into what is in scope, with the hashes that memory proves, and what lies in refused folders. */
async function underRules(walked: WalkedRoots, { roots, rules, memory }: ListRequest): Promise<Judged> {
  const { entries, unreadable, missingRoots, notEntered } = walked;
  const treeOf = treeNames(roots, rules);
  const listed = new Map<EnginePath, ListedEntry>();
  const byTree = new Map<string, { files: number; bytes: number }>();
  await inTurns(entries, ([path, entry]) => {
    const tree = treeOf(parentOf(path));
    if (tree === null) {
      const known = entry.stamp === '' ? undefined : memory?.entries.get(path);
      listed.set(path, known?.stamp === entry.stamp ? { ...entry, hash: known.hash } : entry);
    } else {
      const total = byTree.get(tree) ?? { files: 0, bytes: 0 };
      byTree.set(tree, { files: total.files + 1, bytes: total.bytes + entry.size });
    }
  });
  return {
    entries: listed,
    missingRoots,
    unreadable: unreadable.filter((path) => roots.includes(path) || treeOf(parentOf(path)) === null),
    counted: { byTree, complete: unreadable.length === 0 },
    uncounted: notEntered.map((path) => ({ path, tree: treeOf(path) ?? path })),
  };
}

/** Totals of two walks. */
function bothTotals(a: TreeTotals, b: TreeTotals): TreeTotals {
  const byTree = new Map(a.byTree);
  for (const [tree, { files, bytes }] of b.byTree) {
    const known = byTree.get(tree) ?? { files: 0, bytes: 0 };
    byTree.set(tree, { files: known.files + files, bytes: known.bytes + bytes });
  }
  return { byTree, complete: a.complete && b.complete };
}

/** Free bytes on the home's volume; that of the nearest folder above while there is no home. */
async function freeBytes(home: string): Promise<number | null> {
  for (let folder = home; ; folder = dirname(folder)) {
    const volume = await statfs(folder, { bigint: true }).catch(() => null);
    if (volume !== null) return Number(volume.bavail * volume.bsize);
    if (folder === dirname(folder)) return null;
  }
}

/** This computer as one side of a connection. */
export function createLocalEndpoint(options: LocalEndpointOptions): Endpoint {
  const { home, now, files = walkFiles } = options;
  const paths = createLocalPaths(home);
  const walk: WalkContext = { paths, files, now };
  const disk = options.disk ?? createLocalDisk(options);
  const look = async (request: ListRequest, signal: AbortSignal): Promise<Judged> => {
    const skipped = request.rules.remoteFilter.names;
    const walked =
      options.files === undefined
        ? await listInThread({ home, roots: request.roots, skipped, lookedAt: now() }, signal)
        : await listRoots(walk, { roots: request.roots, skipped: new Set(skipped) }, signal);
    return underRules(walked, request);
  };
  let looking: Promise<Judged> | null = null;

  return {
    side: 'local',
    list: async (request, signal) => {
      throwIfCancelled(signal);
      looking = look(request, signal);
      const [{ entries, unreadable, missingRoots }, identity, free] = await Promise.all([
        looking,
        readIdentity(paths),
        orCancelled(freeBytes(home), signal),
      ]);
      return { home, entries, unreadable, missingRoots, identity, freeBytes: free };
    },
    hash: (wanted, signal) => hashInThread(home, wanted, signal),
    totals: async (_request, signal) => {
      throwIfCancelled(signal);
      if (looking === null) throw new Error('list comes first');
      const { counted, uncounted } = await orCancelled(looking, signal);
      return bothTotals(counted, await countRefused(walk, uncounted, signal));
    },
    read: (wanted, signal) => readInThread(home, wanted, signal),
    apply: (request, signal) => applyChanges(disk, request, signal, options.record),
    identify: async (proposed, signal) => {
      throwIfCancelled(signal);
      return writeIdentity(paths, proposed);
    },
    remember: async (signal) => {
      throwIfCancelled(signal);
      return null;
    },
    close: async () => undefined,
  };
}
