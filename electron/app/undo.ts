import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import type { Connection } from '../../shared/connection';
import type { UndoableRun, UndoUsage } from '../../shared/contract';
import { AppError } from '../../shared/errors';
import { fill } from '../../shared/phrase';
import { notePhrases } from '../../shared/phrases/notes';
import { pathPhrases } from '../../shared/phrases/paths';
import type { PathReport, RunReport } from '../../shared/run-report';
import { type Applied, agreedPath, type IncomingFile } from '../engine/endpoint';
import type { EnginePath } from '../engine/entry';
import { nextUndo, planUndo, type UndoEntry, type UndoManifest, type UndoPlan } from '../engine/undo-store';
import type { RunRecords } from './run-records';
import { localResult, type ReportedResult } from './run-report';
import type { Runs, Tell } from './runs';
import type { LocalSide } from './sides';
import type { UndoFolders } from './undo-folders';

/** A version on the remote that an undo took back here; null: that the file is gone there. */
export interface DeclinedVersion {
  readonly path: EnginePath;
  readonly hash: string | null;
}

/** Where it is remembered which remote versions do not come home again by themselves. Both calls may be repeated. */
export interface Declines {
  declined(connection: string, versions: readonly DeclinedVersion[]): Promise<void>;
  /** The versions of these paths are wanted after all. */
  withdrawn(connection: string, paths: readonly EnginePath[]): Promise<void>;
}

/** The run that is undone, as the run that does it names it. */
export interface Undone {
  readonly runId: string;
  readonly declines: boolean;
}

export interface UndoDeps {
  readonly undo: UndoFolders;
  readonly records: RunRecords;
  readonly runs: Pick<Runs, 'runOwn' | 'isRunning'>;
  readonly declines: Declines;
  openLocal(connection: Connection, runId: string, undoes: Undone, signal: AbortSignal): Promise<LocalSide>;
}

/** Takes back what runs did on this computer. */
export interface Undoer {
  /** Undoes the connection's newest run that changed something here and was not undone yet, as a run of its own. */
  undo(connection: Connection): Promise<RunReport>;
  /** The run that would be undone; null when there is none. */
  newest(connection: string): Promise<UndoableRun | null>;
  /** What is kept for the undo of the connection's runs. */
  usage(connection: Connection): Promise<UndoUsage>;
  /** Deletes it for good, and answers what went. `run.busy` while a run of the connection may need it. */
  free(connection: Connection): Promise<UndoUsage>;
}

export function createUndoer(deps: UndoDeps): Undoer {
  return {
    undo: (connection) =>
      deps.runs.runOwn(connection, 'undo', (runId, signal, _reached, tell) => carryOut({ ...deps, tell }, connection, runId, signal)),
    newest: async (connection) => {
      const head = nextUndo(await deps.undo.heads(), connection);
      return head && { run: head.runId, kind: head.kind, time: head.createdAt };
    },
    usage: ({ id }) => deps.undo.usage(id),
    free: async ({ id, name }) => {
      if (deps.runs.isRunning(id)) throw new AppError('run.busy', { connection: name, holder: `a run of "${name}" is under way` });
      return deps.undo.clear(id);
    },
  };
}

type UndoRun = UndoDeps & { readonly tell: Tell };

async function carryOut(deps: UndoRun, connection: Connection, runId: string, signal: AbortSignal): Promise<ReportedResult> {
  const head = nextUndo(await deps.undo.heads(), connection.id);
  const manifest = head === null ? null : await deps.undo.read(head.runId);
  if (manifest === null) return localResult([], [notePhrases['nothing-to-undo']]);
  const side = await deps.openLocal(connection, runId, { runId: manifest.head.runId, declines: manifest.head.declines }, signal);
  try {
    const paths = manifest.entries.map(({ path }) => path);
    deps.tell('comparing', 0, null, null);
    const plan = planUndo(manifest, await side.local.hash(paths, signal));
    const results = await apply(deps, side, manifest, plan, signal);
    const isUndone = ({ path }: UndoEntry) => plan.settled.has(path) || results.get(path)?.ok === true;
    await settleUndo(deps, manifest, new Set(manifest.entries.filter(isUndone).map(({ path }) => path)));
    const note = fill(notePhrases.undid, { run: manifest.head.kind, time: manifest.head.createdAt });
    return localResult(
      manifest.entries.flatMap((entry) => lineFor(entry, plan, results)),
      [note],
    );
  } finally {
    await side.close().catch(() => undefined);
  }
}

