import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { isRunId } from '../engine/state-names';
import { writeDurably } from '../platform/atomic-file';
import { storeFailure } from '../store/store-errors';

const item = z.object({ path: z.string(), name: z.string(), files: z.number(), bytes: z.number() });
const part = z.object({
  /** Absolute Hermes home. */
  home: z.string(),
  items: z.array(item),
});
const record = z.object({
  version: z.literal(1),
  run: z.string().refine(isRunId),
  kind: z.enum(['prune', 'clean']),
  connection: z.string(),
  removedAt: z.string(),
  /** Whether the run is in the history; until then its process may have ended in the middle of it. */
  told: z.boolean().default(true),
  /** Folder that holds what went on this computer. */
  store: z.string(),
  local: part.nullable(),
  remote: part.nullable(),
});

export type PruneItem = Readonly<z.infer<typeof item>>;
/** What one prune or clean took away and what is still kept of it; written before the first move. */
export type PruneRecord = Readonly<z.infer<typeof record>>;

export interface PruneRecords {
  /** Newest first. */
  list(connection?: string): Promise<readonly PruneRecord[]>;
  save(record: PruneRecord): Promise<void>;
  forget(run: string): Promise<void>;
}

/** One folder a run, beside what the run moved when that lies on the same volume. A damaged record is left where it is. */
export function pruneRecords(dataDir: string): PruneRecords {
  const folder = join(dataDir, 'pruned');
  const fileOf = (run: string): string => join(folder, run, 'record.json');
  return {
    async list(connection) {
      const runs = (await readdir(folder).catch(() => [])).filter(isRunId).sort().reverse();
      const records = await Promise.all(runs.map((run) => read(fileOf(run))));
      return records.flatMap((found) => (found !== null && (connection === undefined || found.connection === connection) ? [found] : []));
    },
    async save(saved) {
      const file = fileOf(saved.run);
      try {
        await mkdir(join(folder, saved.run), { recursive: true, mode: 0o700 });
        await writeDurably(file, JSON.stringify(saved));
      } catch (error) {
        throw storeFailure('write', file, error);
      }
    },
    forget: (run) => rm(join(folder, run), { recursive: true, force: true }),
  };
}

async function read(file: string): Promise<PruneRecord | null> {
  try {
    return record.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    // Whatever it names stays where it is: what cannot be read must not be deleted or put back on a guess.
    return null;
  }
}
