import { appendFile, mkdir, open, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Connection } from '../../shared/connection';
import type { RunKind } from '../../shared/run-report';
import type { ApplyRecord } from '../engine/apply';
import { agreedPath } from '../engine/endpoint';
import type { EnginePath } from '../engine/entry';
import { type AgreedBefore, createJournal, type JournalHead, type JournalLog } from '../engine/journal';
import type { GoneFolder, SavedChange } from '../engine/saved-change';
import { keptBy, type UndoManifest } from '../engine/undo-store';
import { flushFolder } from '../platform/atomic-file';
import { storeFailure } from '../store/store-errors';
import type { RunRecords } from './run-records';
import type { UndoFolders } from './undo-folders';

/** Folder of the runs that are not over. */
export function runsFolder(dataDir: string): string {
  return join(dataDir, 'runs');
}

/** The journal of a run, in its folder. */
export function journalFile(runDir: string): string {
  return join(runDir, 'journal.jsonl');
}

/** Appends to a run's journal; folder and file are made, and durable, with the first line. */
export function journalLog(runDir: string): JournalLog {
  const file = journalFile(runDir);
  let isMade = false;
  return {
    async append(line) {
      try {
        if (!isMade) await mkdir(runDir, { recursive: true, mode: 0o700 });
        const handle = await open(file, 'a', 0o600);
        try {
          await appendFile(handle, line);
          await handle.sync();
        } finally {
          await handle.close();
        }
        if (!isMade) await flushFolder(runDir);
        if (!isMade) await flushFolder(join(runDir, '..'));
        isMade = true;
      } catch (error) {
        throw storeFailure('write', file, error);
      }
    },
  };
}

/** Whether a folder is one that a run stages in, as this app makes them; anything else is never removed. */
export function isStagingOf({ runId, stagingDir }: Pick<JournalHead, 'runId' | 'stagingDir'>, runDir: string): boolean {
  return stagingDir === join(runDir, 'staged') || basename(stagingDir) === runId;
}

export interface RunFolderOptions {
  readonly dataDir: string;
  readonly runId: string;
  readonly kind: RunKind;
  readonly connection: Connection;
  readonly home: string;
  readonly stagingDir: string;
  readonly undoDir: string;
  readonly undoes?: { readonly runId: string; readonly declines: boolean } | null;
  readonly records: Pick<RunRecords, 'baseline'>;
  readonly undo: UndoFolders;
  readonly now: () => number;
}

/** The folder of one run, from its first line to the time when everything it did is recorded. */
export interface RunFolder {
  readonly record: ApplyRecord;
  /** Keeps what an undo needs, ends the journal, and removes what was staged. */
  close(): Promise<void>;
}

/** The folder of a run that begins. Nothing is made before the run applies something. */
export function openRunFolder(options: RunFolderOptions): RunFolder {
  const { dataDir, runId, kind, home, stagingDir, undoDir, undo } = options;
  const connection = { id: options.connection.id, name: options.connection.name };
  const runDir = join(runsFolder(dataDir), runId);
  const startedAt = new Date(options.now()).toISOString();
  const head: JournalHead = {
    ...{ runId, kind, connection, pid: process.pid, home, stagingDir, undoDir, startedAt },
    undoes: options.undoes?.runId ?? null,
  };
  let agreed: AgreedBefore = new Map();
  const agreedOn = async (paths: readonly EnginePath[]) => {
    agreed = await agreedBefore(options.records, connection.id, paths);
    return agreed;
  };
  const journal = createJournal(journalLog(runDir), head, agreedOn);
  const changes: SavedChange[] = [];
  const folders: GoneFolder[] = [];
  const saved: ApplyRecord['saved'] = (group) => {
    changes.push(...group.changes);
    folders.push(...group.folders);
  };
  return {
    record: { journal, saved },
    async close() {
      const createdAt = new Date(options.now()).toISOString();
      const declines = options.undoes?.declines === false;
      if (changes.length > 0) await undo.save(manifestFor(head, { createdAt, declines, agreed, changes, folders }));
      await journal.end();
      await rm(stagingDir, { recursive: true, force: true });
      await rm(runDir, { recursive: true, force: true });
    },
  };
}

async function agreedBefore(
  records: Pick<RunRecords, 'baseline'>,
  connection: string,
  paths: readonly EnginePath[],
): Promise<AgreedBefore> {
  const found = await records.baseline(connection);
  const entries = found.kind === 'present' ? found.baseline.entries : new Map();
  return new Map(paths.map((path) => [path, entries.get(path) ?? null]));
}

export interface ManifestParts {
  readonly createdAt: string;
  readonly declines: boolean;
  readonly agreed: AgreedBefore;
  readonly changes: readonly SavedChange[];
  readonly folders: readonly GoneFolder[];
}

/** The undo manifest of a run. */
export function manifestFor(head: JournalHead, { createdAt, declines, agreed, changes, folders }: ManifestParts): UndoManifest {
  const { runId, kind, connection, home, undoDir: contentDir, undoes } = head;
  return {
    head: { runId, kind, connection, home, contentDir, createdAt, undoes, declines, ...keptBy(changes) },
    entries: changes.map((change) => ({ ...change, agreed: agreed.get(agreedPath(change)) ?? null })),
    folders,
  };
}
