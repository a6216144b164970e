import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Baseline,
  decodeBaseline,
  decodeMemories,
  encodeBaseline,
  encodeMemories,
  type FoundBaseline,
  type Memories,
} from '../engine/baseline';
import { DamagedFile } from '../engine/sealed-file';
import { writeDurably } from '../platform/atomic-file';
import { storeFailure, systemCode } from '../store/store-errors';

/** What is kept of a connection between runs: the baseline, and the disposable memory of both sides. */
export interface RunRecords {
  baseline(connection: string): Promise<FoundBaseline>;
  memories(connection: string): Promise<Memories>;
  saveBaseline(connection: string, baseline: Baseline): Promise<void>;
  saveMemories(connection: string, memories: Memories): Promise<void>;
  forget(connection: string): Promise<void>;
}

/** Files in the data folder. An unreadable baseline is kept beside the next one, an unreadable memory is simply not used. */
export function runRecords(dataDir: string, now: () => number): RunRecords {
  const baselineFile = (connection: string) => join(dataDir, 'baselines', `${connection}.json.gz`);
  const memoryFile = (connection: string) => join(dataDir, 'memories', `${connection}.json.gz`);
  const save = async (file: string, bytes: Buffer) => {
    try {
      await mkdir(join(file, '..'), { recursive: true, mode: 0o700 });
      await writeDurably(file, bytes);
    } catch (error) {
      throw storeFailure('write', file, error);
    }
  };
  /** Baselines found damaged, and the names under which they will be kept once there is another. */
  const damaged = new Map<string, string>();
  return {
    async baseline(connection) {
      const file = baselineFile(connection);
      const bytes = await load(file);
      if (bytes === null) return { kind: 'none' };
      try {
        return { kind: 'present', baseline: await decodeBaseline(bytes) };
      } catch (error) {
        if (!(error instanceof DamagedFile)) throw error;
        const aside = damaged.get(connection) ?? `${file}.broken-${now()}`;
        damaged.set(connection, aside);
        return { kind: 'unreadable', problem: `${error.message}; kept as ${aside}` };
      }
    },
    async memories(connection) {
      const bytes = await load(memoryFile(connection)).catch(() => null);
      try {
        return bytes === null ? { local: null, remote: null } : await decodeMemories(bytes);
      } catch {
        // Everything is then compared by content, which is slower and never wrong.
        return { local: null, remote: null };
      }
    },
    async saveBaseline(connection, baseline) {
      const file = baselineFile(connection);
      const aside = damaged.get(connection);
      // Only now: until there is a new record, every look must find that the old one is damaged, not that there is none.
      if (aside !== undefined) {
        await rename(file, aside).catch((error: unknown) => {
          throw storeFailure('set aside', file, error);
        });
      }
      damaged.delete(connection);
      await save(file, await encodeBaseline(baseline));
    },
    saveMemories: async (connection, memories) => save(memoryFile(connection), await encodeMemories(memories)),
    async forget(connection) {
      await rm(baselineFile(connection), { force: true });
      await rm(memoryFile(connection), { force: true });
    },
  };
}

async function load(file: string): Promise<Buffer | null> {
  try {
    return await readFile(file);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw storeFailure('read', file, error);
  }
}
