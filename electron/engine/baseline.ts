import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { SideMemory } from './endpoint';
import { type AgreedEntry, type EnginePath, type FileEntry, isWithin, type ListedEntry, sameContent } from './entry';

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

const version = 1;

/** Thrown when bytes are not what `encode…` wrote. */
export class DamagedFile extends Error {}

/** Format: gzip of one JSON line with version and checksum of the rest, then the rest. */
function seal(content: unknown): Buffer {
  const text = JSON.stringify(content);
  const head = JSON.stringify({ version, sha256: createHash('sha256').update(text).digest('hex') });
  return gzipSync(`${head}\n${text}`, { level: 1 });
}

function unseal(bytes: Uint8Array): unknown {
  const all = gunzipSync(bytes).toString('utf8');
  const at = all.indexOf('\n');
  const head = JSON.parse(all.slice(0, at)) as { version?: unknown; sha256?: unknown };
  const text = all.slice(at + 1);
  if (head.version !== version) throw new DamagedFile(`format ${String(head.version)}, not ${version}`);
  if (head.sha256 !== createHash('sha256').update(text).digest('hex')) throw new DamagedFile('its checksum does not match');
  return JSON.parse(text);
}

/** Whatever goes wrong while reading is damage: cut bytes, another file, or a shape of another version of ours. */
function orDamaged<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof DamagedFile) throw error;
    throw new DamagedFile(error instanceof Error ? error.message : String(error));
  }
}

/** Bytes of a baseline file. */
export function encodeBaseline(baseline: Baseline): Buffer {
  const { identity, rules, entries, pending } = baseline;
  const packed = pending === null ? null : { writes: pending.writes, entries: [...pending.entries].map(packAgreed) };
  return seal({ identity, rules, entries: [...entries].map(packAgreed), pending: packed });
}

type PackedAgreed = [string] | [string, string, number, number];

function packAgreed([path, entry]: readonly [EnginePath, AgreedEntry | null]): PackedAgreed {
  return entry === null ? [path] : [path, entry.hash, entry.size, entry.executable ? 1 : 0];
}

function unpackAgreed([path, hash, size, flag]: PackedAgreed): readonly [EnginePath, AgreedEntry | null] {
  return [path, hash === undefined || size === undefined ? null : { hash, size, executable: flag === 1 }];
}

/** Reads a baseline file. */
export function decodeBaseline(bytes: Uint8Array): Baseline {
  return orDamaged(() => readBaseline(bytes));
}

function readBaseline(bytes: Uint8Array): Baseline {
  const content = unseal(bytes) as {
    identity: RemoteIdentity;
    rules: string;
    entries: PackedAgreed[];
    pending: { writes: PendingRun['writes']; entries: PackedAgreed[] } | null;
  };
  const entries = content.entries.map(unpackAgreed).filter((entry): entry is readonly [EnginePath, AgreedEntry] => entry[1] !== null);
  const pending =
    content.pending === null ? null : { writes: content.pending.writes, entries: new Map(content.pending.entries.map(unpackAgreed)) };
  return { identity: content.identity, rules: content.rules, entries: new Map(entries), pending };
}

/** Whether a record that was found says the same already, so that it need not be written again. */
export function isRecorded(found: FoundBaseline, { identity, rules, entries, pending }: Baseline): boolean {
  if (found.kind !== 'present' || pending !== null) return false;
  const old = found.baseline;
  if (old.pending !== null || old.rules !== rules || old.entries.size !== entries.size) return false;
  if (old.identity.marker !== identity.marker || old.identity.hostKey !== identity.hostKey || old.identity.home !== identity.home)
    return false;
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

function packMemory(memory: SideMemory | null): { token: string | null; entries: PackedEntry[] } | null {
  if (memory === null) return null;
  const entries = [...memory.entries].map(([path, e]): PackedEntry => [path, e.kind, e.size, e.mtime, e.executable, e.hash, e.stamp]);
  return { token: memory.token, entries };
}

function unpackMemory(packed: ReturnType<typeof packMemory>): SideMemory | null {
  if (packed === null) return null;
  const entries = packed.entries.map(
    ([path, kind, size, mtime, executable, hash, stamp]) => [path, { kind, size, mtime, executable, hash, stamp }] as const,
  );
  return { token: packed.token, entries: new Map(entries) };
}

/** Bytes of a memory file. */
export function encodeMemories(memories: Memories): Buffer {
  return seal({ local: packMemory(memories.local), remote: packMemory(memories.remote) });
}

/** Reads a memory file. */
export function decodeMemories(bytes: Uint8Array): Memories {
  return orDamaged(() => {
    const content = unseal(bytes) as { local: ReturnType<typeof packMemory>; remote: ReturnType<typeof packMemory> };
    return { local: unpackMemory(content.local), remote: unpackMemory(content.remote) };
  });
}
