import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type ApplyRecord, applyChanges } from '../engine/apply';
import { orCancelled, throwIfCancelled } from '../engine/cancel';
import { type Disk, parentOf } from '../engine/disk';
import type { Endpoint, ListRequest } from '../engine/endpoint';
import type { EnginePath, ListedEntry } from '../engine/entry';
import { createLocalDisk } from './local-disk';
import { createLocalPaths } from './local-files';
import { readIdentity, writeIdentity } from './local-identity';
import { countRefused, listRoots, type WalkContext, type WalkedRoots, type WalkFiles, walkFiles } from './local-walk';
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

/** What was walked, as the rules see it: without what lies in folders they refuse, and with the hashes that memory proves. */
function underRules({ entries, unreadable, missingRoots }: WalkedRoots, { roots, rules, memory }: ListRequest): WalkedRoots {
  const entered = new Map<EnginePath, boolean>(roots.map((root) => [root, true]));
  const isEntered = (folder: EnginePath): boolean => {
    const known = entered.get(folder);
    if (known !== undefined) return known;
    const isIn = isEntered(parentOf(folder)) && rules.descends(folder);
    entered.set(folder, isIn);
    return isIn;
  };
  const listed = new Map<EnginePath, ListedEntry>();
  for (const [path, entry] of entries) {
    if (!isEntered(parentOf(path))) continue;
    const known = entry.stamp === '' ? undefined : memory?.entries.get(path);
    listed.set(path, known?.stamp === entry.stamp ? { ...entry, hash: known.hash } : entry);
  }
  return { entries: listed, unreadable: unreadable.filter((path) => roots.includes(path) || isEntered(parentOf(path))), missingRoots };
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

  return {
    side: 'local',
    list: async (request, signal) => {
      throwIfCancelled(signal);
      const identity = await readIdentity(paths);
      const skipped = request.rules.remoteFilter.names;
      const walked =
        options.files === undefined
          ? await listInThread({ home, roots: request.roots, skipped, lookedAt: now() }, signal)
          : await listRoots(walk, { roots: request.roots, skipped: new Set(skipped) }, signal);
      return { home, ...underRules(walked, request), identity, freeBytes: await orCancelled(freeBytes(home), signal) };
    },
    hash: (wanted, signal) => hashInThread(home, wanted, signal),
    totals: async (request, signal) => {
      throwIfCancelled(signal);
      return countRefused(walk, request, signal);
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
