import type { SideMemory } from './endpoint';
import { type AgreedEntry, type EnginePath, type FileEntry, isWithin, type ListedEntry, sameContent } from './entry';
import { DamagedFile, seal, unseal } from './sealed-file';

/** Which remote a baseline belongs to. */
export interface RemoteIdentity {
  /** Content of `.ebbgate/id` there; null when none was written yet. */
  readonly marker: string | null;
  readonly hostKey: string;
  readonly home: string;
}

/**
 * What a run was about to do to one side when it was recorded. Until the run ends, nobody knows how far it came: a path counts as
 * agreed once the written side is found to hold just this (null: nothing).
 */
export interface PendingRun {
  readonly writes: 'local' | 'remote';
  readonly entries: ReadonlyMap<EnginePath, AgreedEntry | null>;
}

/** The manifest both sides last agreed on. */
export interface Baseline {
  readonly identity: RemoteIdentity;
  /** Fingerprint of the rules it was made under. */
  readonly rules: string;
  readonly entries: ReadonlyMap<EnginePath, AgreedEntry>;
  /** A run whose end was not recorded; null when there is none. */
  readonly pending: PendingRun | null;
}

/** What was found where a baseline is kept. An unreadable one means: no deletions, differences are conflicts. */
export type FoundBaseline =
  | { readonly kind: 'none' }
  | { readonly kind: 'present'; readonly baseline: Baseline }
  | { readonly kind: 'unreadable'; readonly problem: string };

/** Entries of a line in a sealed file. */
const entriesAtOnce = 200;

function* batches<T>(items: Iterable<T>): Generator<readonly T[]> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < entriesAtOnce) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

/** Whatever goes wrong while reading is damage: cut bytes, another file, or a shape of another version of ours. */
async function orDamaged<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof DamagedFile) throw error;
    throw new DamagedFile(error instanceof Error ? error.message : String(error));
  }
}

type PackedAgreed = [string] | [string, string, number, number];

function packAgreed([path, entry]: readonly [EnginePath, AgreedEntry | null]): PackedAgreed {
  return entry === null ? [path] : [path, entry.hash, entry.size, entry.executable ? 1 : 0];
}

function unpackAgreed([path, hash, size, flag]: PackedAgreed): readonly [EnginePath, AgreedEntry | null] {
  return [path, hash === undefined || size === undefined ? null : { hash, size, executable: flag === 1 }];
}

interface BaselineHead {
  readonly identity: RemoteIdentity;
  readonly rules: string;
  /** The side that an unrecorded run writes; null when there is none. */
  readonly writes: PendingRun['writes'] | null;
}

/** Values of a baseline file: a head, then entries, then what an unrecorded run was about to do. */
function* baselineValues({ identity, rules, entries, pending }: Baseline): Generator<unknown> {
  yield { identity, rules, writes: pending?.writes ?? null } satisfies BaselineHead;
  for (const batch of batches(entries)) yield { entries: batch.map(packAgreed) };
  for (const batch of batches(pending?.entries ?? [])) yield { pending: batch.map(packAgreed) };
}

/** Bytes of a baseline file. */
export function encodeBaseline(baseline: Baseline): Promise<Buffer> {
  return seal(baselineValues(baseline));
}

/** Reads a baseline file; rejects with `DamagedFile`. */
export function decodeBaseline(bytes: Uint8Array): Promise<Baseline> {
  return orDamaged(async () => {
    let head: BaselineHead | null = null;
    const entries = new Map<EnginePath, AgreedEntry>();
    const pending = new Map<EnginePath, AgreedEntry | null>();
    for await (const value of unseal(bytes)) {
      const part = value as Partial<BaselineHead> & { readonly entries?: PackedAgreed[]; readonly pending?: PackedAgreed[] };
      if (part.identity !== undefined) head = part as BaselineHead;
      for (const [path, entry] of part.entries?.map(unpackAgreed) ?? []) if (entry !== null) entries.set(path, entry);
      for (const [path, entry] of part.pending?.map(unpackAgreed) ?? []) pending.set(path, entry);
    }
    if (head === null) throw new DamagedFile('it has no head');
    const { identity, rules, writes } = head;
    return { identity, rules, entries, pending: writes === null ? null : { writes, entries: pending } };
  });
}

