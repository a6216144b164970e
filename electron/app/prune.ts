import type { Connection } from '../../shared/connection';
import type { Params } from '../../shared/contract';
import { AppError } from '../../shared/errors';
import type { SideName } from '../../shared/inspection';
import type { RemovalChoice, RemovedRun } from '../../shared/plan';
import type { RunReport, Stop } from '../../shared/run-report';
import { activityOn, type LookedSide, type PreparedPlan } from '../hygiene/prune';
import type { PruneSide } from '../hygiene/prune-side';
import { type Carried, carryOutPlan, dropRecord, heldOf, restoreRecord } from './prune-execute';
import type { PruneRecord, PruneRecords } from './prune-records';
import { carriedResult, freedResult, plannedResult, restoredResult } from './prune-results';
import type { Looked, PruneSides, PruneSidesRequest } from './prune-sides';
import { cleanTask, pruneTask, type Task } from './prune-tasks';
import type { ReportedResult } from './run-report';
import type { Runs } from './runs';

export interface PruneDeps {
  readonly runs: Runs;
  readonly records: PruneRecords;
  open(request: PruneSidesRequest, signal: AbortSignal): Promise<PruneSides>;
  /** Whether a session of the connection is under way. */
  inSession(connection: string): boolean;
  readonly now: () => number;
}

/** Restore points and leftovers: plan, carry out, put back, free. Each call is one run. */
export interface Prunes {
  prune(connection: Connection, request: Omit<Params<'prune'>, 'connection'>): Promise<RunReport>;
  clean(connection: Connection, request: Omit<Params<'clean'>, 'connection'>): Promise<RunReport>;
  /** Puts back what the given run took, or the last one of a kind. */
  undo(connection: Connection, which: RemovalChoice): Promise<RunReport>;
  /** Deletes that for good. */
  free(connection: Connection, which: RemovalChoice): Promise<RunReport>;
  removed(connection: string): Promise<readonly RemovedRun[]>;
  /** Writes down that a run is in the history. Nothing happens when nothing is kept of it. */
  told(run: string): Promise<void>;
  /** Deletes what was taken longer ago than it is kept. Contacts the remote only when something of this computer's is due there. */
  emptyOld(connection: Connection): Promise<void>;
}

/** Milliseconds for which what was taken can be put back. */
export const keptMs = 14 * 24 * 3_600_000;

export function createPrunes(deps: PruneDeps): Prunes {
  return {
    prune: (connection, request) => plan(deps, connection, pruneTask(request)),
    clean: async (connection, request) => plan(deps, connection, cleanTask(request)),
    undo: async (connection, which) => {
      const record = await recordOf(deps, connection, which);
      return withRecord(deps, connection, 'undo', record, async (sides, signal) => {
        const held = await heldOf(sides, record, signal);
        return restoredResult({ record, held, failed: await restoreRecord(deps.records, sides, record, signal) });
      });
    },
    free: async (connection, which) => {
      const record = await recordOf(deps, connection, which);
      return withRecord(deps, connection, record.kind, record, async (sides, signal) => {
        const held = await heldOf(sides, record, signal);
        await dropRecord(deps.records, sides, record, signal);
        return freedResult(record, held);
      });
    },
    removed: async (connection) => (await deps.records.list(connection)).map(removedRun),
    told: async (run) => {
      const record = (await deps.records.list()).find((one) => one.run === run);
      if (record !== undefined) await deps.records.save({ ...record, told: true });
    },
    emptyOld: (connection) => emptyOld(deps, connection),
  };
}

async function recordOf({ records }: PruneDeps, connection: Connection, which: RemovalChoice): Promise<PruneRecord> {
  const kept = await records.list(connection.id);
  const found = kept.find(({ run, kind }) => ('run' in which ? run === which.run : kind === which.kind));
  if (found !== undefined) return found;
  const kind = 'kind' in which ? which.kind : null;
  throw new AppError('prune.nothing-kept', { connection: connection.name, kind, other: (kind !== null && kept[0]?.kind) || null });
}

/** Plans, and carries out exactly that plan when asked to; whatever is in the way leaves everything as it was. */
function plan(deps: PruneDeps, connection: Connection, task: Task): Promise<RunReport> {
  return deps.runs.runOwn(connection, task.kind, async (run, signal, reached) => {
    const remote = task.sides.includes('remote');
    const sides = await deps.open({ connection, remote, writes: task.apply }, signal);
    try {
      if (sides.remote !== null) reached(sides.remote.reached);
      const looked = await look(sides, task, signal);
      const prepared = task.prepare(looked.sides, deps.now());
      const stop = obstacle(deps, connection, sides, looked.sides) ?? (task.apply ? changedPlan(task, prepared) : null);
      const planned = plannedResult(prepared, stop, looked);
      const nothing = prepared.leaving.local.length + prepared.leaving.remote.length === 0;
      if (stop !== null || !task.apply || nothing) return planned;
      const kept = { version: 1 as const, run, kind: task.kind, connection: connection.id, removedAt: new Date(deps.now()).toISOString() };
      const carried = await carryOutPlan(
        { records: deps.records, sides, looked, prepared, record: { ...kept, store: sides.store } },
        signal,
      );
      if (carried.kind === 'changed') return again(deps, sides, task, signal);
      return carriedResult(prepared, looked, await purged(deps, sides, task, carried, signal), new Date(deps.now() + keptMs));
    } finally {
      await sides.close();
    }
  });
}

