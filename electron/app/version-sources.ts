import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Endpoint } from '../engine/endpoint';
import { storedName } from '../engine/state-names';
import type { AgreedTexts } from './agreed-texts';
import type { FoundContent, VersionSources } from './compare-item';
import type { Inbox } from './inbox';
import type { RunRecords } from './run-records';

export interface VersionPlaces {
  readonly local: Endpoint;
  readonly inbox: Inbox;
  readonly records: Pick<RunRecords, 'baseline'>;
  readonly texts: Pick<AgreedTexts, 'find'>;
  /** Folders with a folder for each run that keeps what it replaced. */
  readonly undoDirs: readonly string[];
}

const never = new AbortController().signal;

/** Reads the versions of an item where they lie on this computer. */
export function versionSources({ local, inbox, records, texts, undoDirs }: VersionPlaces): VersionSources {
  return {
    local: (path, most) => readLocal(local, path, most),
    async stored(id) {
      const file = inbox.contentFile(id);
      return file === null ? null : readFile(file).catch(() => null);
    },
    async agreed(connection, path) {
      const found = await records.baseline(connection);
      return found.kind === 'present' ? (found.baseline.entries.get(path) ?? null) : null;
    },
    async kept(connection, path, { hash, size }) {
      for (const folder of undoDirs) {
        for (const run of await readdir(folder).catch(() => [])) {
          const file = join(folder, run, storedName(path));
          const content = (await stat(file).catch(() => null))?.size === size ? await readFile(file).catch(() => null) : null;
          if (content !== null && createHash('sha256').update(content).digest('hex') === hash) return content;
        }
      }
      return texts.find(connection, hash);
    },
  };
}

async function readLocal(local: Endpoint, path: string, most: number): Promise<FoundContent | null> {
  for await (const { size, body } of local.read([{ path, size: 0 }], never)) {
    const digest = createHash('sha256');
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) {
      digest.update(chunk);
      if (size <= most) chunks.push(chunk);
    }
    return { bytes: size, hash: digest.digest('hex'), content: size <= most ? Buffer.concat(chunks) : null };
  }
  return null;
}
