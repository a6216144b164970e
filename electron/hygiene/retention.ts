import type { PlanReason } from '../../shared/plan';
import { idTime, newestFirst } from './restore-points';

/** What retention knows of a restore point. */
export interface RetentionPoint {
  readonly id: string;
  /** Read to the end where it lies and good; proven useless; or not checked, which never counts as verified. */
  readonly state: 'verified' | 'broken' | 'unknown';
  /** It lies on a remote that runs Hermes. */
  readonly onHermesRemote: boolean;
  /** The other side holds the same one. */
  readonly copy: boolean;
}

export interface RetentionOptions {
  /** How many to keep, the newest verified one among them. */
  readonly keep: number;
  /** Also keep everything younger than seven days. */
  readonly keepRecent: boolean;
  readonly includeRemoteOwn: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface Retained {
  readonly id: string;
  readonly decision: 'keep' | 'remove';
  readonly reason: PlanReason;
}

const recentMs = 7 * 24 * 3_600_000;

/**
 * Decides for every restore point of one side, newest first by id. The newest verified one is kept and whatever is newer; one
 * dated in the future never counts as the newest, or a planted one would push out all real ones.
 */
export function decideRetention(points: readonly RetentionPoint[], options: RetentionOptions): readonly Retained[] {
  const sorted = [...points].sort(newestFirst);
  const anchor = sorted.find(({ id, state }) => state === 'verified' && !isFuture(id, options.now));
  const older = anchor === undefined ? [] : sorted.filter((point) => newestFirst(anchor, point) < 0);
  const alsoKept = new Set(
    older
      .filter(({ state }) => state !== 'broken')
      .slice(0, Math.max(0, options.keep - 1))
      .map(({ id }) => id),
  );
  return sorted.map((point) => {
    const kept = reasonToKeep(point, anchor, alsoKept, options);
    if (kept !== null) return { id: point.id, decision: 'keep', reason: kept };
    return { id: point.id, decision: 'remove', reason: point.state === 'broken' ? 'broken' : point.copy ? 'copy' : 'older' };
  });
}

function reasonToKeep(
  point: RetentionPoint,
  anchor: RetentionPoint | undefined,
  alsoKept: ReadonlySet<string>,
  { keepRecent, includeRemoteOwn, now }: RetentionOptions,
): PlanReason | null {
  const time = idTime(point.id);
  if (time === null) return 'foreign';
  if (time > now) return 'future';
  if (anchor === undefined) return 'unchecked';
  if (point.id === anchor.id) return 'newest';
  if (newestFirst(point, anchor) < 0) return 'newer';
  if (point.onHermesRemote && !point.copy && !includeRemoteOwn) return 'own';
  if (alsoKept.has(point.id)) return 'number';
  return keepRecent && now - time < recentMs ? 'recent' : null;
}

function isFuture(id: string, now: number): boolean {
  return (idTime(id) ?? Number.POSITIVE_INFINITY) > now;
}
