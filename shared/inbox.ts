export type InboxKind = 'conflict' | 'guarded' | 'growth' | 'review';

/** One version of a file, as a decision needs it. */
export interface InboxVersion {
  /** SHA-256 in hex. */
  readonly hash: string;
  readonly bytes: number;
  readonly executable: boolean;
}

/** Something that waits for the user's decision. Ignoring it is safe. */
export interface InboxItem {
  readonly id: string;
  readonly kind: InboxKind;
  /** The connection's id. */
  readonly connection: string;
  readonly path: string;
  readonly bytes: number;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly reason: string;
  readonly local: InboxVersion | null;
  readonly remote: InboxVersion | null;
  /** True when the remote version lies in the inbox; false when it is only known by its hash. */
  readonly stored: boolean;
}
