import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { InspectedSide, SideName } from '../../shared/inspection';
import { stopPhrases } from '../../shared/phrases/stops';
import { type Plan, type PlanLine, type PlanReason, planReasons } from '../../shared/plan';
import { isRollbackStaging } from './leftovers';
import { backupsFolder, isPruning, type Leaving, type Survey, type SurveyedEntry } from './prune-side';
import { idTime, isRestorePointId, newestFirst } from './restore-points';
import { decideRetention, type RetentionOptions } from './retention';

/** What one side showed, looked at twice: what its restore points are worth, and exactly what lies there. */
export interface LookedSide {
  readonly side: SideName;
  readonly inspected: InspectedSide;
  readonly survey: Survey;
}

/** A plan with what is needed to carry it out. */
export interface PreparedPlan {
  readonly plan: Plan;
  readonly leaving: Readonly<Record<SideName, readonly LeavingEntry[]>>;
}

/** Something a plan takes away. */
export interface LeavingEntry extends Leaving {
  readonly files: number;
  readonly bytes: number;
  readonly reason: string;
}

/** One entry with what was decided on it. */
export interface DecidedEntry {
  readonly side: SideName;
  readonly id: string;
  readonly entry: SurveyedEntry;
  readonly decision: PlanLine['decision'];
  readonly reason: PlanReason;
}

/** Plans which restore points go. Names that are no id, links and whatever else lies there are kept, each with its reason. */
export function planPrune(sides: readonly LookedSide[], options: Omit<RetentionOptions, 'now'>, now: number): PreparedPlan {
  const decided = sides.flatMap((side) => decideSide(side, { ...options, now }));
  const { keep, keepRecent, includeRemoteOwn } = options;
  const state = decided.map(({ side, entry, decision }) => [side, entry, decision]);
  return preparePlan(['prune', keep, keepRecent, includeRemoteOwn, state], decided);
}

function decideSide({ side, inspected, survey }: LookedSide, options: RetentionOptions): readonly DecidedEntry[] {
  const entries = survey.entries.filter(({ path }) => path.startsWith(`${backupsFolder}/`));
  const points = new Map(inspected.restorePoints.map((point) => [point.id, point]));
  const candidates = entries.filter((entry) => isCandidate(entry) && points.has(nameOf(entry)));
  const retained = decideRetention(
    candidates.map((entry) => {
      const point = points.get(nameOf(entry));
      const state = point?.restorable === true ? 'verified' : point?.restorable === false ? 'broken' : 'unknown';
      return {
        ...{ id: nameOf(entry), state, copy: side === 'remote' && point?.copyOfOtherSide === true },
        onHermesRemote: side === 'remote' && inspected.runsHermes,
      };
    }),
    options,
  );
  const byId = new Map(candidates.map((entry) => [nameOf(entry), entry]));
  const lines = retained.flatMap(({ id, decision, reason }): readonly DecidedEntry[] => {
    const entry = byId.get(id);
    if (entry === undefined) return [];
    if (decision === 'remove' && entry.stamp === null) return [{ side, id, entry, decision: 'keep', reason: 'unreadable' }];
    return [{ side, id, entry, decision, reason }];
  });
  const others = entries.filter((entry) => !byId.has(nameOf(entry)));
  return [...lines, ...others.map((entry) => ({ side, id: nameOf(entry), entry, decision: 'keep' as const, reason: whyForeign(entry) }))];
}

/** Nothing but a real folder with the name of a restore point can ever go. */
function isCandidate(entry: SurveyedEntry): boolean {
  return entry.kind === 'folder' && isRestorePointId(nameOf(entry)) && entry.path === `${backupsFolder}/${nameOf(entry)}`;
}

function whyForeign(entry: SurveyedEntry): PlanReason {
  if (entry.kind === 'link') return 'link';
  if (isRollbackStaging(nameOf(entry))) return 'staging';
  // It appeared after the restore points were looked at.
  return isCandidate(entry) ? 'unreadable' : 'foreign';
}

/** The last name of an entry's path. */
export function nameOf({ path }: Pick<SurveyedEntry, 'path'>): string {
  return basename(path);
}

/** Puts a plan together from decisions. Its fingerprint is over `state`: everything that was seen, and what it depends on beside. */
export function preparePlan(state: readonly unknown[], decided: readonly DecidedEntry[]): PreparedPlan {
  const fingerprint = createHash('sha256').update(canonical(state)).digest('hex');
  const lines = decided.map(({ side, id, entry: { path, bytes }, decision, reason }) => {
    return { side, id, path, bytes, decision, reason: planReasons[reason] };
  });
  const leavingOf = (side: SideName): readonly LeavingEntry[] =>
    decided
      .filter((line) => line.side === side && line.decision === 'remove')
      .flatMap(({ entry, reason }, index) => {
        const { path, stamp, files, bytes } = entry;
        return stamp === null ? [] : [{ path, stamp, name: `${index}.${nameOf(entry)}`, files, bytes, reason: planReasons[reason] }];
      });
  return { plan: { fingerprint, lines }, leaving: { local: leavingOf('local'), remote: leavingOf('remote') } };
}

/** The same text for equal values, whatever the order in which their fields were written. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

const stagingMs = 60 * 60_000;
const snapshotMs = 10 * 60_000;

/** What is under way on a side, in words; null when nothing is, and the plan may be carried out. */
export function activityOn({ inspected, survey }: LookedSide, now: number): string | null {
  const clock = survey.clock ?? now;
  if (survey.locked !== null) return `Hermes holds ${survey.locked}`;
  if (isPruning(survey, clock)) return stopPhrases['prune-under-way'];
  const staging = survey.entries.find(
    (entry) => isRollbackStaging(nameOf(entry)) && entry.kind !== 'link' && (entry.newest === null || clock - entry.newest < stagingMs),
  );
  if (staging !== undefined) return `a rollback is under way (${staging.path} changed within the last hour)`;
  const fresh = [...inspected.restorePoints].sort(newestFirst).find(({ id, restorable, problem }) => {
    const taken = idTime(id);
    return taken !== null && Math.abs(clock - taken) < snapshotMs && restorable !== true && problem !== null;
  });
  return fresh === undefined ? null : `a snapshot is under way (${fresh.id} has no archive yet that can be read)`;
}
