import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection } from '../../shared/connection';
import type { Progress } from '../../shared/contract';
import { fill } from '../../shared/phrase';
import { notePhrases } from '../../shared/phrases/notes';
import { pathPhrases } from '../../shared/phrases/paths';
import type { PathReport, RunReport } from '../../shared/run-report';
import type { Disk } from '../engine/disk';
import { endJournal, type JournalHead, type ReadJournal, readJournal } from '../engine/journal';
import { emptyLedger, tally } from '../engine/ledger';
import { type Recovered, recover } from '../engine/recover';
import { listPaths } from '../engine/report';
import { undoBounds } from '../engine/undo-store';
import { writeDurably } from '../platform/atomic-file';
import { type History, knowsRun } from './history';
import { isStagingOf, journalFile, journalLog, manifestFor, runsFolder } from './run-folders';
import { makeReport } from './run-report';
import { settleUndo, type UndoDeps } from './undo';

export interface RecoveryDeps extends Pick<UndoDeps, 'records' | 'declines' | 'undo'> {
  readonly dataDir: string;
  /** The disk that the run worked on. */
  openDisk(head: JournalHead): Disk;
  readonly history: History;
  /** Null when it was removed meanwhile. */
  connection(id: string): Connection | null;
  readonly now: () => number;
  /** Hears of every group of files that is looked at. */
  progress(progress: Progress): void;
}

/**
 * Looks after every run that a process left behind: finishes it or takes it back, keeps what an undo needs and reports it as
 * interrupted. Only for the owner of the data folder, before its first run. Needs no remote. Returns remarks for the next report.
 */
export async function recoverRuns(deps: RecoveryDeps): Promise<readonly string[]> {
  const root = runsFolder(deps.dataDir);
  const notes: string[] = [];
  for (const name of (await readdir(root).catch(() => [])).sort()) {
    try {
      if (setAsideName.test(name)) await dropOld(deps, join(root, name));
      else notes.push(...(await recoverRun(deps, join(root, name))));
    } catch (error) {
      // One run that cannot be looked after must not keep the app from starting; it is tried again at the next start.
      const problem = error instanceof Error ? error.message : String(error);
      notes.push(fill(notePhrases['not-looked-after'], { name, problem }));
    }
  }
  return notes;
}

const setAsideName = /\.broken-\d+$/;

async function dropOld({ now }: RecoveryDeps, folder: string): Promise<void> {
  const setAsideAt = Number(/\d+$/.exec(folder)?.[0] ?? now());
  if (now() - setAsideAt > undoBounds.ageMs) await rm(folder, { recursive: true, force: true });
}

async function recoverRun(deps: RecoveryDeps, runDir: string): Promise<readonly string[]> {
  const file = journalFile(runDir);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) {
    // Its journal is begun before anything else is done: this run changed nothing.
    await rm(runDir, { recursive: true, force: true });
    return [];
  }
  const journal = readJournal(text);
  if (journal.kind === 'newer') {
    return [`The journal ${file} was written by a newer Ebbgate (format ${journal.version}). It was left as it is; update this Ebbgate.`];
  }
  if (journal.kind === 'damaged') return setAside(deps, runDir, journal.reason);
  if (journal.groups === null && (await holdsAnything(journal.head.undoDir))) return setAside(deps, runDir, 'its plan is not valid');
  if (journal.text !== text) await writeDurably(file, journal.text);
  return settle(deps, runDir, journal);
}

async function holdsAnything(folder: string): Promise<boolean> {
  return (await readdir(folder).catch(() => [])).length > 0;
}

/** Whatever it speaks of stays where it is: every file is old or new, and replaced content is in the undo folder. */
async function setAside({ now }: RecoveryDeps, runDir: string, reason: string): Promise<readonly string[]> {
  const aside = `${runDir}.broken-${now()}`;
  await rename(runDir, aside);
  return [
    `The record of an interrupted run could not be understood (${reason}). It was set aside as ${aside}; no file was changed because of it.`,
  ];
}

