import { fill } from '../../shared/phrase';
import { pathPhrases } from '../../shared/phrases/paths';
import { checkChanges, checkUnmoved, parentProblem, type Seen } from './apply-check';
import { type Disk, type DiskEntry, parentOf, parentsOf, pathFailure, problemOf } from './disk';
import type { Change } from './endpoint';
import type { EnginePath } from './entry';
import { type ChangeGroup, isWrite, type Remove, type Write } from './groups';
import { storedName } from './state-names';

/** Written or removed paths of one finished group; `placed` is what lies there now, as far as this call placed it. */
export type GroupResult =
  | { readonly kind: 'done'; readonly placed: ReadonlyMap<EnginePath, DiskEntry | null> }
  | { readonly kind: 'failed'; readonly problems: ReadonlyMap<EnginePath, string>; readonly isWhole: boolean };

/**
 * How far one change got. It follows from the names in the staging and undo folders alone: content is moved, never copied or
 * dropped, until its group is over.
 */
export type ChangeState = 'untouched' | 'saved' | 'done' | 'taken-back';

/** Permission bits of a file after a write: as they were, except that the execute bits follow the content. */
export function modeAfter(existing: number | null, executable: boolean): number {
  if (existing === null) return executable ? 0o700 : 0o600;
  if (((existing & 0o100) !== 0) === executable) return existing;
  if (!executable) return existing & ~0o111;
  return existing | 0o100 | ((existing & 0o044) >> 2);
}

/** The state of a change whose content was staged whole. */
export async function stateOf(disk: Disk, change: Change): Promise<ChangeState> {
  const name = storedName(change.path);
  const isKept = await disk.isKept(name);
  if (!isWrite(change)) {
    if (!isKept) return 'untouched';
    // Between two volumes a move is a copy first.
    return (await hasContent(disk, change.path, change.expected.hash)) ? 'saved' : 'done';
  }
  if (await disk.isStaged(name)) return isKept ? 'saved' : 'untouched';
  return change.expected === null || isKept ? 'done' : 'taken-back';
}

async function hasContent(disk: Disk, path: EnginePath, hash: string | null): Promise<boolean> {
  const there = await disk.look(path);
  return there?.kind === 'file' && hash !== null && (await disk.hash(path)) === hash;
}

async function makeParents(disk: Disk, { folders }: ChangeGroup, path: EnginePath, seen: Set<EnginePath>): Promise<void> {
  for (const folder of ['', ...parentsOf(path)]) {
    if (seen.has(folder)) continue;
    if ((await disk.look(folder)) === null) await disk.makeFolder(folder, folders.find((planned) => planned.path === folder)?.mode);
    seen.add(folder);
  }
}

/** What is known of each target while a group is carried out. */
type Targets = Map<EnginePath, Seen>;

/** Everything about a write but the rename: folders, mode, and a second copy of the old content. */
async function prepare(disk: Disk, change: Write, seen: Seen, isSaved: boolean): Promise<Seen> {
  const { path, content } = change;
  const name = storedName(path);
  await checkUnmoved(disk, change, seen);
  const mode = content.mode ?? modeAfter(seen?.mode ?? null, content.executable);
  if (mode !== modeAfter(null, content.executable)) await disk.setStagedMode(name, mode);
  if (isSaved) return seen;
  if (seen === null) return null;
  await disk.keepCopy(path, name);
  // A second name moves the times of the file: what is compared with from now on is its new state.
  const after = await disk.look(path);
  if (after?.size !== seen.size || after.mtime !== seen.mtime) throw pathFailure('replace', path, pathPhrases['changed-meanwhile']);
  return after;
}

async function removeFile(disk: Disk, change: Remove, seen: Seen): Promise<void> {
  await checkUnmoved(disk, change, seen);
  await disk.keepMoved(change.path, storedName(change.path));
}

