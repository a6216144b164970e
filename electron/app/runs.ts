import { randomBytes } from 'node:crypto';
import type { Connection } from '../../shared/connection';
import type { Progress } from '../../shared/contract';
import { AppError } from '../../shared/errors';
import type { Guard, RunKind, RunReport } from '../../shared/run-report';
import { type Baseline, type FoundBaseline, isRecorded, type Memories, sameMemories } from '../engine/baseline';
import type { Endpoint } from '../engine/endpoint';
import { push } from '../engine/push';
import type { DecidedPaths, InboxSink, RunResult } from '../engine/run';
import { syncBack } from '../engine/sync-back';
import type { AgreedTexts } from './agreed-texts';
import type { GrowthBook } from './growth';
import type { RunRecords } from './run-records';
import { makeReport, type ReportedResult } from './run-report';
import type { OpenSides, OpenSidesFor } from './sides';

export type RunDirection = 'push' | 'sync-back';

export interface RunOptions {
  readonly direction: RunDirection;
  readonly allow: readonly Guard[];
  readonly dryRun: boolean;
  /** Writes down what the run came to, and gives the report as it was written. Until then the run is not over. */
  readonly conclude?: (report: RunReport) => Promise<RunReport>;
}

export interface RunsDeps {
  readonly openSides: OpenSidesFor;
  readonly records: RunRecords;
  readonly growth: Pick<GrowthBook, 'context' | 'record'>;
  readonly texts: Pick<AgreedTexts, 'keep'>;
  inbox(connection: string, runId: string): InboxSink;
  /** What the user decided about single paths of a connection. */
  decided(connection: string): DecidedPaths;
  readonly now: () => number;
  progress(progress: Progress): void;
}

/** What a run that opens its own way to the remote has reached. */
export type Reached = Pick<OpenSides, 'address' | 'hostKey' | 'wire'>;

/** Says how far a run is. */
export type Tell = (phase: Progress['phase'], done: number, total: number | null, unit: Progress['unit']) => void;

/** Something a run does apart from the two directions. It tells when it reached the remote; most of them never do. */
export type OwnWork = (runId: string, signal: AbortSignal, reached: (remote: Reached) => void, tell: Tell) => Promise<ReportedResult>;

/** Runs of all connections: at most one at a time for a connection, and for a folder on this computer. */
export interface Runs {
  /** Carries out one run. Throws `run.busy` at once when it cannot begin; what fails later is in the report. */
  run(connection: Connection, options: RunOptions): Promise<RunReport>;
  /** Carries out other work as a run of its own kind, under the same rules. */
  runOwn(connection: Connection, kind: RunKind, work: OwnWork): Promise<RunReport>;
  isRunning(connection: string): boolean;
  progressOf(connection: string): Progress | null;
  /** Asks a run to end at the next safe point. Nothing happens when there is none. */
  cancel(connection: string): void;
  /** Cancels a connection's run, or all of them, and waits for the end. */
  end(connection?: string): Promise<void>;
}

interface Active {
  readonly connection: Connection;
  readonly controller: AbortController;
  progress: Progress | null;
  finished: Promise<unknown>;
}

/** Milliseconds between two progress events of one phase. */
const progressPauseMs = 100;

export function createRuns(deps: RunsDeps): Runs {
  const active = new Map<string, Active>();
  const occupy = (connection: Connection, work: (entry: Active) => Promise<RunReport>): Promise<RunReport> => {
    const holder = [...active.values()].find((other) => overlaps(other.connection, connection));
    if (holder !== undefined) {
      throw new AppError('run.busy', {
        connection: connection.name,
        holder: `a run of "${holder.connection.name}" uses the same folder`,
      });
    }
    const entry: Active = { connection, controller: new AbortController(), progress: null, finished: Promise.resolve() };
    active.set(connection.id, entry);
    const working = work(entry).finally(() => active.delete(connection.id));
    entry.finished = working.catch(() => undefined);
    return working;
  };
  return {
    run: (connection, options) =>
      occupy(connection, async (entry) => {
        const { report, ended } = await carryOut(deps, entry, options);
        // The connection is free once both sides are closed, even when the report could not be written down.
        const concluding = Promise.resolve(options.conclude?.(report) ?? report);
        return concluding.finally(() => ended);
      }),
    runOwn: (connection, kind, work) => occupy(connection, (entry) => carryOutOwn(deps, entry, kind, work)),
    isRunning: (connection) => active.has(connection),
    progressOf: (connection) => active.get(connection)?.progress ?? null,
    cancel: (connection) => active.get(connection)?.controller.abort(),
    async end(connection) {
      const ending = [...active.values()].filter((entry) => connection === undefined || entry.connection.id === connection);
      for (const { controller } of ending) controller.abort();
      await Promise.all(ending.map(({ finished }) => finished));
    },
  };
}

function overlaps(a: Connection, b: Connection): boolean {
  if (a.id === b.id) return true;
  if (a.localHome !== b.localHome || a.profile !== b.profile) return false;
  return a.roots.some((root) => b.roots.some((other) => root === other || root.startsWith(`${other}/`) || other.startsWith(`${root}/`)));
}

function newRunId(startedAt: number): string {
  return `${new Date(startedAt).toISOString().replace(/[:.]/g, '-')}-${randomBytes(3).toString('hex')}`;
}

