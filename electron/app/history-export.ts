import type { ExportFormat, ExportPart, SeriesPoint } from '../../shared/history';
import type { RunReport } from '../../shared/run-report';
import { restorePointsIn } from '../engine/alerts';
import { isFinishedTeardown } from './growth';
import type { History } from './history';

/** Teardowns in a series when nobody says how many; a year of working days. */
const seriesLength = 250;
/** Runs among which so many teardowns are looked for, for each of them: a session is rarely more than these. */
const runsPerTeardown = 4;
/** Runs in one part of an export, so that no part is too long to be handed over. */
const partRuns = 500;

/** What a connection's last finished teardowns brought and left, oldest first. A connection is named by its id. */
export async function seriesOf(history: History, connection: string, limit = seriesLength): Promise<readonly SeriesPoint[]> {
  const runs = await history.list({ connection, limit: limit * runsPerTeardown });
  return runs.filter(isFinishedTeardown).slice(0, limit).map(pointOf).toReversed();
}

function pointOf({ id, endedAt, outcome, ledger }: RunReport): SeriesPoint {
  const { written, refused } = ledger;
  const { bytes, estimated } = refused;
  return { run: id, endedAt, outcome, written: written.bytes, refused: bytes, restorePoints: restorePointsIn(ledger), estimated };
}

export interface ExportRequest {
  /** A connection's id; every connection when left out. */
  readonly connection?: string | undefined;
  readonly format: ExportFormat;
  /** What the part before this one answered as `next`. */
  readonly before?: string | undefined;
}

/** One part of the history as a file. */
export async function exportHistory(history: History, { connection, format, before }: ExportRequest): Promise<ExportPart> {
  const runs = await history.list({ connection, before, limit: partRuns });
  const next = runs.length === partRuns ? (runs.at(-1)?.id ?? null) : null;
  if (format === 'jsonl') return { text: runs.map((run) => `${JSON.stringify(run)}\n`).join(''), next };
  const rows = runs.map((run) => columns.map(([, cell]) => cell(run)));
  const head = before === undefined ? [columns.map(([name]) => name)] : [];
  return { text: [...head, ...rows].map(csvLine).join(''), next };
}

type Cell = string | number | boolean | null;

const columns: readonly (readonly [string, (run: RunReport) => Cell])[] = [
  ['run', ({ id }) => id],
  ['kind', ({ kind }) => kind],
  ['connection', ({ connection }) => connection.name],
  ['host', ({ remote }) => remote.host],
  ['started_at', ({ startedAt }) => startedAt],
  ['ended_at', ({ endedAt }) => endedAt],
  ['duration_ms', ({ durationMs }) => durationMs],
  ['outcome', ({ outcome }) => outcome],
  ['stopped_by', ({ stop }) => stop?.guard ?? null],
  ['error', ({ error }) => error?.code ?? null],
  ['written_files', ({ ledger }) => ledger.written.files],
  ['written_bytes', ({ ledger }) => ledger.written.bytes],
  ['removed_files', ({ ledger }) => ledger.removed.files],
  ['removed_bytes', ({ ledger }) => ledger.removed.bytes],
  ['refused_files', ({ ledger }) => ledger.refused.files],
  ['refused_bytes', ({ ledger }) => ledger.refused.bytes],
  ['refused_estimated', ({ ledger }) => ledger.refused.estimated],
  ['restore_point_bytes', ({ ledger }) => restorePointsIn(ledger)],
  ['on_remote_bytes', ({ ledger }) => ledger.onRemote.bytes],
  ['transferred_bytes', ({ ledger }) => ledger.transferred.bytes],
  ['wire_sent', ({ ledger }) => ledger.wire.sent],
  ['wire_received', ({ ledger }) => ledger.wire.received],
  ['alerts', ({ alerts }) => alerts.map(({ kind }) => kind).join(' ')],
];

/** A row of RFC 4180. Text that a spreadsheet would take for a formula begins with an apostrophe. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: Cell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  const text = /^\s*[=+\-@|%]/.test(cell) || /^[\t\r\n]/.test(cell) ? `'${cell}` : cell;
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
