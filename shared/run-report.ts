import type { Plan } from './plan';

/** What stops a run before its first write. All but the last five can be let through for one run. */
export const guards = [
  'first-session',
  'remote-empty',
  'local-empty',
  'identity-changed',
  'mass-delete',
  'mass-change',
  'hermes-unfinished',
  'same-folder',
  'rollback-in-progress',
  'session-active',
  'plan-changed',
] as const;
export type Guard = (typeof guards)[number];

/** Guards that `--allow` lets through, for one run. */
export const allowableGuards = guards.slice(0, 7) as readonly Guard[];

export type RunKind = 'push' | 'sync-back' | 'preview' | 'undo' | 'prune' | 'clean' | 'resolve' | 'put-back';
export type RunOutcome = 'done' | 'partly' | 'held' | 'stopped' | 'failed' | 'interrupted';
export type PathOutcome = 'written' | 'removed' | 'conflict' | 'held' | 'refused' | 'failed';
export type PathChange = 'create' | 'update' | 'delete';

/** A number of files and the sum of their lengths (not disk blocks). */
export interface Tally {
  readonly files: number;
  readonly bytes: number;
}

/** Where every byte of a run went. `onRemote` is what was in scope there plus what was refused there. */
export interface ByteLedger {
  readonly onRemote: Tally;
  readonly refused: Tally & {
    /** True when the metadata walk did not finish in time. */
    readonly estimated: boolean;
    /** By the excluded directory's name. */
    readonly byTree: Readonly<Record<string, Tally>>;
    /** By the rule that refused. */
    readonly byRule: Readonly<Record<string, Tally>>;
  };
  /** File content, uncompressed. */
  readonly transferred: Tally;
  /** Bytes of the TCP socket in this run; `handshake` is the part, both ways, before authentication ended. */
  readonly wire: { readonly sent: number; readonly received: number; readonly handshake: number };
  /** Placed in this run. */
  readonly written: Tally;
  readonly removed: Tally;
  readonly unchanged: Tally;
}

/** One path that did not stay unchanged. `path` is relative to the Hermes home, root name first, `/`-separated. */
export interface PathReport {
  readonly path: string;
  readonly outcome: PathOutcome;
  readonly change: PathChange;
  readonly bytes: number;
  readonly reason: string;
}

/** A guard's stop: which one, why in words, and the numbers it looked at. */
export interface Stop {
  readonly guard: Guard;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface GrowthAlert {
  readonly kind: 'growth' | 'refused-bookkeeping' | 'shrink' | 'restore-points';
  readonly actual: number;
  readonly usual: number;
  readonly culprit: string;
  readonly holding: boolean;
}

/** The record of one run: shown, kept in the history, and printed by `--json`. */
export interface RunReport {
  readonly schema: 1;
  readonly id: string;
  readonly kind: RunKind;
  readonly connection: { readonly id: string; readonly name: string };
  /** The machine really reached; null fields when it was not reached. */
  readonly remote: {
    readonly user: string;
    readonly host: string;
    readonly port: number;
    readonly hostKey: string | null;
    readonly home: string | null;
  };
  readonly startedAt: string;
  readonly endedAt: string;
  readonly durationMs: number;
  readonly outcome: RunOutcome;
  readonly stop: Stop | null;
  readonly ledger: ByteLedger;
  readonly paths: readonly PathReport[];
  /** Paths left out of `paths` because of its cap. */
  readonly pathsOmitted: number;
  readonly alerts: readonly GrowthAlert[];
  /** Remarks for the reader: a file set aside, a baseline that could not be read. */
  readonly notes: readonly string[];
  /** What a preview found that a run would write and remove; no other run has one. */
  readonly planned?: { readonly written: Tally; readonly removed: Tally };
  /** What a prune or clean would do, or did; no other run has one. */
  readonly plan?: Plan;
  readonly error: { readonly code: string; readonly message: string; readonly details: unknown } | null;
}