async function settle(deps: RecoveryDeps, runDir: string, journal: ReadJournal): Promise<readonly string[]> {
  const { head, groups, ended } = journal;
  if (ended) {
    await clear(runDir, head);
    return [];
  }
  if (groups !== null && !(await isThere(head.home, head.stagingDir))) {
    return [`A run of "${head.connection.name}" was interrupted, and its folder ${head.home} is not there. It is looked after once it is.`];
  }
  const about = { connection: head.connection.id, kind: head.kind, phase: 'recovering', unit: 'files' } as const;
  const tellProgress = (done: number, total: number) => deps.progress({ ...about, done, total });
  const recovered = await recover(deps.openDisk(head), journal, head.kind === 'undo', tellProgress);
  const story = tell(head, recovered);
  if (!recovered.isComplete) return [`${story} The disk refused a part of it; that is tried again at the next start.`];
  await keep(deps, journal, recovered);
  const isNews = await report(deps, head, recovered, story);
  await endJournal(journalLog(runDir));
  await clear(runDir, head);
  return isNews ? [story] : [];
}

async function isThere(...folders: readonly string[]): Promise<boolean> {
  for (const folder of folders) if ((await stat(folder).catch(() => null)) === null) return false;
  return true;
}

async function clear(runDir: string, head: JournalHead): Promise<void> {
  if (isStagingOf(head, runDir)) await rm(head.stagingDir, { recursive: true, force: true });
  await rm(runDir, { recursive: true, force: true });
}

async function keep(deps: RecoveryDeps, { head, agreed }: ReadJournal, { saved }: Recovered): Promise<void> {
  if (saved.changes.length === 0) return;
  const undone = head.undoes === null ? null : await deps.undo.read(head.undoes);
  const declines = head.kind === 'undo' && undone?.head.declines !== true;
  // Its time in the undo store begins now: the computer may have been off for long.
  const createdAt = new Date(deps.now()).toISOString();
  await deps.undo.save(manifestFor(head, { createdAt, declines, agreed, ...saved }));
  if (undone !== null) await settleUndo(deps, undone, new Set(saved.changes.map(({ path }) => path)));
}

function tell({ kind, connection, startedAt }: JournalHead, { saved, finished, undone, left }: Recovered): string {
  const parts = [fill(notePhrases.interrupted, { run: kind, name: connection.name, time: startedAt })];
  if (saved.changes.length === 0 && undone.length === 0 && left.size === 0) parts.push(notePhrases['had-changed-nothing']);
  if (saved.changes.length > 0) parts.push(`${count(saved.changes.length)} done and can be undone.`);
  if (finished.length > 0) parts.push(`${count(finished.length)} finished now.`);
  if (undone.length > 0) parts.push(`${count(undone.length)} put back as before, because the rest of the skill could not be finished.`);
  if (left.size > 0) parts.push(`${count(left.size)} changed since and left alone: ${[...left.keys()].join(', ')}.`);
  return parts.join(' ');
}

function count(files: number): string {
  return files === 1 ? '1 file was' : `${files} files were`;
}

/** False when the history knows the run already: its process, or an earlier recovery, went right after that. */
async function report(deps: RecoveryDeps, head: JournalHead, { saved, left }: Recovered, story: string): Promise<boolean> {
  if (await knowsRun(deps.history, head.runId)) return false;
  const lines = [
    ...saved.changes.map(({ path, change, old, new: made }): PathReport => {
      const bytes = (made ?? old)?.size ?? 0;
      return { path, change, bytes, outcome: change === 'delete' ? 'removed' : 'written', reason: pathPhrases['before-interrupted'] };
    }),
    ...[...left].map(([path, reason]): PathReport => ({ path, change: 'update', bytes: 0, outcome: 'failed', reason })),
  ];
  const sum = (outcome: PathReport['outcome']) => tally(lines.flatMap((line) => (line.outcome === outcome ? [line.bytes] : [])));
  const ledger = { ...emptyLedger, written: sum('written'), removed: sum('removed') };
  const result = { outcome: 'interrupted', stop: null, ledger, ...listPaths(lines), notes: [story], remoteHome: null } as const;
  await deps.history.append(reportOf(deps, head, result));
  return true;
}

function reportOf({ connection, now }: RecoveryDeps, head: JournalHead, result: Parameters<typeof makeReport>[0]['result']): RunReport {
  const found = connection(head.connection.id) ?? { ...head.connection, address: { kind: 'alias', alias: '' } as const };
  return makeReport({
    ...{ connection: found, runId: head.runId, kind: head.kind, startedAt: Date.parse(head.startedAt), endedAt: now() },
    ...{ sides: null, result, failure: null, wire: { sent: 0, received: 0, handshake: 0 } },
  });
}