async function apply(
  { undo, tell }: UndoRun,
  { local }: LocalSide,
  manifest: UndoManifest,
  { changes, folderModes }: UndoPlan,
  signal: AbortSignal,
): Promise<ReadonlyMap<EnginePath, Applied>> {
  if (changes.length === 0) return new Map();
  async function* contents(): AsyncGenerator<IncomingFile> {
    for (const change of changes) {
      const file = undo.contentFile(manifest.head, change.path);
      // Content that is gone fails its path; what is there is checked by hash when it is staged.
      const isThere = await access(file).then(
        () => true,
        () => false,
      );
      if (change.kind === 'write' && isThere) yield { path: change.path, size: change.content.size, body: createReadStream(file) };
    }
  }
  const total = changes.reduce((sum, change) => sum + (change.kind === 'write' ? change.content.size : 0), 0);
  tell('applying', 0, total, 'bytes');
  const onProgress = (bytes: number) => tell('applying', bytes, total, 'bytes');
  const applied = await local.apply({ changes, contents: contents(), folderModes, goesOn: true, onProgress }, signal);
  return new Map(applied.map((one) => [one.path, one]));
}

/**
 * Records that a run was undone: both sides agree on what they agreed on before it, and the remote versions that it brought do not
 * come home again; or they do, when the run was itself an undo. May be repeated.
 */
export async function settleUndo(
  { records, declines }: Pick<UndoDeps, 'records' | 'declines'>,
  { head, entries }: UndoManifest,
  paths: ReadonlySet<EnginePath>,
): Promise<void> {
  const undone = entries.filter(({ path }) => paths.has(path));
  if (undone.length === 0) return;
  const { id } = head.connection;
  // First: with the old baseline and without this, the remote's version would come home once more.
  if (head.declines) await declines.withdrawn(id, [...paths]);
  else
    await declines.declined(
      id,
      undone.flatMap(({ path, about, new: made }) => (about === undefined ? [{ path, hash: made?.hash ?? null }] : [])),
    );
  const found = await records.baseline(id);
  if (found.kind !== 'present') return;
  const agreed = new Map(found.baseline.entries);
  const pending = found.baseline.pending === null ? null : { ...found.baseline.pending, entries: new Map(found.baseline.pending.entries) };
  for (const entry of undone) {
    // A copy says nothing about its file any more once both sides agreed on something newer.
    if (entry.about !== undefined && entry.new !== null && agreed.get(entry.about)?.hash !== entry.new.hash) continue;
    const path = agreedPath(entry);
    pending?.entries.delete(path);
    if (entry.agreed === null) agreed.delete(path);
    else agreed.set(path, entry.agreed);
  }
  await records.saveBaseline(id, { ...found.baseline, entries: agreed, pending });
}

const reasons = { create: pathPhrases['removed-again'], update: pathPhrases['as-before'], delete: pathPhrases['put-back'] } as const;

function lineFor(entry: UndoEntry, plan: UndoPlan, results: ReadonlyMap<EnginePath, Applied>): readonly PathReport[] {
  const { path, change, old } = entry;
  if (plan.settled.has(path)) return [];
  const bytes = (old ?? entry.new)?.size ?? 0;
  const line = { path, change: change === 'create' ? 'delete' : change === 'delete' ? 'create' : 'update', bytes } as const;
  const outcome = results.get(path);
  const problem = plan.problems.get(path) ?? (outcome?.ok === true ? null : (outcome?.reason ?? pathPhrases['nothing-became']));
  if (problem !== null) return [{ ...line, outcome: 'failed', reason: `${problem}; ${pathPhrases['left-alone']}` }];
  return [{ ...line, outcome: change === 'create' ? 'removed' : 'written', reason: reasons[change] }];
}
