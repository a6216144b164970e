import { createHash } from 'node:crypto';
import type { HubLock, SideName } from '../../shared/inspection';
import type { TreeReader } from './tree-reader';

/** `skills/.hub/lock.json` as one side showed it. */
export interface FoundHubLock {
  readonly state: HubLock['state'];
  readonly mtime: string | null;
  readonly sha256: string | null;
  /** The file's text; null when it was not read, or is too long to compare. */
  readonly text: string | null;
}

/** Where it lies in a Hermes home. */
export const hubLockPath = 'skills/.hub/lock.json';

/** Longest lock file that is read for comparing. */
export const hubLockLimit = 4 * 1024 * 1024;

/** There is no lock file: the hub installed nothing here. */
export const missingHubLock: FoundHubLock = { state: 'missing', mtime: null, sha256: null, text: null };

/** Something is there, or may be, and cannot be read. */
export const unreadableHubLock: FoundHubLock = { state: 'unreadable', mtime: null, sha256: null, text: null };

/** The lock file's facts from its bytes; one that is too long to compare keeps its time alone. */
export function describeHubLock(content: Buffer, mtime: number | null): FoundHubLock {
  const time = mtime === null ? null : new Date(mtime).toISOString();
  if (content.length > hubLockLimit) return { state: 'present', mtime: time, sha256: null, text: null };
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { state: 'present', mtime: time, sha256, text: content.toString('utf8') };
}

/** The lock file with its bytes as they lie there; null when there are none that can be read and compared. */
export async function readHubLock(
  reader: TreeReader,
  file: string,
): Promise<{ readonly found: FoundHubLock; readonly content: Buffer | null }> {
  const seen = await reader.look(file, { follow: false });
  if (seen === 'missing') return { found: missingHubLock, content: null };
  if (seen === 'unreadable' || seen.kind !== 'file') return { found: unreadableHubLock, content: null };
  const content = await reader.read(file, hubLockLimit + 1);
  if (typeof content === 'string') return { found: content === 'missing' ? missingHubLock : unreadableHubLock, content: null };
  return { found: describeHubLock(content, seen.mtime), content: content.length > hubLockLimit ? null : content };
}

/** Whether the hub can read it: a cut or foreign file is no lock of the hub. */
export function isHubLock({ text }: FoundHubLock): boolean {
  return installedIn(text) !== null;
}

/** The lock file of one side compared with the other side's; null when the other side was not looked at. */
export function compareHubLock(side: SideName, here: FoundHubLock, there: FoundHubLock | null): HubLock {
  const { state, mtime, sha256 } = here;
  const verdict = verdictOf(side, here, there);
  const differingSkills = verdict === 'differs' && there !== null ? differing(here.text, there.text) : [];
  return { state, mtime, sha256, verdict, differingSkills };
}

function verdictOf(side: SideName, here: FoundHubLock, there: FoundHubLock | null): HubLock['verdict'] {
  if (there === null || here.state === 'unreadable' || there.state === 'unreadable') return 'unknown';
  if (here.state === 'missing' && there.state === 'missing') return 'none';
  if (here.state === 'missing') return side === 'local' ? 'only-remote' : 'only-local';
  if (there.state === 'missing') return side === 'local' ? 'only-local' : 'only-remote';
  if (here.sha256 === null || there.sha256 === null) return 'unknown';
  return here.sha256 === there.sha256 ? 'same' : 'differs';
}

/** Names of installed skills whose entries differ, or that only one file has; order of keys and spacing mean nothing. */
export function differing(here: string | null, there: string | null): readonly string[] {
  const [mine, other] = [installedIn(here), installedIn(there)];
  if (mine === null || other === null) return [];
  const names = new Set([...mine.keys(), ...other.keys()]);
  return [...names].filter((name) => mine.get(name) !== other.get(name)).sort();
}

/** Each installed skill's entry as comparable text; null when the file is none that the hub writes. */
function installedIn(text: string | null): ReadonlyMap<string, string> | null {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    const installed = isRecord(value) ? value.installed : null;
    if (!isRecord(installed)) return null;
    return new Map(Object.entries(installed).map(([name, entry]) => [name, JSON.stringify(sorted(entry))]));
  } catch {
    // Cut or foreign: the hashes still say that the files differ.
    return null;
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  const pairs = Object.entries(value).map(([key, inner]) => [key, sorted(inner)] as const);
  // In a wrapper, so that a table and the list of its pairs stay two things.
  return { table: pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)) };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
