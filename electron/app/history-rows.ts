import { AppError } from '../../shared/errors';
import type { HistoryRow } from '../../shared/history-row';
import type { RunReport } from '../../shared/run-report';
import type { History } from './history';

export interface RowsQuery {
  /** A connection's id; every connection when left out. */
  readonly connection?: string | undefined;
  /** Words that a run's names, messages and paths are searched for, in any case; each must occur. */
  readonly search?: string | undefined;
  readonly limit?: number | undefined;
}

/** Past runs as a list shows them, newest first. */
export function rowsOf(history: History, { search = '', ...query }: RowsQuery): Promise<readonly HistoryRow[]> {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return history.collect(query, (run) => (words.every((word) => mentions(run, word)) ? rowOf(run) : null));
}

/** A run as a list shows it. */
export function rowOf({ id, kind, connection, endedAt, outcome, ledger }: RunReport): HistoryRow {
  const { written, removed, refused } = ledger;
  return { run: id, kind, connection, endedAt, outcome, written: written.bytes, removed: removed.bytes, refused: refused.bytes };
}

function mentions({ connection, remote, stop, error, paths }: RunReport, word: string): boolean {
  const texts = [connection.name, remote.host, stop?.message ?? '', error?.message ?? ''];
  return texts.some((text) => text.toLowerCase().includes(word)) || paths.some(({ path }) => path.toLowerCase().includes(word));
}

/** One past run. Fails with `history.unknown` when it is not kept any more. */
export async function findRun(history: History, id: string): Promise<RunReport> {
  const [run] = await history.collect({ limit: 1 }, (one) => (one.id === id ? one : null));
  if (run === undefined) throw new AppError('history.unknown', { id });
  return run;
}