/** Removes the folders that removals emptied, upwards, but never a root. A folder that stays is harmless. */
export async function removeEmptied(disk: Disk, changes: readonly Change[]): Promise<void> {
  for (const change of changes) {
    if (isWrite(change)) continue;
    for (let folder = parentOf(change.path); folder.includes('/'); folder = parentOf(folder)) {
      if (!(await disk.removeEmptyFolder(folder).catch(() => false))) break;
    }
  }
}

/** Every path of the group with its own reason, or that of the first that failed. */
export function failTogether(changes: readonly Change[], own: ReadonlyMap<EnginePath, string>): ReadonlyMap<EnginePath, string> {
  const [path, reason] = [...own][0] ?? ['', 'unknown'];
  const others = fill(pathPhrases['skill-failed'], { path, reason });
  return new Map(changes.map((change) => [change.path, own.get(change.path) ?? others]));
}

/** A group whose old content is saved, though not durably yet: everything but the renames. */
export interface PreparedGroup {
  readonly kind: 'prepared';
  readonly group: ChangeGroup;
  readonly states: ReadonlyMap<EnginePath, ChangeState>;
  readonly targets: ReadonlyMap<EnginePath, Seen>;
}

type Failed = Extract<GroupResult, { readonly kind: 'failed' }>;

/**
 * Checks a group, makes its folders and saves its old content. One that fails is as it was before. A group that was begun before
 * goes on from where its `states` say it is.
 */
export async function prepareGroup(
  disk: Disk,
  group: ChangeGroup,
  states: ReadonlyMap<EnginePath, ChangeState>,
): Promise<PreparedGroup | Failed> {
  const { changes } = group;
  const isBegun = [...states.values()].some((state) => state === 'saved' || state === 'done');
  const lost = changes.filter(({ path }) => states.get(path) === 'taken-back');
  const remaining = changes.filter(({ path }) => states.get(path) !== 'done');
  const { seen, problems } = await checkChanges(disk, remaining);
  const failed = new Map([...lost.map(({ path }) => [path, 'its new content is gone'] as const), ...problems]);
  for (const { path } of changes) {
    // Content kept under this name belongs to another change; putting it back here would be wrong.
    if (states.get(path) === 'untouched' && (await disk.isKept(storedName(path)))) failed.set(path, 'older content of it is still kept');
  }
  if (failed.size > 0) {
    return isBegun ? giveUp(disk, group, failed) : { kind: 'failed', problems: failTogether(changes, failed), isWhole: true };
  }
  const targets: Targets = new Map(seen);
  const folders = new Set<EnginePath>();
  for (const change of remaining.filter(isWrite)) {
    try {
      await makeParents(disk, group, change.path, folders);
      const isSaved = states.get(change.path) === 'saved';
      targets.set(change.path, await prepare(disk, change, targets.get(change.path) ?? null, isSaved));
    } catch (error) {
      return giveUp(disk, group, new Map([[change.path, problemOf(error)]]));
    }
  }
  return { kind: 'prepared', group, states, targets };
}

/** Makes what was saved for these groups durable. Null when it is; else the problem, which is that of each of them. */
export async function keepDurably(disk: Disk, groups: readonly PreparedGroup[]): Promise<string | null> {
  if (!groups.some(({ group }) => group.changes.some((change) => isWrite(change) && change.expected !== null))) return null;
  return disk.syncKept().then(() => null, problemOf);
}

/** Carries out a group whose old content is saved durably, whole, or puts everything back as it was. */
export async function placeGroup(disk: Disk, { group, states, targets }: PreparedGroup): Promise<GroupResult> {
  const { changes } = group;
  const remaining = changes.filter(({ path }) => states.get(path) !== 'done');
  const placed = new Map<EnginePath, DiskEntry | null>();
  for (const change of [...remaining.filter(isWrite), ...remaining.filter((one) => !isWrite(one))]) {
    const { path } = change;
    const seen = targets.get(path) ?? null;
    try {
      if (isWrite(change)) {
        await checkUnmoved(disk, change, seen);
        await disk.place(storedName(path), path);
        placed.set(path, await disk.look(path));
      } else {
        await removeFile(disk, change, seen);
        placed.set(path, null);
      }
    } catch (error) {
      return giveUp(disk, group, new Map([[path, problemOf(error)]]));
    }
  }
  await removeEmptied(disk, changes);
  return { kind: 'done', placed };
}

