import type { RestorePoint } from '../../shared/inspection';

/** What one side showed of a directory in `skills/.curator_backups`. */
export interface FoundPoint {
  /** The directory's name. */
  readonly id: string;
  /** All files in it together. */
  readonly bytes: number;
  readonly archive: FoundArchive;
  /** Text of `manifest.json`; null when there is none, or it cannot be read. */
  readonly manifest: string | null;
}

/** `skills.tar.gz` of a restore point. */
export type FoundArchive =
  | { readonly state: 'missing' | 'unreadable' }
  | {
      readonly state: 'present';
      readonly size: number;
      /** Whether gzip could be read to the end where the archive lies; null when nobody tried. */
      readonly gzip: boolean | null;
      readonly sha256: string | null;
    };

/** The parts of a curator's manifest that this app uses; null where it says nothing usable. */
export interface CuratorManifest {
  readonly reason: string | null;
  readonly createdAt: string | null;
  readonly archiveBytes: number | null;
}

const idPattern = /^(\d{4})-(\d{2})-(\d{2})T(\d{2})-(\d{2})-(\d{2})Z(-\d{2})?$/;
const nothing: CuratorManifest = { reason: null, createdAt: null, archiveBytes: null };
const longestReason = 200;

/** True for a name that the curator gives to its snapshots, and for nothing else. */
export function isRestorePointId(name: string): boolean {
  return idTime(name) !== null;
}

/** When the snapshot was taken, as its id says, in milliseconds since 1970; null when the name is no id. */
export function idTime(name: string): number | null {
  const match = idPattern.exec(name);
  if (match === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const time = Date.UTC(year, month - 1, day, hour, minute, second);
  // A date that does not exist comes back as another one.
  const same = new Date(time).toISOString().slice(0, 19).replaceAll(':', '-') === name.slice(0, 19);
  return same ? time : null;
}

/** The id of a snapshot taken at a moment. */
export function idAt(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
}

/** Newest first, by id alone: modification times say when something was copied. */
export function newestFirst(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id === b.id ? 0 : a.id < b.id ? 1 : -1;
}

/** Reads a curator's manifest, which may be cut off or written by anyone. */
export function readCuratorManifest(text: string | null): CuratorManifest {
  if (text === null) return nothing;
  const value = parseObject(text);
  if (value === null) return nothing;
  const { reason, created_at: created, archive_bytes: bytes } = value;
  return {
    reason: typeof reason === 'string' && reason !== '' ? reason.slice(0, longestReason) : null,
    createdAt: typeof created === 'string' ? isoTime(created) : null,
    archiveBytes: typeof bytes === 'number' && Number.isSafeInteger(bytes) && bytes >= 0 ? bytes : null,
  };
}

/** What is wrong with a restore point without reading its archive; null when nothing is. */
export function structuralProblem(found: FoundPoint): string | null {
  const { archive } = found;
  if (archive.state !== 'present') return archive.state === 'missing' ? 'it has no archive' : 'its archive cannot be read';
  const { archiveBytes } = readCuratorManifest(found.manifest);
  if (archiveBytes !== null && archiveBytes !== archive.size) {
    return `its archive has ${archive.size} bytes, its manifest says ${archiveBytes}`;
  }
  return archive.size === 0 ? 'its archive is empty' : null;
}

/**
 * The ids whose archives are worth reading, newest first. Whoever verifies reads one after the other and stops after the
 * first good one that is not dated in the future: that one is kept for sure, and the older ones need no proof.
 */
export function idsToVerify(points: readonly FoundPoint[]): readonly string[] {
  return points
    .filter((point) => isRestorePointId(point.id) && structuralProblem(point) === null)
    .sort(newestFirst)
    .map(({ id }) => id);
}

/** Restore points as inspection shows them, newest first. `copyOfOtherSide` waits for the other side. */
export function describeRestorePoints(points: readonly FoundPoint[]): readonly RestorePoint[] {
  return points
    .filter(({ id }) => isRestorePointId(id))
    .sort(newestFirst)
    .map((found) => {
      const { reason, createdAt } = readCuratorManifest(found.manifest);
      const taken = idTime(found.id);
      return {
        id: found.id,
        reason,
        createdAt: createdAt ?? (taken === null ? null : new Date(taken).toISOString()),
        bytes: found.bytes,
        ...verdictOf(found),
        copyOfOtherSide: false,
      };
    });
}

function verdictOf(found: FoundPoint): Pick<RestorePoint, 'restorable' | 'problem'> {
  const problem = structuralProblem(found);
  // "Cannot be read" proves nothing about the archive: another account may well restore it.
  if (problem !== null) return { restorable: found.archive.state === 'unreadable' ? null : false, problem };
  const gzip = found.archive.state === 'present' ? found.archive.gzip : null;
  return { restorable: gzip, problem: gzip === false ? 'its archive is damaged: it cannot be unpacked to the end' : null };
}

/** Marks the restore points that the other side holds too: same id, same archive by length and hash. */
export function markCopies(
  points: readonly RestorePoint[],
  here: ReadonlyMap<string, FoundArchive>,
  there: ReadonlyMap<string, FoundArchive>,
): readonly RestorePoint[] {
  return points.map((point) => {
    const [mine, other] = [here.get(point.id), there.get(point.id)];
    if (mine?.state !== 'present' || other?.state !== 'present') return point;
    const same = mine.size === other.size && mine.sha256 !== null && mine.sha256 === other.sha256;
    return same ? { ...point, copyOfOtherSide: true } : point;
  });
}

function isoTime(text: string): string | null {
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Readonly<Record<string, unknown>>) : null;
  } catch {
    // A run that was killed leaves a cut manifest; the restore point may be good all the same.
    return null;
  }
}