/** Whether a record that was found says the same already, so that it need not be written again. */
export function isRecorded(found: FoundBaseline, { identity, rules, entries, pending }: Baseline): boolean {
  if (found.kind !== 'present' || pending !== null) return false;
  const old = found.baseline;
  if (old.pending !== null || old.rules !== rules || old.entries.size !== entries.size) return false;
  if (old.identity.marker !== identity.marker || old.identity.hostKey !== identity.hostKey || old.identity.home !== identity.home)
    return false;
  if (old.entries === entries) return true;
  for (const [path, { hash, size, executable }] of entries) {
    const known = old.entries.get(path);
    if (known?.hash !== hash || known.size !== size || known.executable !== executable) return false;
  }
  return true;
}

/** One side as far as it could be seen. */
interface SeenSide {
  readonly files: ReadonlyMap<EnginePath, FileEntry>;
  readonly unknown: readonly EnginePath[];
}

/**
 * The baseline once it is known what the written side holds: what the unrecorded run did there is agreed, the rest is as before.
 * Where the side could not be read nothing is known, so there the rest is as before, too.
 */
export function settlePending(baseline: Baseline, sides: { readonly [side in PendingRun['writes']]: SeenSide }): Baseline {
  const { pending } = baseline;
  if (pending === null) return baseline;
  const { files, unknown } = sides[pending.writes];
  const entries = new Map(baseline.entries);
  for (const [path, meant] of pending.entries) {
    if (unknown.some((prefix) => isWithin(path, prefix))) continue;
    const there = files.get(path);
    if (meant === null && there === undefined) entries.delete(path);
    if (meant !== null && there !== undefined && sameContent(there, meant)) entries.set(path, meant);
  }
  return { ...baseline, entries, pending: null };
}

/** What is remembered of both sides between runs; disposable at any time. */
export interface Memories {
  readonly local: SideMemory | null;
  readonly remote: SideMemory | null;
}

/** Whether memories say the same, so that they need not be written again. */
export function sameMemories(a: Memories, b: Memories): boolean {
  return sameMemory(a.local, b.local) && sameMemory(a.remote, b.remote);
}

function sameMemory(a: SideMemory | null, b: SideMemory | null): boolean {
  if (a === null || b === null) return a === b;
  if (a.token !== b.token || a.entries.size !== b.entries.size) return false;
  for (const [path, entry] of b.entries) {
    const known = a.entries.get(path);
    if (known === entry) continue;
    if (known === undefined || known.stamp !== entry.stamp || known.hash !== entry.hash || known.size !== entry.size) return false;
    if (known.kind !== entry.kind || known.mtime !== entry.mtime || known.executable !== entry.executable) return false;
  }
  return true;
}

type PackedEntry = [string, ListedEntry['kind'], number, number, boolean | null, string | null, string];

type SideName = keyof Memories;

/** Values of a memory file: for each side a head, then entries. */
function* memoryValues(memories: Memories): Generator<unknown> {
  for (const side of ['local', 'remote'] as const) {
    const memory = memories[side];
    if (memory === null) continue;
    yield { side, token: memory.token };
    for (const batch of batches(memory.entries)) {
      const packed = batch.map(([path, e]): PackedEntry => [path, e.kind, e.size, e.mtime, e.executable, e.hash, e.stamp]);
      yield { side, entries: packed };
    }
  }
}

/** Bytes of a memory file. */
export function encodeMemories(memories: Memories): Promise<Buffer> {
  return seal(memoryValues(memories));
}

/** Reads a memory file; rejects with `DamagedFile`. */
export function decodeMemories(bytes: Uint8Array): Promise<Memories> {
  return orDamaged(async () => {
    const found: { [side in SideName]: { token: string | null; entries: Map<EnginePath, ListedEntry> } | null } = {
      local: null,
      remote: null,
    };
    for await (const value of unseal(bytes)) {
      const part = value as { readonly side: SideName; readonly token?: string | null; readonly entries?: PackedEntry[] };
      if (part.token !== undefined) found[part.side] = { token: part.token, entries: new Map() };
      for (const [path, kind, size, mtime, executable, hash, stamp] of part.entries ?? []) {
        found[part.side]?.entries.set(path, { kind, size, mtime, executable, hash, stamp });
      }
    }
    return found;
  });
}
