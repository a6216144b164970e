import type { Connection } from '../../shared/connection';
import type { UndoableRun } from '../../shared/contract';
import { AppError } from '../../shared/errors';
import type { RunReport } from '../../shared/run-report';
import type { History } from './history';
import { lastOf, wasLastHere } from './past-runs';
import type { Prunes } from './prune';
import type { Undoer } from './undo';

export interface NextUndoParts {
  readonly undoer: Undoer;
  readonly prunes: Prunes;
  readonly history: History;
}

/** Runs looked at to tell which of two was later. */
const orderedRuns = 1000;

/** The run that an undo takes back: of what changed files here, and of what prunes and cleans took on either side, the last. */
export async function nextToUndo(parts: NextUndoParts, connection: string): Promise<UndoableRun | null> {
  return (await look(parts, connection)).next;
}

async function look({ undoer, prunes, history }: NextUndoParts, connection: string) {
  const removals = (await prunes.removed(connection)).map(({ run, kind, removedAt }) => ({ run, kind, time: removedAt }));
  const changed = await undoer.newest(connection);
  const runs: readonly UndoableRun[] = changed === null ? removals : [...removals, changed];
  const past = await history.list({ connection, limit: orderedRuns });
  const last = lastOf(
    runs.map(({ run }) => run),
    past,
  );
  const next = runs.find(({ run }) => run === last) ?? null;
  return { next, isRemoval: next !== null && next !== changed, isLast: next === null || wasLastHere(next.run, past) };
}

/** Undoes the named run, or the last one; fails with `undo.other-run` when that is not the next to be undone. */
export async function undoNext(parts: NextUndoParts, connection: Connection, run?: string): Promise<RunReport> {
  const { next, isRemoval, isLast } = await look(parts, connection.id);
  if (next !== null && (run === undefined ? !isLast : run !== next.run)) {
    throw new AppError('undo.other-run', { connection: connection.name, ...next });
  }
  return next !== null && isRemoval ? parts.prunes.undo(connection, { run: next.run }) : parts.undoer.undo(connection);
}
