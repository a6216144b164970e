/**
 * `declined`: this remote version is not offered again. `keep-local`: a guarded file of which the local version always stays.
 * `exclude`: never synced; the connection has a rule for it.
 */
export const decisionChoices = ['declined', 'keep-local', 'exclude'] as const;
export type DecisionChoice = (typeof decisionChoices)[number];

/** What the user decided about one path of one connection, until it is taken back. */
export interface Decision {
  readonly id: string;
  /** The connection's id. */
  readonly connection: string;
  readonly path: string;
  readonly choice: DecisionChoice;
  /** SHA-256 of the remote version that was declined; null when it was gone there, and for other choices. */
  readonly hash: string | null;
  /** ISO 8601. */
  readonly createdAt: string;
}
