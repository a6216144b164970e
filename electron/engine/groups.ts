import { type Disk, parentsOf } from './disk';
import type { Change } from './endpoint';
import type { EnginePath } from './entry';

export type Write = Extract<Change, { kind: 'write' }>;
export type Remove = Extract<Change, { kind: 'remove' }>;

/** A folder above changed files, as it was before the first change. */
export interface PlannedFolder {
  readonly path: EnginePath;
  readonly existed: boolean;
  /** Its permission bits, or those it gets when it is made; null: private, or the disk has none. */
  readonly mode: number | null;
}

/** Changes that happen together or not at all, in order, and the folders they go through, upper ones first. */
export interface ChangeGroup {
  readonly changes: readonly Change[];
  readonly folders: readonly PlannedFolder[];
}

export function isWrite(change: Change): change is Write {
  return change.kind === 'write';
}

/**
 * Changes that happen together, groups that write before groups that only remove. The renames of a whole group come before those
 * of the next one, so that at most one is half done at any moment; inside a group removals come after writes.
 */
export function groupsOf(changes: readonly Change[]): readonly (readonly Change[])[] {
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

/** Looks at the folders of each group. `modes` are those of folders to be made. */
export async function planGroups(
  disk: Disk,
  groups: readonly (readonly Change[])[],
  modes: ReadonlyMap<EnginePath, number> = new Map(),
): Promise<readonly ChangeGroup[]> {
  const known = new Map<EnginePath, PlannedFolder>();
  const lookAt = async (path: EnginePath): Promise<PlannedFolder> => {
    const found = known.get(path);
    if (found !== undefined) return found;
    // What cannot be looked at is reported by the check of the group, and is never made or removed.
    const entry = await disk.look(path).catch(() => undefined);
    const folder = { path, existed: entry !== null, mode: entry === null ? (modes.get(path) ?? null) : (entry?.mode ?? null) };
    known.set(path, folder);
    return folder;
  };
  const plans: ChangeGroup[] = [];
  for (const changes of groups) {
    const paths = new Set(changes.flatMap(({ path }) => ['', ...parentsOf(path)]));
    const folders: PlannedFolder[] = [];
    for (const path of [...paths].sort()) folders.push(await lookAt(path));
    plans.push({ changes, folders });
  }
  return plans;
}
