import {
  failTogether,
  type GroupResult,
  giveUp,
  keepDurably,
  type PreparedGroup,
  placeGroup,
  prepareGroup,
  problemOfFirst,
  takeBack,
} from './apply-group';
import { throwIfCancelled } from './cancel';
import { type Disk, type DiskEntry, parentsOf } from './disk';
import type { Applied, ApplyRequest, Change } from './endpoint';
import type { EnginePath, ListedEntry } from './entry';
import { type ChangeGroup, groupsOf, isWrite, planGroups, type Write } from './groups';
import type { Journal } from './journal';
import { describeSaved, type Saved } from './saved-change';
import { stageContents } from './stage';
import { storedName } from './state-names';

export { modeAfter } from './apply-group';

/** Folders that are flushed at once. */
const foldersInFlight = 4;

/** Where an apply writes down what it is about to do, and what it did. */
export interface ApplyRecord {
  readonly journal: Journal;
  /** Called after each group that is done. */
  saved(saved: Saved): void;
}

interface Outcome {
  readonly changes: readonly Change[];
  readonly result: GroupResult;
}

/** The entry of a written file. The stamp vouches for the content only if nothing touched the file since it was placed. */
function entryFor({ content }: Write, placed: DiskEntry | null, now: DiskEntry | null): ListedEntry {
  const untouched = now?.settled === true && now.stamp === placed?.stamp;
  const executable = placed?.mode == null ? null : (placed.mode & 0o100) !== 0;
  const { hash, size, mtime } = content;
  return { kind: 'file', size, mtime: placed?.mtime ?? mtime, executable, hash, stamp: untouched ? (now?.stamp ?? '') : '' };
}

/** Makes all renames durable and describes what lies there now. */
async function finish(disk: Disk, outcomes: readonly Outcome[]): Promise<readonly Applied[]> {
  const done = outcomes.flatMap(({ changes, result }) => (result.kind === 'done' ? changes : []));
  const folders = new Set(done.flatMap(({ path }) => parentsOf(path))).values();
  const syncFolders = async (): Promise<void> => {
    // Ignored: the files are in place. A power cut could bring old names back, which the next listing would see.
    for (const folder of folders) await disk.syncFolder(folder).catch(() => undefined);
  };
  await Promise.all([
    ...Array.from({ length: foldersInFlight }, syncFolders),
    ...(done.some((change) => !isWrite(change)) ? [disk.syncKept().catch(() => undefined)] : []),
    ...(done.some(isWrite) ? [disk.settle()] : []),
  ]);
  const applied: Applied[] = [];
  for (const { changes, result } of outcomes) {
    for (const change of changes) {
      const { path } = change;
      if (result.kind === 'failed') applied.push({ path, ok: false, reason: result.problems.get(path) ?? 'unknown' });
      else if (!isWrite(change)) applied.push({ path, ok: true, entry: null });
      else
        applied.push({ path, ok: true, entry: entryFor(change, result.placed.get(path) ?? null, await disk.look(path).catch(() => null)) });
    }
  }
  return applied;
}

/** Groups that lack a content, as failed. */
function failUnstaged(groups: readonly (readonly Change[])[], unstaged: ReadonlyMap<EnginePath, string>): readonly Outcome[] {
  return groups.flatMap((changes) => {
    const missing = new Map(changes.flatMap(({ path }) => (unstaged.has(path) ? [[path, unstaged.get(path) ?? ''] as const] : [])));
    if (missing.size === 0) return [];
    return [{ changes, result: { kind: 'failed', problems: failTogether(changes, missing), isWhole: true } }];
  });
}

/** Groups whose old content is saved, and flushed, together. A flush costs as much as everything else about a small group. */
const groupsAtOnce = 32;

/** With `signal`, a cancel ends it between two groups; without, it goes on to the last. */
async function applyStaged(
  disk: Disk,
  groups: readonly ChangeGroup[],
  record: ApplyRecord | null,
  signal: AbortSignal | null,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let at = 0; at < groups.length; at += groupsAtOnce) {
    outcomes.push(...(await applyTogether(disk, groups.slice(at, at + groupsAtOnce), record, signal)));
  }
  return outcomes;
}

/** Each group is whole or as it was, by itself. Those that a cancel leaves over are put back. */
async function applyTogether(
  disk: Disk,
  groups: readonly ChangeGroup[],
  record: ApplyRecord | null,
  signal: AbortSignal | null,
): Promise<readonly Outcome[]> {
  if (signal !== null) throwIfCancelled(signal);
  const outcomes: Outcome[] = [];
  const prepared: PreparedGroup[] = [];
  for (const group of groups) {
    const result = await prepareGroup(disk, group, new Map(group.changes.map(({ path }) => [path, 'untouched'])));
    if (result.kind === 'prepared') prepared.push(result);
    else outcomes.push({ changes: group.changes, result });
  }
  const problem = await keepDurably(disk, prepared);
  for (const [index, one] of prepared.entries()) {
    const { group } = one;
    if (signal?.aborted) for (const left of prepared.slice(index)) await takeBack(disk, left.group);
    if (signal !== null) throwIfCancelled(signal);
    const result = problem === null ? await placeGroup(disk, one) : await giveUp(disk, group, problemOfFirst(group, problem));
    outcomes.push({ changes: group.changes, result });
    if (record !== null && result.kind === 'done') record.saved(await describeSaved(disk, group));
  }
  return outcomes;
}

/**
 * Carries out changes on this computer. Contents are staged whole and checked before the first change; then, for some groups at a
 * time: compare with what was listed, save the old content durably, rename. Existing content is never written in place.
 *
 * With a record, what was staged and not placed stays until the journal has ended: until then the names in the staging and undo
 * folders are what tells how far each change got.
 */
export async function applyChanges(
  disk: Disk,
  request: ApplyRequest,
  signal: AbortSignal,
  record: ApplyRecord | null = null,
): Promise<readonly Applied[]> {
  throwIfCancelled(signal);
  try {
    await record?.journal.begin();
    const unstaged = await stageContents(disk, request, signal);
    const groups = groupsOf(request.changes);
    const failed = failUnstaged(groups, unstaged);
    const incomplete = new Set(failed.map(({ changes }) => changes));
    const staged = await planGroups(
      disk,
      groups.filter((changes) => !incomplete.has(changes)),
      request.folderModes,
    );
    // The journal's plan names what was agreed on, as the kept baseline says.
    await request.recorded;
    await record?.journal.plan(staged);
    throwIfCancelled(signal);
    return await finish(disk, [...failed, ...(await applyStaged(disk, staged, record, request.goesOn === true ? null : signal))]);
  } finally {
    // A leftover that cannot be removed is harmless, and overwritten next time.
    const leftover = record === null ? request.changes.filter(isWrite) : [];
    for (const { path } of leftover) await disk.dropStaged(storedName(path)).catch(() => undefined);
  }
}