/** Puts a group back as it was because of these problems. */
export async function giveUp(disk: Disk, group: ChangeGroup, failed: ReadonlyMap<EnginePath, string>): Promise<Failed> {
  const stuck = await takeBack(disk, group);
  const own = new Map([...failed, ...[...stuck].map(([path, { reason }]) => [path, reason] as const)]);
  const isWhole = ![...stuck.values()].some(({ retry }) => retry);
  return { kind: 'failed', problems: failTogether(group.changes, own), isWhole };
}

/** Carries out one group alone, from wherever it is. */
export async function applyGroup(disk: Disk, group: ChangeGroup, states: ReadonlyMap<EnginePath, ChangeState>): Promise<GroupResult> {
  const prepared = await prepareGroup(disk, group, states);
  if (prepared.kind === 'failed') return prepared;
  const problem = await keepDurably(disk, [prepared]);
  return problem === null ? placeGroup(disk, prepared) : giveUp(disk, group, problemOfFirst(group, problem));
}

/** A problem of the whole group, told where its first path is. */
export function problemOfFirst({ changes }: ChangeGroup, problem: string): ReadonlyMap<EnginePath, string> {
  return new Map([[changes[0]?.path ?? '', problem]]);
}

/** Why a path is not as it was before its group. With `retry`, the disk failed and may not fail next time. */
export interface Stuck {
  readonly reason: string;
  readonly retry: boolean;
}

/** Puts a group back as it was, whatever state it is in. Never over a file that is neither the old nor the new one. */
export async function takeBack(disk: Disk, { changes, folders }: ChangeGroup): Promise<ReadonlyMap<EnginePath, Stuck>> {
  const stuck = new Map<EnginePath, Stuck>();
  for (const change of changes.toReversed()) {
    try {
      const changed = await takeBackChange(disk, change);
      if (changed !== null) stuck.set(change.path, { reason: changed, retry: false });
    } catch (error) {
      const said = problemOf(error);
      const reason =
        change.expected === null
          ? `it could not be taken away again (${said})`
          : `it could not be put back (${said}); its old content is in the undo store`;
      stuck.set(change.path, { reason, retry: true });
    }
  }
  for (const { path, existed } of folders.toReversed()) {
    // A folder that stays is harmless.
    if (!existed) await disk.removeEmptyFolder(path).catch(() => false);
  }
  return stuck;
}

async function takeBackChange(disk: Disk, change: Change): Promise<string | null> {
  const { path, expected } = change;
  const name = storedName(path);
  const isPlaced = isWrite(change) && !(await disk.isStaged(name));
  const isKept = await disk.isKept(name);
  if (!isKept && !(isPlaced && expected === null)) return null;
  const blocked = await parentProblem((parent) => disk.look(parent), path);
  const there = blocked === null ? await disk.look(path) : null;
  const kept = expected === null ? '' : '; what was there before is in the undo store';
  if (blocked !== null) return `${blocked}${kept}`;
  const hash = there?.kind === 'file' ? await disk.hash(path) : null;
  if (expected === null) {
    if (there === null) return null;
    if (!isWrite(change) || hash !== change.content.hash) return 'it changed here meanwhile and was left alone';
    await disk.unplace(path, name);
    return null;
  }
  const isOld = hash !== null && hash === expected.hash;
  // An old file beside its kept content: saved and no further, or put back by a call that was cut short. Equal stamps are two
  // names of one file, which was written in place since.
  if (isPlaced ? isOld || hash === change.content.hash : there === null) await disk.putBack(name, path);
  else if (isOld || (there !== null && (await disk.lookKept(name))?.stamp === there.stamp)) await disk.dropKept(name);
  else return `it changed here meanwhile and was left alone${kept}`;
  return null;
}
