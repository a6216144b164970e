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

/** What the user may do with an item. */
export const resolutions = ['keep-local', 'keep-remote', 'keep-both', 'release', 'discard', 'exclude', 'expect'] as const;
export type Resolution = (typeof resolutions)[number];

/** What makes sense for each kind of item, the safest first. */
export const resolutionsFor: Readonly<Record<InboxKind, readonly Resolution[]>> = {
  conflict: ['keep-local', 'keep-remote', 'keep-both', 'discard', 'exclude'],
  guarded: ['keep-local', 'release', 'discard', 'exclude'],
  review: ['release', 'discard', 'exclude'],
  growth: ['discard', 'exclude', 'release', 'expect'],
};

/** One version of a file, to be read. */
export interface ComparedVersion {
  /** `gone`: there is no such file. `not-kept`: there is, or was, one whose content is not at hand. */
  readonly state: 'available' | 'gone' | 'not-kept';
  /** Length; null when it is not known. */
  readonly bytes: number | null;
  /** Null when it is not available, no text, or too long to be compared. */
  readonly text: string | null;
}

/** The versions an item is about: the last one both sides agreed on, the file here as it is now, and the remote's. */
export interface InboxComparison {
  readonly base: ComparedVersion;
  readonly local: ComparedVersion;
  readonly remote: ComparedVersion;
  /** True when the file here is not what it was when the item came; a session brings the item up to date. */
  readonly localChanged: boolean;
}
