import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isAppError } from '../../shared/errors';
import { type ApplyRecord, applyChanges } from '../engine/apply';
import { orCancelled, throwIfCancelled } from '../engine/cancel';
import type { Disk } from '../engine/disk';
import type { Endpoint, IncomingFile, WantedFile } from '../engine/endpoint';
import type { EnginePath } from '../engine/entry';
import { createLocalDisk } from './local-disk';
import { createLocalPaths, createParentCheck, hashFile, type LocalPaths, openRegular, readChunks } from './local-files';
import { readIdentity, writeIdentity } from './local-identity';
import { countRefused, listRoots, type WalkContext, type WalkFiles, walkFiles } from './local-walk';

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
  /** File calls of the walks, and the disk of the apply; tests replace them. */
  readonly files?: WalkFiles;
  readonly disk?: Disk;
}

/** Files that are hashed at the same time. */
const hashesInFlight = 4;

async function hashAll(paths: LocalPaths, wanted: readonly EnginePath[], signal: AbortSignal): Promise<ReadonlyMap<EnginePath, string>> {
  const hashes = new Map<EnginePath, string>();
  const hasRealParents = createParentCheck(paths);
  const queue = wanted.values();
  const work = async (): Promise<void> => {
    for (const path of queue) {
      throwIfCancelled(signal);
      try {
        if (await hasRealParents(path)) hashes.set(path, await hashFile(paths.resolve(path), signal));
      } catch (error) {
        // Gone, unreadable, no file: left out, which says that its content is not known.
        if (isAppError(error, 'run.cancelled')) throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: hashesInFlight }, work));
  return hashes;
}

async function* readAll(paths: LocalPaths, wanted: readonly WantedFile[], signal: AbortSignal): AsyncGenerator<IncomingFile> {
  throwIfCancelled(signal);
  for (const { path } of wanted) {
    throwIfCancelled(signal);
    // Checked anew for each file: a sending takes long, and what is behind a new link must not leave this computer.
    const isReal = await createParentCheck(paths)(path).catch(() => false);
    const handle = isReal ? await openRegular(paths.resolve(path)).catch(() => null) : null;
    if (handle === null) continue;
    try {
      const { size } = await handle.stat();
      yield { path, size, body: readChunks(handle, size, signal) };
    } finally {
      await handle.close();
    }
  }
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
      const walked = await listRoots(walk, request, signal);
      return { home, ...walked, identity, freeBytes: await orCancelled(freeBytes(home), signal) };
    },
    hash: (wanted, signal) => hashAll(paths, wanted, signal),
    totals: async (request, signal) => {
      throwIfCancelled(signal);
      return countRefused(walk, request, signal);
    },
    read: (wanted, signal) => readAll(paths, wanted, signal),
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
