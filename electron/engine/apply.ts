import { checkChanges, checkUnmoved, type Seen } from './apply-check';
import { throwIfCancelled } from './cancel';
import { type Disk, type DiskEntry, parentOf, parentsOf, pathFailure, problemOf } from './disk';
import type { Applied, ApplyRequest, Change } from './endpoint';
import type { EnginePath, ListedEntry } from './entry';
import { stageContents } from './stage';
import { storedName } from './state-names';

/** Folders that are flushed at once. */
const foldersInFlight = 4;

/** One step of a group that can be taken back. Taking back a step that did not happen does nothing. */
interface Step {
  readonly path: EnginePath;
  takeBack(): Promise<void>;
}

/** A group while it is carried out. */
interface Group {
  readonly disk: Disk;
  /** What was begun so far, in order. */
  readonly steps: Step[];
  /** Folders that were seen or made. */
  readonly folders: Set<EnginePath>;
}

/** Written or removed paths of one finished group; `placed` is what lies there now. */
type GroupResult =
  | { readonly kind: 'done'; readonly placed: ReadonlyMap<EnginePath, DiskEntry | null> }
  | { readonly kind: 'failed'; readonly problems: ReadonlyMap<EnginePath, string> };

type Write = Extract<Change, { kind: 'write' }>;
type Remove = Extract<Change, { kind: 'remove' }>;

/** Permission bits of a file after a write: as they were, except that the execute bits follow the content. */
export function modeAfter(existing: number | null, executable: boolean): number {
  if (existing === null) return executable ? 0o700 : 0o600;
  if (((existing & 0o100) !== 0) === executable) return existing;
  if (!executable) return existing & ~0o111;
  return existing | 0o100 | ((existing & 0o044) >> 2);
}

/**
 * Changes that happen together, groups that write before groups that only remove. A whole group comes before the next one, so
 * that at most one is unfinished at any moment; inside a group removals come after writes.
 */
