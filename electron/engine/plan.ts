import { AppError } from '../../shared/errors';
import type { Rules } from '../../shared/rules';
import type { Baseline } from './baseline';
import { type Comparison, receiverOf } from './compare';
import type { Applied, Change } from './endpoint';
import type { AgreedEntry, EnginePath, FileEntry, ListedEntry } from './entry';
import { largestFolders } from './guards';
import { type Direction, nearestSkill, skillFolders } from './reconcile';
import type { WaitingItem } from './run';
import type { Scan } from './scan';

/** What one run may carry. */
const cap = { bytes: 2 * 1024 ** 3, files: 200_000 } as const;
/** Bytes that stay free on this computer. */
const reserveBytes = 1_000_000_000;

/** Changes to the receiver, in the order in which they are carried out. */
export function changesFor(comparison: Comparison): readonly Change[] {
  const receiver = receiverOf(comparison);
  const skills = skillFolders(comparison.local.files, comparison.remote.files);
  const group = (path: EnginePath) => nearestSkill(path, skills);
  const changes: Change[] = [];
  for (const decision of comparison.decisions) {
    const { path } = decision;
    const expected = receiver.listed.get(path) ?? null;
    if (decision.kind === 'write') {
      const { hash, size, mtime } = decision.entry;
      const executable = decision.entry.executable ?? expected?.executable ?? comparison.agreed.get(path)?.executable ?? false;
      changes.push({ kind: 'write', path, expected, content: { hash, size, mtime, executable }, group: group(path) });
    }
    if (decision.kind === 'remove' && expected !== null) changes.push({ kind: 'remove', path, expected, group: group(path) });
  }
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** What waits, with both sides' versions. Where a side has no execute bits, its version keeps the bit that is known elsewhere. */
export function waitingItems({ decisions, local, remote, agreed }: Comparison): readonly WaitingItem[] {
  return decisions.flatMap((decision) => {
    if (decision.kind !== 'wait') return [];
    const { path, why, reason } = decision;
    const [here, there] = [local.files.get(path), remote.files.get(path)];
    const version = (of: FileEntry | undefined, other: FileEntry | undefined): FileEntry | null =>
      of === undefined ? null : { ...of, executable: of.executable ?? other?.executable ?? agreed.get(path)?.executable ?? null };
    return [{ path, why, reason, local: version(here, there), remote: version(there, here) }];
  });
}

/** Refuses a run that is larger than one may carry, or than the side that is written has room for, before the first byte. */
export function checkSize(
  wanted: readonly { readonly path: EnginePath; readonly size: number }[],
  receiver: Pick<Scan, 'home' | 'freeBytes'>,
  direction: Direction,
): void {
  const bytes = wanted.reduce((sum, { size }) => sum + size, 0);
  const largest = largestFolders(wanted.map(({ path, size }) => [path, size])).map(({ path, bytes: size }) => `${path} (${size} bytes)`);
  if (bytes > cap.bytes || wanted.length > cap.files) throw new AppError('sync.over-cap', { bytes, files: wanted.length, largest });
  const { freeBytes, home } = receiver;
  if (freeBytes === null || bytes === 0) return;
  if (direction === 'sync-back' && bytes + reserveBytes > freeBytes)
    throw new AppError('local.no-space', { needed: bytes, free: freeBytes, largest });
  if (bytes > freeBytes)
    throw new AppError('remote.disk-full', { path: home, said: `${bytes} bytes are needed and ${freeBytes} are free` });
}

/** The baseline to keep while a run is under way: as it was, and what the run is about to do. */
export function pendingBaseline(comparison: Comparison, changes: readonly Change[], rules: Rules, marker: string | null): Baseline {
  const entries = changes.map((change): readonly [EnginePath, AgreedEntry | null] => {
    if (change.kind === 'remove') return [change.path, null];
    const { hash, size, executable } = change.content;
    return [change.path, { hash, size, executable }];
  });
  const writes = comparison.direction === 'push' ? 'remote' : 'local';
  return {
    identity: { ...comparison.identity, marker },
    rules: rules.fingerprint,
    entries: comparison.agreed,
    pending: { writes, entries: new Map(entries) },
  };
}

/** The baseline after a run: what apply says it did, never what the plan hoped. */
export function nextBaseline(
  comparison: Comparison,
  results: ReadonlyMap<EnginePath, Applied>,
  rules: Rules,
  marker: string | null,
): Baseline {
  const settled = comparison.decisions.filter(({ kind }) => kind === 'adopt' || kind === 'drop' || kind === 'write' || kind === 'remove');
  const identity = { ...comparison.identity, marker };
  if (settled.length === 0) return { identity, rules: rules.fingerprint, entries: comparison.agreed, pending: null };
  const entries = new Map(comparison.agreed);
  for (const decision of settled) {
    const { path } = decision;
    if (decision.kind === 'drop' || (decision.kind === 'remove' && results.get(path)?.ok === true)) entries.delete(path);
    const agreed = decision.kind === 'adopt' || (decision.kind === 'write' && results.get(path)?.ok === true) ? decision.entry : null;
    if (agreed !== null) {
      const executable = comparison.local.files.get(path)?.executable ?? comparison.remote.files.get(path)?.executable ?? false;
      entries.set(path, { hash: agreed.hash, size: agreed.size, executable: agreed.executable ?? executable });
    }
  }
  return { identity, rules: rules.fingerprint, entries, pending: null };
}

/** The receiver's memory after a run. */
export function nextEntries(
  listed: ReadonlyMap<EnginePath, ListedEntry>,
  changes: readonly Change[],
  results: ReadonlyMap<EnginePath, Applied>,
): ReadonlyMap<EnginePath, ListedEntry> {
  if (changes.length === 0) return listed;
  const entries = new Map(listed);
  for (const change of changes) {
    const result = results.get(change.path);
    if (result?.ok !== true) continue;
    if (change.kind === 'remove') entries.delete(change.path);
    else if (result.entry !== null) entries.set(change.path, { ...result.entry, hash: change.content.hash });
  }
  return entries;
}
