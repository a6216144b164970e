import type { Tally } from '../../shared/run-report';
import { type AlertMemory, nothingAlerted, type PastTeardown } from './alerts';
import type { EnginePath } from './entry';
import type { GrowthRule } from './growth-words';

/** A subtree as it was when it was decided about. */
export interface GrowthMark extends Tally {
  readonly path: EnginePath;
  /** Latest modification time then: what is newer is not part of it. Null for a subtree that counts whole. */
  readonly newest: number | null;
}

/** What is known of a connection before a teardown. */
export interface GrowthFacts {
  /** What came home in finished teardowns, newest first. */
  readonly usual: readonly Tally[];
  /** Comes home each time, until it grew much beyond that. The most of it may come from anywhere. */
  readonly expected: readonly GrowthMark[];
  /** Comes home, until it grew much again. */
  readonly released: readonly GrowthMark[];
  /** Not wanted, until it grew much again. */
  readonly declined: readonly GrowthMark[];
  /** Held before and not decided yet. */
  readonly held: readonly EnginePath[];
}

/** A subtree that stays on the remote until somebody decides. */
export interface HeldSubtree extends GrowthMark {
  readonly rule: GrowthRule;
  readonly reason: string;
}

/** What is known of a connection before a teardown, and what the user decided about its growth. */
export interface GrowthContext {
  /** Finished teardowns, newest first. */
  readonly past: readonly PastTeardown[];
  readonly expected: readonly GrowthMark[];
  readonly released: readonly GrowthMark[];
  readonly declined: readonly GrowthMark[];
  /** Subtrees that wait in the inbox. */
  readonly held: readonly EnginePath[];
  readonly alerted: AlertMemory;
}

/** A connection about which nothing is known. */
export const noGrowthContext: GrowthContext = {
  past: [],
  expected: [],
  released: [],
  declined: [],
  held: [],
  alerted: nothingAlerted,
};

/** What a teardown leaves behind for the next one. */
export interface GrowthRecord {
  readonly held: readonly HeldSubtree[];
  /** Released subtrees that came home, or became another question meanwhile. */
  readonly spent: readonly EnginePath[];
  readonly alerted: AlertMemory;
}
