import type { Connection } from '../../shared/connection';
import type { Inspection, SideName } from '../../shared/inspection';
import type { LookedSide } from '../hygiene/prune';
import type { PruneSide, TrashOwner } from '../hygiene/prune-side';
import type { Reached } from './runs';

/** Both sides as prune and clean work on them; the remote is null when it takes no part. */
export interface PruneSides {
  /** Folder in which what goes on this computer is kept. */
  readonly store: string;
  localAt(home: string, store: string): PruneSide;
  readonly remote: {
    readonly reached: Reached;
    at(home: string): PruneSide & TrashOwner;
  } | null;
  /** What Hermes holds on this computer right now; null when nothing. */
  readonly hermesHolds: string | null;
  inspect(check: boolean): Promise<Inspection>;
  close(): Promise<void>;
}

export interface PruneSidesRequest {
  readonly connection: Connection;
  readonly remote: boolean;
  /** Local files will be moved: nobody else may work in the home meanwhile. */
  readonly writes: boolean;
}

/** What was looked at, with the working side for each. */
export interface Looked {
  readonly sides: readonly LookedSide[];
  readonly at: Readonly<Partial<Record<SideName, PruneSide>>>;
  readonly remoteHome: string | null;
  /** Why a side could not be looked at. */
  readonly problems: readonly string[];
}
