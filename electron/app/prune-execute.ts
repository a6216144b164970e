import type { SideName } from '../../shared/inspection';
import { throwIfCancelled } from '../engine/cancel';
import type { LeavingEntry, PreparedPlan } from '../hygiene/prune';
import type { Failures } from '../hygiene/prune-side';
import type { PruneRecord, PruneRecords } from './prune-records';
import type { Looked, PruneSides } from './prune-sides';

export interface Execution {
  readonly records: PruneRecords;
  readonly sides: PruneSides;
  readonly looked: Looked;
  readonly prepared: PreparedPlan;
  readonly record: Omit<PruneRecord, 'local' | 'remote'>;
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
  const { records, looked } = execution;
  throwIfCancelled(cancel);
  const signal = new AbortController().signal;
  const record: PruneRecord = { ...execution.record, local: partOf(execution, 'local', none), remote: partOf(execution, 'remote', none) };
  const { run } = record;
  await records.save(record);
  const move = async (side: SideName) => {
    const items = execution.prepared.leaving[side];
    if (items.length === 0) return { kind: 'moved' as const, failed: none };
    return (await looked.at[side]?.move(run, items, signal)) ?? { kind: 'changed' as const };
  };
  const remote = await move('remote');
  if (remote.kind === 'changed') {
    await records.forget(run);
    return remote;
  }
  const local = await move('local');
  if (local.kind === 'changed') {
    // Both sides are one plan: what went on the remote a moment ago comes back.
    const back = execution.prepared.leaving.remote.filter(({ path }) => !remote.failed.has(path));
    const left = back.length === 0 ? none : ((await looked.at.remote?.restore(run, back, signal)) ?? none);
    if (left.size === 0) await records.forget(run);
    return local;
  }
  const failed = { local: local.failed, remote: remote.failed };
  const moved = { ...record, local: partOf(execution, 'local', failed.local), remote: partOf(execution, 'remote', failed.remote) };
  if (moved.local === null && moved.remote === null) await records.forget(run);
  else await records.save(moved);
  return { kind: 'moved', failed, record: moved.local === null && moved.remote === null ? null : moved };
}

function partOf({ looked, prepared }: Execution, side: SideName, failed: Failures): PruneRecord['local'] {
  const items = prepared.leaving[side].filter(({ path }) => !failed.has(path)).map(itemOf);
  const home = looked.at[side]?.home;
  return items.length === 0 || home === undefined ? null : { home, items };
}

function itemOf({ path, name, files, bytes }: LeavingEntry) {
  return { path, name, files, bytes };
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
  const left = (part: PruneRecord['local'], failures: Failures) => {
    const items = part?.items.filter(({ path }) => failures.has(path)) ?? [];
    return part === null || items.length === 0 ? null : { ...part, items };
  };
  const rest = { ...record, local: left(local, failed.local), remote: left(remote, failed.remote) };
  if (rest.local === null && rest.remote === null) await records.forget(run);
  else await records.save(rest);
  return failed;
}

/** Deletes for good what a record names, then the record. */
export async function dropRecord(records: PruneRecords, sides: PruneSides, record: PruneRecord, signal: AbortSignal): Promise<void> {
  const { run, local, remote } = record;
  if (remote !== null) await sides.remote?.at(remote.home).drop(run, signal);
  if (local !== null) await sides.localAt(local.home, record.store).drop(run, signal);
  await records.forget(run);
}
