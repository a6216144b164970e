/** What lies at a path, a link itself. */
export interface SeenEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly mtime: number;
}

/** "Not there" and "cannot be read" are different answers. */
export type Unseen = 'missing' | 'unreadable';

/** The little that inspection needs of a file system. Paths are absolute. Writes nothing; opens regular files alone. */
export interface TreeReader {
  /** Follows links when asked to; never does otherwise. */
  look(path: string, options: { readonly follow: boolean }): Promise<SeenEntry | Unseen>;
  list(folder: string): Promise<readonly SeenEntry[] | Unseen>;
  /** The beginning of a regular file. */
  read(file: string, limit: number): Promise<Buffer | Unseen>;
  /** Whether gzip can be read to the end; `unreadable` when the file cannot be opened, null where that is not to be tried. */
  gunzips(file: string): Promise<boolean | 'unreadable' | null>;
}
