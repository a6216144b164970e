import type { Tally } from './run-report';

export type SideName = 'local' | 'remote';

/** One bookkeeping tree; `path` is relative to the Hermes home. */
export interface TreeSize extends Tally {
  readonly name: string;
  readonly path: string;
  readonly estimated: boolean;
}

/** A curator snapshot. `restorable` is null when it was not checked. */
export interface RestorePoint {
  readonly id: string;
  readonly reason: string | null;
  readonly createdAt: string | null;
  readonly bytes: number;
  readonly restorable: boolean | null;
  readonly problem: string | null;
  readonly copyOfOtherSide: boolean;
}

/** The skills hub's lock file on one side, compared with the other. */
export interface HubLock {
  readonly state: 'present' | 'missing' | 'unreadable';
  readonly mtime: string | null;
  readonly sha256: string | null;
  /** About both sides together, so the same on each. */
  readonly verdict: 'same' | 'differs' | 'only-local' | 'only-remote' | 'none' | 'unknown';
  /** Names of installed skills that differ from the other side. */
  readonly differingSkills: readonly string[];
}

export interface InspectedSide {
  /** False when the Hermes home could not be read; `problem` says why. */
  readonly readable: boolean;
  readonly problem: string | null;
  readonly home: string;
  readonly runsHermes: boolean;
  readonly trees: readonly TreeSize[];
  /** The ledger's content store beside `skills/`: never a tree, never pruned. */
  readonly ledgerBlobs: Tally;
  readonly profiles: readonly {
    readonly name: string;
    readonly trees: readonly TreeSize[];
    readonly restorePoints: readonly RestorePoint[];
  }[];
  readonly hubLock: HubLock;
  readonly restorePoints: readonly RestorePoint[];
  readonly leftovers: readonly { readonly path: string; readonly bytes: number; readonly reason: string }[];
}

export interface Inspection {
  readonly local: InspectedSide | null;
  readonly remote: InspectedSide | null;
}

/** How our excluded names compare with those of the Hermes that is installed on this computer. */
export interface RuleParity {
  /** `unreadable`: it is there, and its list is not one that can be read without running it. */
  readonly state: 'in-step' | 'differs' | 'unreadable' | 'not-found';
  /** The file that was read. */
  readonly file: string | null;
  /** Excluded there and, since they were found, here too. */
  readonly added: readonly string[];
  /** Excluded here and no longer there. They stay excluded. */
  readonly absent: readonly string[];
  /** Excluded there, with a name that can be no rule here. */
  readonly unusable: readonly string[];
}
