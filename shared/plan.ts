/** Why a line of a prune or clean plan stays or goes. `PlanLine.reason` holds one of these sentences, so that a window can translate it. */
export const planReasons = {
  newest: 'the newest that can be restored, checked to the end',
  newer: 'newer than the newest that can be restored',
  number: 'one of the newest that you keep',
  recent: 'younger than 7 days',
  future: 'dated in the future',
  own: 'belongs to the remote, which runs Hermes',
  unchecked: 'none here was checked and found restorable',
  foreign: 'not a restore point of Hermes, never touched',
  link: 'a link, never touched',
  staging: 'left by a rollback, never touched',
  unreadable: 'cannot be read, left alone',
  older: 'older restore point',
  copy: 'a copy of one on this computer',
  broken: 'cannot be restored',
  'not-chosen': 'not chosen',
  'not-rebuildable': 'may hold what cannot be made again, never touched',
  chosen: 'never synced, can be made again',
  'sync-back': 'left on this computer by a sync-back of Hermes whose process is gone',
} as const;
export type PlanReason = keyof typeof planReasons;

/** One line of a plan. `path` is relative to the Hermes home of that side; absolute for what lies outside it. */
export interface PlanLine {
  readonly side: 'local' | 'remote';
  readonly id: string;
  readonly path: string;
  readonly bytes: number;
  readonly decision: 'keep' | 'remove';
  readonly reason: string;
}

const choosable: ReadonlySet<string> = new Set([planReasons['not-chosen'], planReasons.chosen, planReasons['sync-back']]);

/** Whether a line of a clean plan goes when it is chosen. */
export function canBeChosen({ reason }: PlanLine): boolean {
  return choosable.has(reason);
}

/** What a prune or clean would do, and the SHA-256 of the exact state it was made from. */
export interface Plan {
  readonly fingerprint: string;
  readonly lines: readonly PlanLine[];
}

/** How many restore points can be kept; the first is the default, the last is what Hermes itself keeps. */
export const keepChoices = [1, 3, 5] as const;

/** The commands that take something away and keep it for a time. */
export type RemovalKind = 'prune' | 'clean';

/** Names what one of them took: that run's, or that of the last run of a kind. */
export type RemovalChoice = { readonly run: string } | { readonly kind: RemovalKind };

/** Something a prune or clean took away that can still be put back. */
export interface RemovedRun {
  readonly run: string;
  readonly kind: RemovalKind;
  /** ISO 8601. */
  readonly removedAt: string;
  /** ISO 8601: from then on it may be deleted for good. */
  readonly keptUntil: string;
  readonly local: { readonly count: number; readonly bytes: number };
  readonly remote: { readonly count: number; readonly bytes: number };
}
