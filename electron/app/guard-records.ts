import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { z } from 'zod';
import type { Footprint } from '../hygiene/footprint';
import { writeDurably } from '../platform/atomic-file';
import { storeFailure } from '../store/store-errors';

const record = z.object({
  version: z.literal(1),
  takenAt: z.number(),
  root: z.enum(['ok', 'missing', 'unreadable']),
  syncLock: z.number().nullable(),
  /** Path, files, bytes, latest time, bookkeeping tree. */
  units: z.array(z.tuple([z.string(), z.number(), z.number(), z.number(), z.string().nullable()])),
  alerted: z.number().nullable(),
  syncing: z.boolean(),
});

/** What guard mode last saw of a Hermes home. */
export interface GuardRecord {
  readonly footprint: Footprint;
  /** Bytes of bookkeeping that were last told of; null when none were. */
  readonly alerted: number | null;
  /** Hermes held its lock then: what appears next is still its doing. */
  readonly syncing: boolean;
}

export interface GuardRecords {
  /** Null when nothing was kept, or what was kept cannot be read: then the next look is a first one. */
  read(key: string): Promise<GuardRecord | null>;
  save(key: string, saved: GuardRecord): Promise<void>;
}

/** One compressed file a Hermes home in `folder`. Always disposable. */
export function guardRecords(folder: string): GuardRecords {
  const fileOf = (key: string): string => join(folder, `${key}.json.gz`);
  return {
    async read(key) {
      try {
        const text = (await promisify(gunzip)(await readFile(fileOf(key)))).toString('utf8');
        const { alerted, syncing, units, takenAt, root, syncLock } = record.parse(JSON.parse(text));
        const byPath = new Map(units.map(([path, files, bytes, newest, tree]) => [path, { files, bytes, newest, tree }]));
        return { alerted, syncing, footprint: { takenAt, root, syncLock, units: byPath } };
      } catch {
        return null;
      }
    },
    async save(key, { footprint, alerted, syncing }) {
      const { takenAt, root, syncLock } = footprint;
      const units = [...footprint.units].map(([path, { files, bytes, newest, tree }]) => [path, files, bytes, newest, tree]);
      const text = JSON.stringify({ version: 1, takenAt, root, syncLock, units, alerted, syncing });
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeDurably(fileOf(key), await promisify(gzip)(text));
      } catch (error) {
        throw storeFailure('write', fileOf(key), error);
      }
    },
  };
}
