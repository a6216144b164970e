import { createHash } from 'node:crypto';
import type { Applied, ApplyRequest, Change, Endpoint, IncomingFile, Listing } from '../../electron/engine/endpoint';
import type { EnginePath, ListedEntry } from '../../electron/engine/entry';
import { createRules, type Rules } from '../../shared/rules';
import { contentsOf, sha256, type TestHome } from '../support/tree';

/** One side set up for one test. */
export interface ContractSide {
  /** A fresh endpoint over the same home, as a new run gets it. The suite closes it. */
  open(): Promise<Endpoint>;
  /** The same home past the endpoint. It exists and is empty at first. */
  readonly home: TestHome;
  /**
   * Makes a folder unreadable to the endpoint while `action` runs; needed where `sees.unreadable` is true. Permissions do not
   * bind root, so a side that runs as root gives them to another user here, or injects the fault.
   */
  withUnreadable?<T>(path: EnginePath, action: () => Promise<T>): Promise<T>;
  tearDown(): Promise<void>;
}

/** What this kind of side can do. A string is the reason why it cannot; the behaviour is then not asked for. */
export interface ContractAbilities {
  /** A same-size edit whose modification time was put back is noticed when there is memory. */
  readonly stealthEdits: true | string;
  /** The test can make a folder unreadable for it. */
  readonly unreadable: true | string;
  /** The home is on a disk, with links, pipes and folder modes of its own. */
  readonly disk: true | string;
}

/** Rules as on a disk that tells all names apart. */
export const plainRules: Rules = createRules({ platform: 'posix', folds: { case: false, unicode: false } });

/** A signal that never aborts. */
export const patience: AbortSignal = new AbortController().signal;

/** Listing of `skills`. */
export function listSkills(endpoint: Endpoint): Promise<Listing> {
  return endpoint.list({ roots: ['skills'], rules: plainRules, memory: null }, patience);
}

/** Listing of `skills` with every hash, as a run has it when it makes its changes. */
export async function scanSkills(endpoint: Endpoint): Promise<Listing> {
  return withHashes(endpoint, await listSkills(endpoint));
}

/** The listing, with the hashes it lacks. */
export async function withHashes(endpoint: Endpoint, listing: Listing): Promise<Listing> {
  const unknown = [...listing.entries].filter(([, entry]) => entry.kind === 'file' && entry.hash === null).map(([path]) => path);
  const hashes = unknown.length === 0 ? new Map<EnginePath, string>() : await endpoint.hash(unknown, patience);
  const entries = new Map([...listing.entries].map(([path, entry]) => [path, { ...entry, hash: entry.hash ?? hashes.get(path) ?? null }]));
  return { ...listing, entries };
}

/** Every byte value, from a seed: the same at every run, and nothing that compresses away. */
export function seededBytes(length: number, seed: string): Uint8Array {
  return createHash('shake256', { outputLength: length }).update(seed).digest();
}

/** A write of `content` over what the listing saw there. */
export function write(
  path: EnginePath,
  content: string | Uint8Array,
  more: { readonly expected?: ListedEntry | null; readonly executable?: boolean; readonly mtime?: number; readonly group?: string } = {},
): Change {
  const size = Buffer.from(content).length;
  const { expected = null, executable = false, mtime = Date.UTC(2026, 0, 2, 3, 4, 5), group = null } = more;
  return { kind: 'write', path, expected, content: { hash: sha256(content), size, mtime, executable }, group };
}

/** A removal of what the listing saw there. */
export function remove(path: EnginePath, listing: Listing, group: string | null = null): Change {
  return { kind: 'remove', path, expected: entryIn(listing, path), group };
}

/** The listed entry; throws when there is none, since the test is then wrong. */
export function entryIn(listing: Listing, path: EnginePath): ListedEntry {
  const entry = listing.entries.get(path);
  if (entry === undefined) throw new Error(`${path} was not listed; listed are ${[...listing.entries.keys()].join(', ')}`);
  return entry;
}

/** Contents that arrive in pieces of at most 64 KiB. */
export async function* incoming(contents: Readonly<Record<EnginePath, string | Uint8Array>>): AsyncGenerator<IncomingFile> {
  for (const [path, content] of Object.entries(contents)) {
    const bytes = Buffer.from(content);
    yield { path, size: bytes.length, body: pieces(bytes) };
  }
}

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += 65_536) yield bytes.subarray(start, start + 65_536);
}

/** Results by path: true, or the reason. */
export function outcomes(applied: readonly Applied[]): Readonly<Record<EnginePath, true | string>> {
  return Object.fromEntries(applied.map((result) => [result.path, result.ok ? true : result.reason]));
}

/** Applies, with the contents given. */
export async function applyChanges(
  endpoint: Endpoint,
  changes: readonly Change[],
  contents: Readonly<Record<EnginePath, string | Uint8Array>> = {},
  more: Partial<ApplyRequest> = {},
): Promise<Readonly<Record<EnginePath, true | string>>> {
  return outcomes(await endpoint.apply({ changes, contents: incoming(contents), ...more }, patience));
}

/** Text of everything in the home, apart from our own state folder. */
export async function treeOf(home: TestHome): Promise<Readonly<Record<string, string>>> {
  const contents = Object.entries(contentsOf(await home.read()));
  return Object.fromEntries(contents.filter(([path]) => path !== '.ebbgate' && !path.startsWith('.ebbgate/')));
}

/** All contents of a reading, in the order in which they came. */
export async function readAll(files: AsyncIterable<IncomingFile>): Promise<readonly (readonly [EnginePath, string])[]> {
  const all: (readonly [EnginePath, string])[] = [];
  for await (const { path, body } of files) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    all.push([path, Buffer.concat(chunks).toString('utf8')]);
  }
  return all;
}
