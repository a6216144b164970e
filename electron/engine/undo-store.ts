import { pathPhrases } from '../../shared/phrases/paths';
import type { RunKind } from '../../shared/run-report';
import type { Change } from './endpoint';
import type { AgreedEntry, EnginePath } from './entry';
import type { GoneFolder, OldVersion, SavedChange } from './saved-change';
import { sealLine, unsealLine, versionOf } from './sealed-line';

/** Version of the undo manifest. */
const manifestVersion = 1;

/** What the undo store says of one run, without its paths. */
export interface UndoHead {
  readonly runId: string;
  readonly kind: RunKind;
  readonly connection: { readonly id: string; readonly name: string };
  readonly home: string;
  /** Absolute folder with the old contents, each under the name that follows from its path. */
  readonly contentDir: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Larger than that of every run saved before, whatever the clock said; given when it is saved. */
  readonly order?: number;
  /** The run that this one undid. */
  readonly undoes: string | null;
  /** Remote versions are declined because of this run; undoing it takes that back. */
  readonly declines: boolean;
  /** Kept contents. */
  readonly files: number;
  readonly bytes: number;
}

/** One change with what both sides agreed on before it about its path, or the file a copy was made from; null: nothing. */
export interface UndoEntry extends SavedChange {
  readonly agreed: AgreedEntry | null;
}

/** What is needed to undo one run. */
export interface UndoManifest {
  readonly head: UndoHead;
  readonly entries: readonly UndoEntry[];
  readonly folders: readonly GoneFolder[];
}

/** Text of a manifest file: the head on a line of its own, so that lists and bounds need not read the rest. */
export function encodeManifest({ head, entries, folders }: UndoManifest): string {
  return sealLine(head, manifestVersion) + sealLine({ entries, folders });
}

/** The head as it is saved after these. A clock that was set back must not make an older run the newest. */
export function inOrder(head: UndoHead, saved: readonly UndoHead[]): UndoHead {
  const before = saved.filter(({ runId }) => runId !== head.runId).map(({ order }) => order ?? 0);
  return { ...head, order: 1 + before.reduce((most, order) => Math.max(most, order), 0) };
}

/** Reads the first line of a manifest file; null when it is damaged or of another version. */
export function decodeHead(line: string): UndoHead | null {
  return versionOf(line) === manifestVersion ? (unsealLine(line) as UndoHead | null) : null;
}

/** Reads a manifest file; null when it is damaged or of another version. */
export function decodeManifest(text: string): UndoManifest | null {
  const [first = '', second = ''] = text.split('\n');
  const head = decodeHead(first);
  const body = unsealLine(second) as Omit<UndoManifest, 'head'> | null;
  return head === null || body === null ? null : { head, ...body };
}

/** Number and bytes of the contents that a manifest keeps. */
export function keptBy(changes: readonly SavedChange[]): { readonly files: number; readonly bytes: number } {
  const old = changes.flatMap((change) => change.old ?? []);
  return { files: old.length, bytes: old.reduce((sum, { size }) => sum + size, 0) };
}

function newestFirst(a: UndoHead, b: UndoHead): number {
  return (b.order ?? 0) - (a.order ?? 0) || Date.parse(b.createdAt) - Date.parse(a.createdAt) || (a.runId < b.runId ? 1 : -1);
}

/** The run of a connection that an undo takes back: the newest that was not taken back yet. */
export function nextUndo(heads: readonly UndoHead[], connection: string): UndoHead | null {
  const undone = new Set(heads.map(({ undoes }) => undoes));
  return heads.filter((head) => head.connection.id === connection && !undone.has(head.runId)).sort(newestFirst)[0] ?? null;
}

/** How much the undo store may hold. */
export interface UndoBounds {
  readonly ageMs: number;
  readonly files: number;
  readonly bytes: number;
}

export const undoBounds: UndoBounds = { ageMs: 14 * 24 * 3_600_000, files: 50_000, bytes: 2_000_000_000 };

/** Runs that are over the bounds: those that are too old, then the oldest until the rest fits. */
export function overBounds(heads: readonly UndoHead[], now: number, bounds: UndoBounds = undoBounds): readonly UndoHead[] {
  let files = 0;
  let bytes = 0;
  let isFull = false;
  return [...heads].sort(newestFirst).filter((head) => {
    files += head.files;
    bytes += head.bytes;
    isFull ||= files > bounds.files || bytes > bounds.bytes;
    return isFull || now - Date.parse(head.createdAt) > bounds.ageMs;
  });
}

/** What an undo does about each path. */
export interface UndoPlan {
  readonly changes: readonly Change[];
  /** Paths that are as they were before the run already. */
  readonly settled: ReadonlySet<EnginePath>;
  /** Paths that are neither as the run left them nor as they were before, with the reason. They are left alone. */
  readonly problems: ReadonlyMap<EnginePath, string>;
  readonly folderModes: ReadonlyMap<EnginePath, number>;
}

/**
 * The changes that take a run back. `present` holds the hash of what lies at each path now. A path that changed since holds back
 * itself and not its skill: what the user made of it is as good a version as any, and the rest can still be what it was.
 */
export function planUndo({ entries, folders }: UndoManifest, present: ReadonlyMap<EnginePath, string>): UndoPlan {
  const changes: Change[] = [];
  const settled = new Set<EnginePath>();
  const problems = new Map<EnginePath, string>();
  for (const { path, old, new: made, group, about } of entries) {
    const now = present.get(path) ?? null;
    if (now === (made?.hash ?? null)) {
      const expected =
        made === null ? null : { kind: 'file' as const, size: made.size, mtime: 0, executable: null, hash: made.hash, stamp: '' };
      if (old !== null) changes.push({ kind: 'write', path, expected, content: contentOf(old), group, about });
      else if (expected !== null) changes.push({ kind: 'remove', path, expected, group, about });
    } else if (now === (old?.hash ?? null)) settled.add(path);
    else
      problems.set(
        path,
        made === null ? pathPhrases['appeared-since'] : now === null ? pathPhrases['removed-since'] : pathPhrases['changed-since'],
      );
  }
  const folderModes = new Map(folders.flatMap(({ path, mode }) => (mode === null ? [] : [[path, mode] as const])));
  return { changes, settled, problems, folderModes };
}

function contentOf({ hash, size, mtime, executable, mode }: OldVersion): Extract<Change, { kind: 'write' }>['content'] {
  return { hash, size, mtime, executable, mode };
}
