import type { ReplacedLock } from '../../shared/guard';
import type { RunReport } from '../../shared/run-report';
import type { GrowthFacts } from '../engine/growth-context';
import { type Arrival, findArrival, type OwnPaths } from '../hygiene/arrivals';
import type { Footprint } from '../hygiene/footprint';
import type { HubCopy } from '../hygiene/hub-copy';
import { hubLockPath } from '../hygiene/hub-lock';
import type { GuardRecord } from './guard-records';

/** What one look at a Hermes home needs. */
export interface LookInput {
  readonly before: GuardRecord | null;
  readonly now: Footprint;
  readonly copy: HubCopy;
  readonly own: OwnPaths;
  readonly growth: Pick<GrowthFacts, 'usual' | 'expected'>;
  /** Something that Hermes brought waits for a decision. */
  readonly isToldOf: boolean;
  /** Whether Hermes holds its lock right now. */
  isHeld(): Promise<boolean>;
}

/** What one look found. */
export interface LookResult {
  readonly state: Footprint['root'];
  readonly record: GuardRecord;
  readonly arrival: Arrival | null;
  readonly hubLock: ReplacedLock | null;
  readonly byHermes: boolean;
  /** Hermes holds its lock, so that there is more to come. */
  readonly isHeld: boolean;
}

/** Compares a Hermes home with how it was at the last look. Writes nothing but the copy of a good lock file. */
export async function lookAtHome(input: LookInput): Promise<LookResult> {
  const { before, now, copy, own } = input;
  const known = before?.footprint ?? null;
  if (now.root !== 'ok') {
    // What cannot be seen is no news: the last footprint stays, and is compared with once the folder is back.
    const record = before ?? { footprint: now, alerted: null, syncing: false };
    return { state: now.root, record, arrival: null, hubLock: null, byHermes: false, isHeld: false };
  }
  const isTouched = known !== null && now.syncLock !== null && now.syncLock !== known.syncLock;
  const isExpected = isTouched || before?.syncing === true;
  // The lock is only asked for where the answer matters: asking means to try it.
  const matters = isExpected || (await copy.differs()) || findNew(input, true).arrival !== null;
  const isHeld = matters && (await input.isHeld());
  const byHermes = isExpected || isHeld;
  const { arrival, alerted } = findNew(input, byHermes);
  const hubLock = await copy.check(({ mtime }) => {
    if (known === null || own.paths.includes(hubLockPath)) return true;
    // A file that is dated before the last look was not written here: it came from elsewhere with its date.
    return !byHermes && mtime !== null && Date.parse(mtime) >= known.takenAt;
  });
  return { state: 'ok', arrival, hubLock, byHermes, isHeld, record: { footprint: now, alerted, syncing: isHeld } };
}

function findNew({ before, now, own, growth, isToldOf }: LookInput, byHermes: boolean): ReturnType<typeof findArrival> {
  if (before === null) return { arrival: null, alerted: null };
  // The sync-back that was told of goes on: all that it still brings belongs to it.
  const alerted = isToldOf && before.syncing ? null : before.alerted;
  return findArrival({ before: before.footprint, now, own, byHermes, growth, roots: ['skills'], alerted });
}

/** What runs of ours did since a moment, from their reports. */
export function ownPathsSince(runs: readonly RunReport[], since: number): OwnPaths {
  const ended = runs.filter(({ endedAt }) => Date.parse(endedAt) >= since);
  return {
    paths: ended.flatMap(({ paths }) =>
      paths.flatMap(({ path, outcome }) => (outcome === 'written' || outcome === 'removed' ? [path] : [])),
    ),
    allInScope: ended.some(({ pathsOmitted }) => pathsOmitted > 0),
  };
}
