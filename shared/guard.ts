import type { SideName } from './inspection';
import type { Tally } from './run-report';

/** What can be worth a word outside a run of ours. */
export const arrivalKinds = ['bookkeeping', 'hub-lock', 'growth'] as const;
export type ArrivalKind = (typeof arrivalKinds)[number];

/** One place where something appeared; `path` is relative to the Hermes home. */
export interface ArrivedPart extends Tally {
  readonly path: string;
}

/** The hub's lock file is no longer the one that was last known to be good. */
export interface ReplacedLock {
  readonly state: 'replaced' | 'removed' | 'unreadable';
  /** Installed skills whose entries differ. */
  readonly differingSkills: readonly string[];
}

/** Something appeared that no run of ours brought. It stays until the user decides; nothing was deleted or restored. */
export interface GuardEvent {
  readonly id: string;
  /** Id of a connection that works in this Hermes home. */
  readonly connection: string;
  readonly side: SideName;
  /** Who brought it: a sync-back of Hermes, or anybody else who works there. */
  readonly source: 'hermes' | 'other';
  /** ISO 8601: when it was first and last seen to go on. */
  readonly at: string;
  readonly lastAt: string;
  readonly kinds: readonly ArrivalKind[];
  /** What appeared in all. */
  readonly amount: Tally;
  /** Bytes that usually come. */
  readonly usual: number;
  /** Where most of it lies. */
  readonly culprit: string;
  /** The largest places first; the rest is only in the amount. */
  readonly parts: readonly ArrivedPart[];
  readonly hubLock: ReplacedLock | null;
  /** The last good lock file is kept and can be put back. */
  readonly canPutBack: boolean;
}

/** One watched Hermes home. */
export interface WatchedHome {
  readonly home: string;
  readonly connections: readonly string[];
  /** `first-look`: nothing was known to compare with. A missing folder is not compared with anything. */
  readonly state: 'ok' | 'first-look' | 'missing' | 'unreadable';
  /** ISO 8601; null before the first look. */
  readonly lookedAt: string | null;
  readonly watch: HomeWatching;
}

/**
 * How a home is watched by this process right now. `rescan`: events are not available, so that only a slow rescan finds what
 * appears. `none`: by nobody; it is looked at when that is asked for.
 */
export type HomeWatching = 'events' | 'rescan' | 'none';

/** Guard mode: what is watched, and what waits for a decision. */
export interface GuardView {
  /** Whether this process watches by itself right now. */
  readonly watching: boolean;
  readonly homes: readonly WatchedHome[];
  readonly events: readonly GuardEvent[];
}
