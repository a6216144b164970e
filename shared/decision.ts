/**
 * `declined`: this remote version is not offered again. `undone`: it was taken back here, and waits instead of coming home again. `keep-local`: a guarded file of which the local version always stays.
 * `exclude`: never synced; the connection has a rule for it. `growth-release`: a subtree held for its size comes home at the next
 * teardown. `growth-declined`: such a subtree stays on the remote. `growth-expected`: it comes home each time, and as much may from anywhere. Each of
 * these three holds until the amount grew much again.
 */
export const decisionChoices = [
  'declined',
  'undone',
  'keep-local',
  'exclude',
  'growth-release',
  'growth-declined',
  'growth-expected',
] as const;
export type DecisionChoice = (typeof decisionChoices)[number];

/** How much was decided about. */
export interface DecidedAmount {
  readonly files: number;
  readonly bytes: number;
  /** Latest modification time on the remote then, in milliseconds since 1970; null for a subtree that counts whole. */
  readonly newest: number | null;
}

/** What the user decided about one path of one connection, until it is taken back. */
export interface Decision {
  readonly id: string;
  /** The connection's id. */
  readonly connection: string;
  readonly path: string;
  readonly choice: DecisionChoice;
  /** SHA-256 of the remote version that was declined or undone; null when it was gone there, and for other choices. */
  readonly hash: string | null;
  /** For decisions about growth. */
  readonly amount?: DecidedAmount | undefined;
  /** ISO 8601. */
  readonly createdAt: string;
}