async function look(sides: PruneSides, task: Task, signal: AbortSignal): Promise<Looked> {
  const inspection = await sides.inspect(task.check);
  const looked: LookedSide[] = [];
  const at: Partial<Record<SideName, PruneSide>> = {};
  const problems: string[] = [];
  for (const side of task.sides) {
    const inspected = inspection[side];
    if (inspected === null) continue;
    if (inspected.problem !== null) problems.push(`${side === 'local' ? 'This computer' : 'The remote'}: ${inspected.problem}`);
    if (!inspected.readable) continue;
    const working = side === 'local' ? sides.localAt(inspected.home, sides.store) : sides.remote?.at(inspected.home);
    if (working === undefined) continue;
    at[side] = working;
    looked.push({ side, inspected, survey: await working.survey(task.paths({ side, inspected }), signal) });
  }
  return { sides: looked, at, problems, remoteHome: inspection.remote?.home ?? null };
}

/** Why nothing may be removed right now. */
function obstacle(deps: PruneDeps, connection: Connection, sides: PruneSides, looked: readonly LookedSide[]): Stop | null {
  if (deps.inSession(connection.id)) {
    const message = `A session is open on ${connection.name}. Nothing was removed. End it first, then look again.`;
    return { guard: 'session-active', message, details: {} };
  }
  const busy = looked.flatMap((side): readonly (readonly [SideName, string])[] => {
    const held = side.side === 'local' && sides.hermesHolds !== null ? `Hermes holds ${sides.hermesHolds}` : null;
    const activity = held ?? activityOn(side, deps.now());
    return activity === null ? [] : [[side.side, activity]];
  });
  const [first] = busy;
  if (first === undefined) return null;
  const where = first[0] === 'local' ? 'This computer' : 'The remote';
  const message = `${where}: ${first[1]}. Nothing was removed. Try again when it is over.`;
  return { guard: 'rollback-in-progress', message, details: Object.fromEntries(busy) };
}

function changedPlan({ expected }: Task, { plan: { fingerprint } }: PreparedPlan): Stop | null {
  return expected === null || expected === fingerprint ? null : planChanged(expected, fingerprint);
}

function planChanged(expected: string | null, found: string): Stop {
  const message = 'Something changed since the plan was made. Nothing was removed. The plan below is the new one.';
  return { guard: 'plan-changed', message, details: { expected, found } };
}

/** The new plan, after something changed between the last look and the first move. */
async function again(deps: PruneDeps, sides: PruneSides, task: Task, signal: AbortSignal): Promise<ReportedResult> {
  const looked = await look(sides, task, signal);
  const prepared = task.prepare(looked.sides, deps.now());
  return plannedResult(prepared, planChanged(task.expected, prepared.plan.fingerprint), looked);
}

/** Frees at once what was moved, when that was asked for; after a cancel it stays where it can be put back. */
async function purged(
  deps: PruneDeps,
  sides: PruneSides,
  { purge }: Task,
  carried: Extract<Carried, { kind: 'moved' }>,
  cancel: AbortSignal,
) {
  const freed = purge && !cancel.aborted;
  if (freed && carried.record !== null) await dropRecord(deps.records, sides, carried.record, new AbortController().signal);
  return { failed: carried.failed, freed };
}

function withRecord(
  deps: PruneDeps,
  connection: Connection,
  kind: RunReport['kind'],
  record: PruneRecord,
  work: (sides: PruneSides, signal: AbortSignal) => Promise<ReportedResult>,
): Promise<RunReport> {
  return deps.runs.runOwn(connection, kind, async (_run, signal, reached) => {
    const sides = await deps.open({ connection, remote: record.remote !== null, writes: true }, signal);
    try {
      if (sides.remote !== null) reached(sides.remote.reached);
      if (sides.hermesHolds !== null && record.local !== null) {
        throw new AppError('run.busy', { connection: connection.name, holder: `Hermes holds ${sides.hermesHolds}` });
      }
      return await work(sides, signal);
    } finally {
      await sides.close();
    }
  });
}

async function emptyOld(deps: PruneDeps, connection: Connection): Promise<void> {
  const limit = deps.now() - keptMs;
  const old = (await deps.records.list(connection.id)).filter(({ removedAt }) => Date.parse(removedAt) < limit);
  if (old.length === 0) return;
  const signal = new AbortController().signal;
  const sides = await deps.open({ connection, remote: old.some(({ remote }) => remote !== null), writes: false }, signal);
  try {
    for (const record of old) await dropRecord(deps.records, sides, record, signal);
    const homes = new Set(old.flatMap(({ remote }) => (remote === null ? [] : [remote.home])));
    const before = new Date(limit).toISOString().replace(/[:.]/g, '-');
    for (const home of homes) await sides.remote?.at(home).empty(before, signal);
  } finally {
    await sides.close();
  }
}

function removedRun({ run, kind, removedAt, local, remote }: PruneRecord): RemovedRun {
  const amount = (part: PruneRecord['local']) => ({
    count: part?.items.length ?? 0,
    bytes: (part?.items ?? []).reduce((sum, { bytes }) => sum + bytes, 0),
  });
  const keptUntil = new Date(Date.parse(removedAt) + keptMs).toISOString();
  return { run, kind, removedAt, keptUntil, local: amount(local), remote: amount(remote) };
}
