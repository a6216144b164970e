import { mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { UndoUsage } from '../../shared/contract';
import type { EnginePath } from '../engine/entry';
import { storedName } from '../engine/state-names';
import {
  decodeHead,
  decodeManifest,
  encodeManifest,
  inOrder,
  overBounds,
  type UndoBounds,
  type UndoHead,
  type UndoManifest,
  undoBounds,
} from '../engine/undo-store';
import { flushFolder, writeDurably } from '../platform/atomic-file';
import { storeFailure } from '../store/store-errors';

/** Everything that runs replaced or removed here, in the data folder or beside a home on another volume. */
export interface UndoFolders {
  /** Resolves once the manifest is on the disk; from then on the run can be undone. */
  save(manifest: UndoManifest): Promise<void>;
  heads(): Promise<readonly UndoHead[]>;
  /** Null when there is none, or it cannot be read. */
  read(runId: string): Promise<UndoManifest | null>;
  /** File with the old content of a path. */
  contentFile(head: UndoHead, path: EnginePath): string;
  /** What is kept of a connection's runs. */
  usage(connection: string): Promise<UndoUsage>;
  /** Drops what is too old or too much. What a run that is not over may still need stays. */
  prune(): Promise<void>;
  /** Drops what is kept of a connection's runs, but for what a run that is not over may still need. Returns what went. */
  clear(connection: string): Promise<UndoUsage>;
}

export interface UndoFoldersOptions {
  readonly dataDir: string;
  readonly now: () => number;
  readonly bounds?: UndoBounds;
}

/** No head is longer: three folders and some names. */
const longestHead = 64 * 1024;

/** `undo/<run>/manifest.jsonl` in the data folder. */
export function openUndoFolders({ dataDir, now, bounds = undoBounds }: UndoFoldersOptions): UndoFolders {
  const root = join(dataDir, 'undo');
  const manifestOf = (runId: string) => join(root, runId, 'manifest.jsonl');
  const names = (folder: string) => readdir(folder).catch(() => []);
  const all = async (): Promise<readonly UndoHead[]> => {
    const heads: UndoHead[] = [];
    for (const name of await names(root)) {
      const head = await readHead(manifestOf(name));
      if (head !== null && head.runId === name) heads.push(head);
    }
    return heads;
  };
  const of = async (connection: string) => (await all()).filter((head) => head.connection.id === connection);
  const openRuns = async () => new Set(await names(join(dataDir, 'runs')));
  const drop = async (heads: readonly UndoHead[]): Promise<void> => {
    for (const { runId, contentDir } of heads) {
      // The manifest goes last: content without one would stay for ever.
      if (basename(contentDir) === runId) await rm(contentDir, { recursive: true, force: true });
      await rm(join(root, runId), { recursive: true, force: true });
    }
  };
  /** Content whose manifest is missing, as a journal that was set aside leaves it. */
  const dropOrphans = async (known: ReadonlySet<string>, busy: ReadonlySet<string>): Promise<void> => {
    for (const name of await names(root)) {
      if (known.has(name) || busy.has(name)) continue;
      const found = await stat(join(root, name)).catch(() => null);
      if (found !== null && now() - found.mtimeMs > bounds.ageMs) await rm(join(root, name), { recursive: true, force: true });
    }
  };
  return {
    async save(manifest) {
      const file = manifestOf(manifest.head.runId);
      try {
        await mkdir(join(file, '..'), { recursive: true, mode: 0o700 });
        await writeDurably(file, encodeManifest({ ...manifest, head: inOrder(manifest.head, await all()) }));
        await flushFolder(root);
      } catch (error) {
        throw storeFailure('write', file, error);
      }
    },
    heads: all,
    async read(runId) {
      const text = await readFile(manifestOf(runId), 'utf8').catch(() => null);
      return text === null ? null : decodeManifest(text);
    },
    contentFile: ({ contentDir }, path) => join(contentDir, storedName(path)),
    usage: async (connection) => sum(await of(connection)),
    async prune() {
      const heads = await all();
      const busy = await openRuns();
      await drop(overBounds(heads, now(), bounds).filter(({ runId }) => !busy.has(runId)));
      await dropOrphans(new Set(heads.map(({ runId }) => runId)), busy);
    },
    async clear(connection) {
      const busy = await openRuns();
      const heads = (await of(connection)).filter(({ runId }) => !busy.has(runId));
      await drop(heads);
      return sum(heads);
    },
  };
}

function sum(heads: readonly UndoHead[]): UndoUsage {
  const total = (key: 'files' | 'bytes') => heads.reduce((all, head) => all + head[key], 0);
  return { runs: heads.length, files: total('files'), bytes: total('bytes') };
}

async function readHead(file: string): Promise<UndoHead | null> {
  const handle = await open(file, 'r').catch(() => null);
  if (handle === null) return null;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(longestHead), 0, longestHead, 0);
    return decodeHead(buffer.toString('utf8', 0, bytesRead).split('\n')[0] ?? '');
  } catch {
    return null;
  } finally {
    await handle.close();
  }
}
