import type { NewSkillsPolicy } from '../../shared/connection';
import type { Rules } from '../../shared/rules';
import type { GrowthAlert, Guard, PathReport, RunOutcome, RunReport, Stop } from '../../shared/run-report';
import type { Baseline, FoundBaseline, Memories } from './baseline';
import type { Applied, ApplyRequest, Endpoint, IncomingFile } from './endpoint';
import type { EnginePath, FileEntry } from './entry';
import type { GrowthContext, GrowthRecord } from './growth-context';
import type { EngineLedger } from './ledger';

export type Phase = 'listing' | 'comparing' | 'transferring' | 'applying' | 'recording';

/** Something that waits for the user, as the inbox keeps it. */
export interface WaitingItem {
  readonly path: EnginePath;
  readonly why: 'conflict' | 'guarded' | 'review' | 'growth';
  readonly reason: string;
  readonly local: FileEntry | null;
  readonly remote: FileEntry | null;
  /** What a held subtree would bring; other items are as large as their remote version. */
  readonly bytes?: number;
}

/**
 * Earlier decisions by path. A hash names the remote version that was decided about (null: that it is gone); it counts until the
 * remote changes again.
 */
export interface DecidedPaths {
  /** Discarded: not offered again. */
  readonly declined: ReadonlyMap<EnginePath, string | null>;
  /** Taken back by an undo: held, and listed, instead of coming home once more. */
  readonly undone: ReadonlyMap<EnginePath, string | null>;
  /** Guarded files whose local version always stays. */
  readonly keepLocal: ReadonlySet<EnginePath>;
}

/** Where remote versions go that do not come home by themselves. */
export interface InboxSink {
  /** Whether the remote version must still be fetched. */
  lacks(item: WaitingItem): boolean;
  /** Stores the remote version, checked by length and hash; false when it was not what the item says. */
  store(item: WaitingItem, file: IncomingFile): Promise<boolean>;
  /** Makes these the waiting items of the given kinds; others of these kinds are no longer waiting. */
  settle(waiting: readonly WaitingItem[], kinds: readonly WaitingItem['why'][]): Promise<void>;
}

export interface RunInput {
  readonly roots: readonly string[];
  readonly newSkills: NewSkillsPolicy;
  readonly local: Endpoint;
  readonly remote: Endpoint;
  readonly rules: Rules;
  readonly hostKey: string;
  readonly found: FoundBaseline;
  readonly memories: Memories;
  /** What the user decided about single paths before. */
  readonly decided: DecidedPaths;
  /** Content of this computer's own identity marker, read anew. */
  readonly localMarker: () => Promise<string | null>;
  /** What an unfinished sync-back of Hermes left in the local home; null when there is nothing. */
  readonly hermesUnfinished: string | null;
  /** Keeps a baseline that names what is about to be done. No change is made before it is kept. */
  readonly prepare: (baseline: Baseline) => Promise<void>;
  /** Guards that are let through in this run. */
  readonly allow: ReadonlySet<Guard>;
  /** Identity marker to leave on a remote that has none, at its first push. */
  readonly proposedMarker: string;
  readonly inbox: InboxSink;
  /** What is usual for this connection; left out for one without a past. */
  readonly growth?: GrowthContext | undefined;
  /** Only says what would happen. */
  readonly dryRun: boolean;
  readonly progress: (phase: Phase, done: number, total: number | null, unit: 'files' | 'bytes' | null) => void;
}

/** Carries out changes while the plan for them is still on its way to the disk; no change is made before it is there. */
export async function applyRecorded(
  side: Endpoint,
  request: ApplyRequest,
  recorded: Promise<void>,
  signal: AbortSignal,
): Promise<readonly Applied[]> {
  // The side asks for it when everything has arrived; it may have failed long before.
  recorded.catch(() => undefined);
  // A plan that could not be kept is the reason to tell, not what became of the apply.
  return side.apply({ ...request, recorded }, signal).finally(() => recorded);
}

export interface RunResult {
  readonly outcome: RunOutcome;
  readonly stop: Stop | null;
  readonly ledger: EngineLedger;
  readonly paths: readonly PathReport[];
  readonly pathsOmitted: number;
  readonly alerts: readonly GrowthAlert[];
  /** What would be written and removed; only where it was asked what would happen. */
  readonly planned?: RunReport['planned'];
  /** What later teardowns must know; null when nothing was brought home. */
  readonly growth: GrowthRecord | null;
  readonly notes: readonly string[];
  readonly remoteHome: string;
  /** To be kept from now on; null: what is kept stays. */
  readonly baseline: Baseline | null;
  /** Comes once the remote has said what it keeps; never rejects. Null: what is kept stays. */
  readonly memories: Promise<Memories> | null;
  /** What ended the run after it had begun to write; everything reported as written is in place. Null when it ended by itself. */
  readonly failure: unknown;
}
