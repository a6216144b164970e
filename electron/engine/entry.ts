/**
 * A file's path inside a Hermes home: relative, `/`-separated, normalized, root name first (`skills/a/SKILL.md`).
 * Names that are not valid UTF-8 carry U+FFFD and are refused by the rules, so a path that passed them opens what was listed.
 */
export type EnginePath = string;

/** What lies at a path, before any rule looked at it. */
export type EntryKind = 'file' | 'link' | 'other';

/** One listed entry that is not a directory. */
export interface ListedEntry {
  readonly kind: EntryKind;
  /** Length in bytes. */
  readonly size: number;
  /** Modification time in milliseconds since 1970. */
  readonly mtime: number;
  /** The owner's execute bit; null where the disk has none (it then takes the other side's). */
  readonly executable: boolean | null;
  /** SHA-256 in hex; null when not known yet, or when the content could not be read. */
  readonly hash: string | null;
  /**
   * Whatever the endpoint compares to tell that content cannot have changed (size, times, inode). Opaque to the engine;
   * empty when the endpoint would not vouch for it (a write in the same clock tick could hide behind it).
   */
  readonly stamp: string;
}

/** A regular file in scope whose content is known. */
export interface FileEntry {
  readonly size: number;
  readonly mtime: number;
  readonly executable: boolean | null;
  readonly hash: string;
  readonly stamp: string;
}

/** What both sides last agreed on for one path. */
export interface AgreedEntry {
  readonly hash: string;
  readonly size: number;
  readonly executable: boolean;
}

/** True when two versions of a file are the same to the user: same bytes, and same execute bit where both sides have one. */
export function sameContent(
  a: { readonly hash: string; readonly executable: boolean | null },
  b: { readonly hash: string; readonly executable: boolean | null },
): boolean {
  return a.hash === b.hash && (a.executable === null || b.executable === null || a.executable === b.executable);
}

/** True when `path` is `prefix` or lies below it. */
export function isWithin(path: EnginePath, prefix: EnginePath): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}