/** A run's report, and what need not be done before it is known. */
interface CarriedOut {
  readonly report: RunReport;
  /** Both sides are closed, and what only makes the next run quicker is kept. Never rejects. */
  readonly ended: Promise<unknown>;
}

async function carryOut(deps: RunsDeps, entry: Active, options: RunOptions): Promise<CarriedOut> {
  const { connection, controller } = entry;
  const startedAt = deps.now();
  const runId = newRunId(startedAt);
  const tell = teller(deps, entry, options.dryRun ? 'preview' : options.direction);
  let sides: OpenSides | null = null;
  let result: RunResult | null = null;
  let failure: unknown = null;
  let remembering: Promise<unknown> = Promise.resolve();
  let reading: Promise<unknown> = Promise.resolve();
  try {
    tell('connecting', 0, null, null);
    const [found, memories, growth, opened] = await Promise.all([
      deps.records.baseline(connection.id),
      deps.records.memories(connection.id),
      deps.growth.context(connection.id),
      deps.openSides({ connection, runId, writesLocal: options.direction === 'sync-back', dryRun: options.dryRun }, controller.signal),
    ]);
    sides = opened;
    const { local, remote, rules, hostKey, hermesUnfinished } = sides;
    const localMarker = () => opened.localMarker();
    let isRecordedAsFound = true;
    const prepare = async (baseline: Baseline) => {
      isRecordedAsFound = false;
      await deps.records.saveBaseline(connection.id, baseline);
    };
    const run = options.direction === 'push' ? push : syncBack;
    const input = {
      ...{ roots: connection.roots, newSkills: connection.newSkills, local, remote, rules, hostKey, found, memories },
      ...{ allow: new Set(options.allow), proposedMarker: randomBytes(16).toString('hex'), dryRun: options.dryRun },
      ...{
        inbox: deps.inbox(connection.id, runId),
        progress: tell,
        decided: deps.decided(connection.id),
        localMarker,
        hermesUnfinished,
        prepare,
        growth,
      },
    };
    result = await run(input, controller.signal);
    await record(deps, connection, isRecordedAsFound ? found : null, result);
    remembering = keepMemories(deps, connection, memories, result);
    reading = keepTexts(deps, connection, local, found, result);
    if (result.failure !== null) throw result.failure;
  } catch (error) {
    failure = controller.signal.aborted ? new AppError('run.cancelled', {}, { cause: error }) : error;
  }
  const wire = sides?.wire() ?? { sent: 0, received: 0, handshake: 0 };
  const kind = options.dryRun ? 'preview' : options.direction;
  const report = makeReport({ connection, runId, kind, startedAt, endedAt: deps.now(), sides, result, failure, wire });
  // The remote is told what to keep before it is left.
  const closing = Promise.allSettled([reading, result?.memories]).then(() => sides?.close());
  return { report, ended: Promise.all([remembering, closing]).catch(() => undefined) };
}

/** Keeps what a run leaves behind, as far as it differs from what was found. */
async function record(
  { records, growth }: RunsDeps,
  { id }: Connection,
  found: FoundBaseline | null,
  { baseline, growth: grown }: RunResult,
): Promise<void> {
  const isKnown = baseline === null || (found !== null && isRecorded(found, baseline));
  await Promise.all([isKnown ? null : records.saveBaseline(id, baseline), grown === null ? null : growth.record(id, grown)]);
}

/** Keeps what is remembered of both sides. Without it the next run is slower, and as right. */
async function keepMemories({ records }: RunsDeps, { id }: Connection, before: Memories, { memories }: RunResult): Promise<void> {
  const now = await memories;
  if (now !== null && !sameMemories(before, now)) await records.saveMemories(id, now).catch(() => undefined);
}

/** Keeps small texts that are agreed on since this run, for later conflicts. */
async function keepTexts({ texts }: RunsDeps, { id }: Connection, local: Endpoint, found: FoundBaseline, result: RunResult): Promise<void> {
  if (result.baseline === null) return;
  const before = found.kind === 'present' ? found.baseline : null;
  await texts.keep(id, local, before, result.baseline).catch(() => undefined);
}

async function carryOutOwn(deps: RunsDeps, entry: Active, kind: RunKind, work: OwnWork): Promise<RunReport> {
  const { connection, controller } = entry;
  const startedAt = deps.now();
  const runId = newRunId(startedAt);
  const met: { remote: Reached | null } = { remote: null };
  let result: ReportedResult | null = null;
  let failure: unknown = null;
  try {
    const reached = (remote: Reached) => {
      met.remote = remote;
    };
    result = await work(runId, controller.signal, reached, teller(deps, entry, kind));
  } catch (error) {
    failure = controller.signal.aborted ? new AppError('run.cancelled', {}, { cause: error }) : error;
  }
  const wire = met.remote?.wire() ?? { sent: 0, received: 0, handshake: 0 };
  return makeReport({ connection, runId, kind, startedAt, endedAt: deps.now(), sides: met.remote, result, failure, wire });
}

function teller(deps: RunsDeps, entry: Active, kind: Progress['kind']): Tell {
  let last = 0;
  return (phase, done, total, unit) => {
    const changed = entry.progress?.phase !== phase;
    entry.progress = { connection: entry.connection.id, kind, phase, done, total, unit };
    const now = performance.now();
    if (!changed && now - last < progressPauseMs) return;
    last = now;
    deps.progress(entry.progress);
  };
}