function groupsOf(changes: readonly Change[]): readonly (readonly Change[])[] {
  const groups = new Map<string, Change[]>();
  for (const [index, change] of changes.entries()) {
    const key = change.group === null ? `alone ${index}` : `group ${change.group}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [change]);
    else group.push(change);
  }
  const ordered = [...groups.values()].map((group) => [...group.filter(isWrite), ...group.filter((change) => !isWrite(change))]);
  return [...ordered.filter((group) => group.some(isWrite)), ...ordered.filter((group) => !group.some(isWrite))];
}

function isWrite(change: Change): change is Write {
  return change.kind === 'write';
}

async function makeParents({ disk, steps, folders }: Group, path: EnginePath): Promise<void> {
  for (const folder of ['', ...parentsOf(path)]) {
    if (folders.has(folder)) continue;
    folders.add(folder);
    if ((await disk.look(folder)) !== null) continue;
    steps.push({
      path: folder,
      takeBack: async () => {
        await disk.removeEmptyFolder(folder);
      },
    });
    await disk.makeFolder(folder);
  }
}

/** Keeps the old content, if there is any, and registers how it comes back. */
async function saveOld({ disk, steps }: Group, path: EnginePath, seen: Seen, keep: 'copy' | 'move'): Promise<void> {
  const name = storedName(path);
  // Content kept under this name belongs to another change; putting it back here would be wrong.
  if (await disk.isKept(name)) throw pathFailure('save', path, 'older content of it is still kept');
  if (seen === null) {
    steps.push({
      path,
      takeBack: async () => {
        if (!(await disk.isStaged(name))) await disk.removeFile(path);
      },
    });
    return;
  }
  steps.push({
    path,
    takeBack: async () => {
      if (await disk.isKept(name)) await disk.putBack(name, path);
    },
  });
  if (keep === 'copy') await disk.keepCopy(path, name);
  else await disk.keepMoved(path, name);
}

async function writeFile(group: Group, change: Write, seen: Seen): Promise<DiskEntry | null> {
  const { disk } = group;
  const { path, content } = change;
  const name = storedName(path);
  await makeParents(group, path);
  await checkUnmoved(disk, change, seen);
  const mode = modeAfter(seen?.mode ?? null, content.executable);
  if (mode !== modeAfter(null, content.executable)) await disk.setStagedMode(name, mode);
  await saveOld(group, path, seen, 'copy');
  await disk.place(name, path);
  return disk.look(path);
}

async function removeFile(group: Group, change: Remove, seen: Seen): Promise<null> {
  await checkUnmoved(group.disk, change, seen);
  await saveOld(group, change.path, seen, 'move');
  return null;
}

/** Takes steps back, last one first. Returns the paths that are not as they were, with the reason. */
async function rollBack(steps: readonly Step[]): Promise<ReadonlyMap<EnginePath, string>> {
  const problems = new Map<EnginePath, string>();
  for (const step of [...steps].reverse()) {
    try {
      await step.takeBack();
    } catch (error) {
      problems.set(step.path, `it could not be put back (${problemOf(error)}); its old content is in the undo store`);
    }
  }
  return problems;
}

/** Removes the folders that removals emptied, upwards, but never a root. A folder that stays is harmless. */
async function removeEmptied(disk: Disk, removed: readonly Remove[]): Promise<void> {
  for (const { path } of removed) {
    for (let folder = parentOf(path); folder.includes('/'); folder = parentOf(folder)) {
      if (!(await disk.removeEmptyFolder(folder).catch(() => false))) break;
    }
  }
}

/** Every path of the group with its own reason, or that of the first that failed. */
function failTogether(changes: readonly Change[], own: ReadonlyMap<EnginePath, string>): GroupResult {
  const [path, reason] = [...own][0] ?? ['', 'unknown'];
  const others = `another file of this skill failed: ${path}: ${reason}`;
  return { kind: 'failed', problems: new Map(changes.map((change) => [change.path, own.get(change.path) ?? others])) };
}

/** Carries out one group whole, or leaves everything as it was. Order: check, save old, rename; then empty folders. */
async function applyGroup(disk: Disk, changes: readonly Change[], unstaged: ReadonlyMap<EnginePath, string>): Promise<GroupResult> {
  const missing = new Map<EnginePath, string>();
  for (const { path } of changes) {
    const reason = unstaged.get(path);
    if (reason !== undefined) missing.set(path, reason);
  }
  if (missing.size > 0) return failTogether(changes, missing);
  const { seen, problems } = await checkChanges(disk, changes);
  if (problems.size > 0) return failTogether(changes, problems);

  const group: Group = { disk, steps: [], folders: new Set() };
  const placed = new Map<EnginePath, DiskEntry | null>();
  for (const change of changes) {
    const before = seen.get(change.path) ?? null;
    try {
      const after = isWrite(change) ? await writeFile(group, change, before) : await removeFile(group, change, before);
      placed.set(change.path, after);
    } catch (error) {
      const reason = problemOf(error);
      const stuck = await rollBack(group.steps);
      const own = new Map([[change.path, reason], ...stuck]);
      return failTogether(changes, own);
    }
  }
  await removeEmptied(
    disk,
    changes.filter((change): change is Remove => !isWrite(change)),
  );
  return { kind: 'done', placed };
}

/** The entry of a written file. The stamp vouches for the content only if nothing touched the file since it was placed. */
function entryFor({ content }: Write, placed: DiskEntry | null, now: DiskEntry | null): ListedEntry {
  const untouched = now?.settled === true && now.stamp === placed?.stamp;
  const executable = placed?.mode == null ? null : (placed.mode & 0o100) !== 0;
  const { hash, size, mtime } = content;
  return { kind: 'file', size, mtime: placed?.mtime ?? mtime, executable, hash, stamp: untouched ? (now?.stamp ?? '') : '' };
}

/** Makes all renames durable and describes what lies there now. */
async function finish(
  disk: Disk,
  results: readonly { readonly changes: readonly Change[]; readonly result: GroupResult }[],
): Promise<readonly Applied[]> {
  const done = results.flatMap(({ changes, result }) => (result.kind === 'done' ? changes : []));
  const folders = new Set(done.flatMap(({ path }) => parentsOf(path))).values();
  const syncFolders = async (): Promise<void> => {
    // Ignored: the files are in place. A power cut could bring old names back, which the next listing would see.
    for (const folder of folders) await disk.syncFolder(folder).catch(() => undefined);
  };
  await Promise.all(Array.from({ length: foldersInFlight }, syncFolders));
  if (done.some(isWrite)) await disk.settle();
  const applied: Applied[] = [];
  for (const { changes, result } of results) {
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

/**
 * Carries out changes on this computer. Contents are staged whole and checked before the first change; then group by group:
 * compare with what was listed, save the old content, rename. Existing content is never written in place.
 */
export async function applyChanges(disk: Disk, request: ApplyRequest, signal: AbortSignal): Promise<readonly Applied[]> {
  throwIfCancelled(signal);
  const leftover = new Set(request.changes.filter(isWrite).map(({ path }) => path));
  try {
    const unstaged = await stageContents(disk, request, signal);
    const results: { readonly changes: readonly Change[]; readonly result: GroupResult }[] = [];
    for (const changes of groupsOf(request.changes)) {
      throwIfCancelled(signal);
      const result = await applyGroup(disk, changes, unstaged);
      results.push({ changes, result });
      if (result.kind === 'done') for (const { path } of changes) leftover.delete(path);
    }
    return await finish(disk, results);
  } finally {
    // A leftover that cannot be removed is harmless, and overwritten next time.
    for (const path of leftover) await disk.dropStaged(storedName(path)).catch(() => undefined);
  }
}
