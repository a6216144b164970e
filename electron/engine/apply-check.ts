import { pathPhrases } from '../../shared/phrases/paths';
import { type Disk, type DiskEntry, parentsOf, pathFailure, problemOf } from './disk';
import type { Change } from './endpoint';
import type { EnginePath, ListedEntry } from './entry';

/** What lay at the target of a change when it was found to be as expected; null when nothing did. */
export type Seen = DiskEntry | null;

/** What a check of several changes found: the state of each target, and the changes that cannot be made, with the reason. */
export interface CheckResult {
  readonly seen: ReadonlyMap<EnginePath, Seen>;
  readonly problems: ReadonlyMap<EnginePath, string>;
}

const kindWords = {
  file: pathPhrases['kind-file'],
  folder: pathPhrases['kind-folder'],
  link: pathPhrases['kind-link'],
  other: pathPhrases['kind-other'],
} as const;

/**
 * Every folder between the root and the path is a real one, or not there yet. The root itself may be a link: that is how users
 * keep their skills elsewhere.
 */
export async function parentProblem(look: Disk['look'], path: EnginePath): Promise<string | null> {
  for (const parent of parentsOf(path).slice(1)) {
    const entry = await look(parent);
    if (entry === null) return null;
    if (entry.kind !== 'folder') return `${parent} is ${kindWords[entry.kind]}, not a folder`;
  }
  return null;
}

async function targetProblem(disk: Disk, path: EnginePath, expected: ListedEntry | null, there: Seen): Promise<string | null> {
  if (there === null) return expected === null ? null : pathPhrases['removed-meanwhile'];
  if (there.kind !== 'file') return `${kindWords[there.kind]} is in its place`;
  if (expected === null) return pathPhrases['appeared-meanwhile'];
  if (expected.kind !== 'file') return pathPhrases['was-no-file'];
  if (expected.stamp !== '' && there.stamp === expected.stamp) return null;
  // Times change without content changing (a hard link, a copied-back backup), so the content decides.
  const same = there.size === expected.size && expected.hash !== null && (await disk.hash(path)) === expected.hash;
  return same && hasSameBit(there, expected) ? null : pathPhrases['changed-meanwhile'];
}

/** The execute bit is part of what a user edits, where both have one. */
function hasSameBit({ mode }: DiskEntry, { executable }: ListedEntry): boolean {
  return mode === null || executable === null || ((mode & 0o100) !== 0) === executable;
}

async function checkChange(
  disk: Disk,
  look: Disk['look'],
  { path, expected }: Change,
): Promise<{ readonly seen: Seen; readonly problem: string | null }> {
  try {
    const blocked = await parentProblem(look, path);
    if (blocked !== null) return { seen: null, problem: blocked };
    // Looked at before the content is hashed: an edit during the hashing then differs from what was seen.
    const seen = await disk.look(path);
    return { seen, problem: await targetProblem(disk, path, expected, seen) };
  } catch (error) {
    return { seen: null, problem: problemOf(error) };
  }
}

/** Compares the targets of changes with what the listing saw there. Writes nothing. */
export async function checkChanges(disk: Disk, changes: readonly Change[]): Promise<CheckResult> {
  const seen = new Map<EnginePath, Seen>();
  const problems = new Map<EnginePath, string>();
  // Files of one skill share their folders; `checkUnmoved` looks at them again for each.
  const folders = new Map<EnginePath, Promise<Seen>>();
  const lookOnce = (folder: EnginePath): Promise<Seen> => {
    const looking = folders.get(folder) ?? disk.look(folder);
    folders.set(folder, looking);
    return looking;
  };
  for (const change of changes) {
    const result = await checkChange(disk, lookOnce, change);
    seen.set(change.path, result.seen);
    if (result.problem !== null) problems.set(change.path, result.problem);
  }
  return { seen, problems };
}

/**
 * Last look before the change of one path, after its group was checked: parents are real folders and the target is what the
 * check saw.
 *
 * RACE: between this look and the rename that follows, another process may still save the file or put a link in the place of a
 * folder. There is no call that compares and renames. A save is then replaced by what was synced; when it was written into the
 * old file it is in the undo folder, otherwise it is lost. A new link to a folder receives the new file, never more.
 */
export async function checkUnmoved(disk: Disk, { path, expected }: Change, seen: Seen): Promise<void> {
  const blocked = await parentProblem((parent) => disk.look(parent), path);
  if (blocked !== null) throw pathFailure('replace', path, blocked);
  const there = await disk.look(path);
  if (there?.stamp === seen?.stamp && there?.kind === seen?.kind) return;
  // Two names of one file in one group: replacing the first moves the times of the second.
  const problem = await targetProblem(disk, path, expected, there);
  if (problem !== null) throw pathFailure('replace', path, problem);
}
