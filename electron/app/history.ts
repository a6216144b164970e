import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { RunReport } from '../../shared/run-report';
import { appendDurably, replaceDurably } from '../platform/atomic-file';
import { linesFromEnd, linesFromStart } from '../store/lines';
import { storeFailure, systemCode } from '../store/store-errors';

/** Which runs are asked for; everything that is kept when left out. */
export interface HistoryQuery {
  /** A connection's id. */
  readonly connection?: string | undefined;
  /** A run's id: only what came before it. */
  readonly before?: string | undefined;
  readonly limit?: number | undefined;
}

/** The reports of past runs. */
export interface History {
  /** Resolves once the report is on disk. */
  append(report: RunReport): Promise<void>;
  /** Newest first. Lines that cannot be understood are passed over. */
  list(query?: HistoryQuery): Promise<readonly RunReport[]>;
  /** What `take` makes of the reports, newest first, without keeping the reports; null leaves one out, and counts for no limit. */
  collect<T>(query: HistoryQuery, take: (report: RunReport) => T | null): Promise<readonly T[]>;
}

/** Whether the history holds this run. */
export async function knowsRun(history: Pick<History, 'collect'>, run: string): Promise<boolean> {
  return (await history.collect({ limit: 1 }, ({ id }) => (id === run ? id : null))).length > 0;
}

export interface HistoryOptions {
  readonly now?: () => number;
  /** Runs that are kept. */
  readonly maxRuns?: number;
}

const maxAgeMs = 365 * 24 * 3_600_000;
/** How much more than allowed may lie there before the file is written anew. */
const slack = 1.1;
/** Appends between two looks at the file's length. */
const appendsBetweenChecks = 500;
/** No report is shorter: a smaller file need not be counted. */
const shortestReport = 500;

/** `history.jsonl`: one report a line, oldest first. */
export function openHistory(file: string, options: HistoryOptions = {}): History {
  return new HistoryFile(file, options.now ?? Date.now, options.maxRuns ?? 10_000);
}

class HistoryFile implements History {
  readonly #file: string;
  readonly #now: () => number;
  readonly #maxRuns: number;
  #appends = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(file: string, now: () => number, maxRuns: number) {
    this.#file = file;
    this.#now = now;
    this.#maxRuns = maxRuns;
  }

  append(report: RunReport): Promise<void> {
    return this.#inTurn(async () => {
      try {
        // A line cut by a crash is ended first, so that it spoils itself alone.
        const start = (await endsInsideLine(this.#file)) ? '\n' : '';
        await appendDurably(this.#file, `${start}${JSON.stringify(report)}\n`);
      } catch (error) {
        throw storeFailure('write', this.#file, error);
      }
      // The report is safe by now; a history that could not be shortened is only longer than it need be.
      if (this.#appends++ % appendsBetweenChecks === 0) await this.#compact().catch(() => undefined);
    });
  }

  list(query: HistoryQuery = {}): Promise<readonly RunReport[]> {
    return this.collect(query, (report) => report);
  }

  async collect<T>(query: HistoryQuery, take: (report: RunReport) => T | null): Promise<readonly T[]> {
    const limit = Math.min(query.limit ?? this.#maxRuns, this.#maxRuns);
    const found: T[] = [];
    if (limit <= 0) return found;
    await reading(this.#file, async (handle) => {
      const oldest = this.#now() - maxAgeMs;
      let isReached = query.before === undefined;
      for await (const line of linesFromEnd(handle)) {
        const report = parseReport(line);
        if (report === null) continue;
        if (Date.parse(report.startedAt) < oldest) return;
        if (query.connection !== undefined && report.connection.id !== query.connection) continue;
        const taken = isReached ? take(report) : null;
        if (taken !== null) found.push(taken);
        isReached ||= report.id === query.before;
        if (found.length >= limit) return;
      }
    });
    return found;
  }

  /** Drops what is over the limits, once it is clearly over. */
  async #compact(): Promise<void> {
    const excess = await this.#excess();
    if (excess === null) return;
    await replaceDurably(this.#file, async (handle) => {
      for await (const block of createReadStream(this.#file, { start: excess })) await handle.writeFile(block as Buffer);
    });
  }

  /** The offset from which on lines are kept; null when the file may stay as it is. */
  async #excess(): Promise<number | null> {
    let size = 0;
    await reading(this.#file, async (handle) => {
      size = (await handle.stat()).size;
    });
    const now = this.#now();
    const first = await firstReport(this.#file);
    const tooOld = first !== null && Date.parse(first.startedAt) < now - maxAgeMs * slack;
    if (!tooOld && size < this.#maxRuns * slack * shortestReport) return null;
    const offsets: number[] = [];
    let stale = 0;
    for await (const { offset, text } of linesFromStart(this.#file)) {
      const report = stale === offsets.length ? parseReport(text) : null;
      if (stale === offsets.length && (report === null || Date.parse(report.startedAt) < now - maxAgeMs)) stale += 1;
      offsets.push(offset);
    }
    if (!tooOld && offsets.length <= this.#maxRuns * slack) return null;
    // Never the last line: it is the one that was just added.
    const from = Math.min(Math.max(stale, offsets.length - this.#maxRuns), offsets.length - 1);
    return from > 0 ? (offsets[from] ?? null) : null;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

async function firstReport(file: string): Promise<RunReport | null> {
  for await (const { text } of linesFromStart(file)) {
    const report = parseReport(text);
    if (report !== null) return report;
  }
  return null;
}

/** Runs `use` on the open file; a file that does not exist is an empty history. */
async function reading(file: string, use: (handle: FileHandle) => Promise<void>): Promise<void> {
  let handle: FileHandle;
  try {
    handle = await open(file, 'r');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return;
    throw storeFailure('read', file, error);
  }
  try {
    await use(handle);
  } catch (error) {
    throw storeFailure('read', file, error);
  } finally {
    await handle.close();
  }
}

async function endsInsideLine(file: string): Promise<boolean> {
  let inside = false;
  await reading(file, async (handle) => {
    const { size } = await handle.stat();
    if (size === 0) return;
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
    inside = buffer[0] !== 0x0a;
  });
  return inside;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What every reader of a report relies on; we wrote the line, so this looks for cuts and for other versions, not for malice. */
function isReport(value: unknown): value is RunReport {
  if (!isRecord(value) || value.schema !== 1 || !isRecord(value.connection) || !isRecord(value.ledger)) return false;
  const { id, kind, startedAt, outcome, connection, paths } = value;
  const texts = [id, kind, startedAt, outcome, connection.id, connection.name];
  return texts.every((text) => typeof text === 'string') && isRecord(value.remote) && Array.isArray(paths);
}

function parseReport(line: string): RunReport | null {
  try {
    const value: unknown = JSON.parse(line);
    return isReport(value) ? value : null;
  } catch {
    return null;
  }
}
