import type { Refusal, Rules } from '../../shared/rules';
import type { Endpoint, ListRequest } from './endpoint';
import type { EnginePath, FileEntry, ListedEntry } from './entry';
import { inTurns } from './turns';

/** An entry that a rule keeps where it is. */
export interface RefusedEntry {
  readonly path: EnginePath;
  readonly refusal: Refusal;
  readonly bytes: number;
}

/** One side at one moment, judged by the rules. */
export interface Scan {
  readonly home: string;
  readonly missingRoots: readonly string[];
  readonly identity: string | null;
  readonly freeBytes: number | null;
  /** Files in scope, guarded ones included. */
  readonly files: ReadonlyMap<EnginePath, FileEntry>;
  readonly refused: readonly RefusedEntry[];
  /** Paths, with everything below, about which nothing is known. */
  readonly unknown: readonly EnginePath[];
  /** Everything listed, with the hashes found, for the side's memory. */
  readonly listed: ReadonlyMap<EnginePath, ListedEntry>;
}

/** Stands for the hash of content that was not read: it differs from everything by its length, or nothing is there to compare it with. */
export const notRead = 'not read';

/** Whether a file may have content that is known elsewhere. Where it cannot, a hash would only cost the content's way over the wire. */
export type MayBeKnown = (path: EnginePath, size: number) => boolean;

/** Lists one side and judges every path here, whatever the side left out by itself. */
export async function scan(
  endpoint: Endpoint,
  request: ListRequest,
  signal: AbortSignal,
  mayBeKnown: Promise<MayBeKnown> | null = null,
): Promise<Scan> {
  const listing = await endpoint.list(request, signal);
  const refused: RefusedEntry[] = [];
  const inScope: [EnginePath, ListedEntry][] = [];
  await inTurns(listing.entries, ([path, entry]) => {
    const refusal = refusalOf(path, entry, request);
    if (refusal === null) inScope.push([path, entry]);
    else refused.push({ path, refusal, bytes: entry.size });
  });
  const worthReading = (await mayBeKnown) ?? (() => true);
  const unhashed = inScope.filter(([path, { hash, size }]) => hash === null && worthReading(path, size)).map(([path]) => path);
  const asked = new Set(unhashed);
  const hashes = unhashed.length === 0 ? new Map<EnginePath, string>() : await endpoint.hash(unhashed, signal);
  const files = new Map<EnginePath, FileEntry>();
  const listed = unhashed.length === 0 ? null : new Map(listing.entries);
  const unknown = [...listing.unreadable];
  await inTurns(inScope, ([path, entry]) => {
    const hash = entry.hash ?? hashes.get(path) ?? (asked.has(path) ? undefined : notRead);
    if (hash === undefined) {
      unknown.push(path);
      return;
    }
    const file = isHashed(entry) ? entry : { ...entry, hash };
    files.set(path, file);
    if (asked.has(path)) listed?.set(path, file);
  });
  const { home, missingRoots, identity, freeBytes } = listing;
  return { home, missingRoots, identity, freeBytes, files, refused, unknown, listed: listed ?? listing.entries };
}

function isHashed(entry: ListedEntry): entry is ListedEntry & FileEntry {
  return entry.hash !== null;
}

/** Reads those of the paths that were not read yet. One that cannot be read becomes unknown. */
export async function readHashes(endpoint: Endpoint, found: Scan, paths: readonly EnginePath[], signal: AbortSignal): Promise<Scan> {
  const wanted = paths.filter((path) => found.files.get(path)?.hash === notRead);
  if (wanted.length === 0) return found;
  const hashes = await endpoint.hash(wanted, signal);
  const files = new Map(found.files);
  const listed = new Map(found.listed);
  const unknown = [...found.unknown];
  for (const path of wanted) {
    const [file, entry, hash] = [files.get(path), listed.get(path), hashes.get(path)];
    if (hash === undefined || file === undefined || entry === undefined) {
      files.delete(path);
      unknown.push(path);
      continue;
    }
    files.set(path, { ...file, hash });
    listed.set(path, { ...entry, hash });
  }
  return { ...found, files, listed, unknown };
}

function refusalOf(path: EnginePath, entry: ListedEntry, { rules, roots }: ListRequest): Refusal | null {
  if (!roots.some((root) => path.startsWith(`${root}/`)))
    return { kind: 'refused', rule: 'invalid-path', owner: 'app', match: 'outside the synced folders' };
  const verdict = rules.judge(path, entry.kind);
  return verdict.kind === 'refused' ? verdict : null;
}

/**
 * Refuses remote files that would share a name with another one on a local disk that folds case or Unicode forms. A spelling
 * that exists locally wins; where none does, all are refused. The same holds for folders.
 */
export function refuseTwins(remote: Scan, local: Scan, rules: Rules): Scan {
  if (!rules.folds) return remote;
  const spellings = new Map<string, string | null>();
  for (const path of local.files.keys()) for (const prefix of prefixes(path)) spellings.set(rules.fold(prefix), prefix);
  const settled = new Set(spellings.keys());
  for (const path of remote.files.keys()) {
    for (const prefix of prefixes(path)) {
      const folded = rules.fold(prefix);
      if (settled.has(folded)) continue;
      const known = spellings.get(folded);
      spellings.set(folded, known === undefined || known === prefix ? prefix : null);
    }
  }
  const isTwin = (path: EnginePath) => prefixes(path).some((prefix) => spellings.get(rules.fold(prefix)) !== prefix);
  const twins = [...remote.files].filter(([path]) => isTwin(path));
  const files = new Map(remote.files);
  for (const [path] of twins) files.delete(path);
  const refused = twins.map(([path, { size }]): RefusedEntry => {
    return { path, bytes: size, refusal: { kind: 'refused', rule: 'twin', owner: 'app', match: 'another spelling of the same name here' } };
  });
  return { ...remote, files, refused: [...remote.refused, ...refused] };
}

/**
 * Refuses the sender's files at, or below, an entry that is refused on the receiver: a link or a pipe that is in the way there is
 * neither replaced nor followed. `where` says on which side it lies.
 */
export function refuseObstructed(sender: Scan, receiver: Scan, where: string): Scan {
  if (receiver.refused.length === 0) return sender;
  const inTheWay = new Map(receiver.refused.map(({ path, refusal }) => [path, refusal]));
  const files = new Map(sender.files);
  const refused: RefusedEntry[] = [];
  for (const [path, { size }] of sender.files) {
    const obstacle = prefixes(path).find((prefix) => inTheWay.has(prefix));
    const refusal = obstacle === undefined ? undefined : inTheWay.get(obstacle);
    if (refusal === undefined) continue;
    files.delete(path);
    refused.push({ path, bytes: size, refusal: { ...refusal, match: `${refusal.match} ${where}` } });
  }
  return refused.length === 0 ? sender : { ...sender, files, refused: [...sender.refused, ...refused] };
}

function prefixes(path: EnginePath): string[] {
  const names = path.split('/');
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}
