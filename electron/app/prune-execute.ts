import type { SideName } from '../../shared/inspection';
import { throwIfCancelled } from '../engine/cancel';
import type { LeavingEntry, PreparedPlan } from '../hygiene/prune';
import type { Failures, MoveOutcome, PruneSide } from '../hygiene/prune-side';
import type { PruneItem, PruneRecord, PruneRecords } from './prune-records';
import type { Looked, PruneSides } from './prune-sides';

export interface Execution {
  readonly records: PruneRecords;
  readonly sides: PruneSides;
  readonly looked: Looked;
  readonly prepared: PreparedPlan;
  readonly record: Omit<PruneRecord, 'told' | 'local' | 'remote'>;
}

/** Failures by side and path. */
export type SideFailures = Readonly<Record<SideName, Failures>>;

/** `changed`: something was no longer as planned, and everything is where it was. The record is null when nothing went. */
export type Carried =
  | { readonly kind: 'changed' }
  | { readonly kind: 'moved'; readonly failed: SideFailures; readonly record: PruneRecord | null };

const none: Failures = new Map();

/**
 * Moves what the plan takes away, the remote first. The record comes before the first move, so that whatever went can come back. A
 * cancel counts until then: from the first move on it goes to its end, which only a lost link cuts short.
 */
export async function carryOutPlan(execution: Execution, cancel: AbortSignal): Promise<Carried> {
  const { records } = execution;
  throwIfCancelled(cancel);
  const signal = new AbortController().signal;
  const record: PruneRecord = {
    ...execution.record,
    told: false,
    local: partOf(execution, 'local', none),
    remote: partOf(execution, 'remote', none),
  };
  await records.save(record);
  const outcome = await moveBoth(execution, record).catch(async (error: unknown) => {
    // Where a side cannot be asked any more the record stays as it was: one that names too much loses nothing.
    await settleRecord(records, await heldOf(execution.sides, record, signal).catch(() => record));
    throw error;
  });
  if (outcome.kind === 'refused') throw outcome.error;
  return outcome;
}

/** Moves both sides or, as far as that can be, none. */
async function moveBoth(execution: Execution, record: PruneRecord): Promise<Carried | Extract<MoveOutcome, { kind: 'refused' }>> {
  const { records, looked, prepared } = execution;
  const { run } = record;
  const signal = new AbortController().signal;
  const move = async (side: SideName): Promise<MoveOutcome> => {
    const items = prepared.leaving[side];
    if (items.length === 0) return { kind: 'moved', failed: none };
    return (await looked.at[side]?.move(run, items, signal)) ?? { kind: 'changed' };
  };
  const remote = await move('remote');
  if (remote.kind !== 'moved') {
    await records.forget(run);
    return remote;
  }
  const local = await move('local');
  if (local.kind !== 'moved') {
    // Both sides are one plan: what went on the remote a moment ago comes back.
    const back = prepared.leaving.remote.filter(({ path }) => !remote.failed.has(path));
    const left = back.length === 0 ? none : ((await looked.at.remote?.restore(run, back, signal)) ?? none);
    // The caller tells of it; what did not come back is kept, and an undo can bring it.
    await settleRecord(records, { ...record, told: true, local: null, remote: withItems(record.remote, ({ path }) => left.has(path)) });
    return local;
  }
  const failed = { local: local.failed, remote: remote.failed };
  const moved = { ...record, local: partOf(execution, 'local', failed.local), remote: partOf(execution, 'remote', failed.remote) };
  return { kind: 'moved', failed, record: await settleRecord(records, moved) };
}

/** Writes down what is still kept of a run; null, and no record any more, when that is nothing. */
export async function settleRecord(records: PruneRecords, record: PruneRecord): Promise<PruneRecord | null> {
  if (record.local === null && record.remote === null) {
    await records.forget(record.run);
    return null;
  }
  await records.save(record);
  return record;
}

function partOf({ looked, prepared }: Execution, side: SideName, failed: Failures): PruneRecord['local'] {
  const items = prepared.leaving[side].filter(({ path }) => !failed.has(path)).map(itemOf);
  const home = looked.at[side]?.home;
  return items.length === 0 || home === undefined ? null : { home, items };
}

function itemOf({ path, name, files, bytes }: LeavingEntry) {
  return { path, name, files, bytes };
}

/** A record with no more than what the sides say they keep of it. */
export async function heldOf(sides: PruneSides, record: PruneRecord, signal: AbortSignal): Promise<PruneRecord> {
  const { run, store, local, remote } = record;
  const held = async (part: PruneRecord['local'], side: PruneSide | undefined) => {
    if (part === null || side === undefined) return part;
    const names = await side.kept(run, signal);
    return withItems(part, ({ name }) => names.has(name));
  };
  return {
    ...record,
    local: await held(local, local === null ? undefined : sides.localAt(local.home, store)),
    remote: await held(remote, remote === null ? undefined : sides.remote?.at(remote.home)),
  };
}

/** The part of a record with those of its items; null when there are none. */
export function withItems(part: PruneRecord['local'], isOf: (item: PruneItem) => boolean): PruneRecord['local'] {
  const items = part?.items.filter(isOf) ?? [];
  return part === null || items.length === 0 ? null : { ...part, items };
}

/** Puts everything back that a record names. What could not come back stays recorded. */
export async function restoreRecord(
  records: PruneRecords,
  sides: PruneSides,
  record: PruneRecord,
  signal: AbortSignal,
): Promise<SideFailures> {
  const { run, local, remote } = record;
  const failed = {
    local: local === null ? none : await sides.localAt(local.home, record.store).restore(run, local.items, signal),
    remote: remote === null ? none : ((await sides.remote?.at(remote.home).restore(run, remote.items, signal)) ?? none),
  };
  const left = (side: SideName) => withItems(record[side], ({ path }) => failed[side].has(path));
  await settleRecord(records, { ...record, local: left('local'), remote: left('remote') });
  return failed;
}

/** Deletes for good what a record names, then the record. */
export async function dropRecord(records: PruneRecords, sides: PruneSides, record: PruneRecord, signal: AbortSignal): Promise<void> {
  const { run, local, remote } = record;
  if (remote !== null) await sides.remote?.at(remote.home).drop(run, signal);
  if (local !== null) await sides.localAt(local.home, record.store).drop(run, signal);
  await records.forget(run);
}
