import type { Rules } from '../../shared/rules';
import type { EnginePath, ListedEntry } from './entry';

/** What an endpoint remembers of one side between runs, so that unchanged content is neither read nor sent. Always disposable. */
export interface SideMemory {
  /** The remote's own name for the remembered state (a digest); null where the side keeps none. */
  readonly token: string | null;
  readonly entries: ReadonlyMap<EnginePath, ListedEntry>;
}

export interface ListRequest {
  readonly roots: readonly string[];
  readonly rules: Rules;
  readonly memory: SideMemory | null;
  /** Whether `totals` will be asked for, so that a side can count while it lists. */
  readonly counts?: boolean;
}

/** Everything that is not a directory below the roots, except inside directories the rules do not descend into. */
export interface Listing {
  /** Absolute Hermes home on that side (the profile's, when there is one). */
  readonly home: string;
  /** Roots that do not exist. */
  readonly missingRoots: readonly string[];
  readonly entries: ReadonlyMap<EnginePath, ListedEntry>;
  /** Files and folders that could not be read: what lies there is unknown, never deleted. */
  readonly unreadable: readonly EnginePath[];
  /** Content of the identity marker `.ebbgate/id`; null when there is none. */
  readonly identity: string | null;
  /** Free bytes on the volume; null when not known. */
  readonly freeBytes: number | null;
}

/** Files and bytes inside refused directories, by the directory's name. `complete` is false when a part could not be counted. */
export interface TreeTotals {
  readonly byTree: ReadonlyMap<string, { readonly files: number; readonly bytes: number }>;
  readonly complete: boolean;
}

/** A file to be read, as the listing described it. */
export interface WantedFile {
  readonly path: EnginePath;
  readonly size: number;
  /** SHA-256; without it the content cannot be composed from what the receiver has. */
  readonly hash?: string | undefined;
}

/** What the receiving side has, from which content that hardly changed can be composed. */
export type Basis = Pick<Endpoint, 'read'>;

/** One file on its way. `body` must be consumed, or left by ending the loop over files, before the next file is asked for. */
export interface IncomingFile {
  readonly path: EnginePath;
  readonly size: number;
  readonly body: AsyncIterable<Uint8Array>;
}

/** One change to a side. `expected` is what the listing saw at the target; null means nothing was there. */
export type Change =
  | {
      readonly kind: 'write';
      readonly path: EnginePath;
      readonly expected: ListedEntry | null;
      readonly content: {
        readonly hash: string;
        readonly size: number;
        readonly mtime: number;
        readonly executable: boolean;
        /** Exact permission bits, for an undo; otherwise they follow from the old file. Only the local side honours it. */
        readonly mode?: number | null;
      };
      /** Changes of one group happen together or not at all; null stands alone. Only the local side honours it. */
      readonly group: string | null;
      /** For a copy: the file it was made from, about which both sides agree once the copy is there. Only the local side keeps it. */
      readonly about?: EnginePath | undefined;
    }
  | {
      readonly kind: 'remove';
      readonly path: EnginePath;
      readonly expected: ListedEntry;
      readonly group: string | null;
      readonly about?: EnginePath | undefined;
    };

/** The path about which both sides agree when the change is done: its own, but for a copy. */
export function agreedPath({ path, about }: { readonly path: EnginePath; readonly about?: EnginePath | undefined }): EnginePath {
  return about ?? path;
}

/** What became of one change. */
export type Applied =
  | { readonly path: EnginePath; readonly ok: true; readonly entry: ListedEntry | null }
  | {
      readonly path: EnginePath;
      readonly ok: false;
      readonly reason: string;
      /** The content that came was not the planned one: the file changed on the other side. Only a remote side says so. */
      readonly overtaken?: boolean;
    };

export interface ApplyRequest {
  readonly changes: readonly Change[];
  /** Contents of the `write` changes. May deliver fewer: what did not arrive is a failed change, the rest goes on. */
  readonly contents: AsyncIterable<IncomingFile>;
  /** What is about to be done is written down once this resolves; until then no change is made. Its failure is that of the apply. */
  readonly recorded?: Promise<void>;
  /** Permission bits of folders that have to be made, for an undo. Only the local side honours it. */
  readonly folderModes?: ReadonlyMap<EnginePath, number>;
  /**
   * Ends early only before its first change: for an undo or a decision, which the user takes for done or not done. Only the local
   * side honours it.
   */
  readonly goesOn?: boolean;
  /** Called as content arrives, with bytes of file content so far. */
  readonly onProgress?: (bytes: number) => void;
}

/**
 * One side of a connection: this computer, a remote shell, remote SFTP, memory.
 *
 * A run calls `list` once, then `hash`, `read` and `totals` in any order, then `apply` at most once, then `remember`; it may go
 * through this again, and ends with `close`. What `list` saw counts until it is called again.
 * Every method ends when `signal` aborts, with `run.cancelled`. A failure of the whole side is an `AppError`; a failure of one
 * path is a value. Nothing outside the Hermes home is ever written, and nothing is written before `apply`.
 */
export interface Endpoint {
  readonly side: 'local' | 'remote';

  /** Lists the roots. Content hashes are filled in where memory proves them or the side computed them anyway. */
  list(request: ListRequest, signal: AbortSignal): Promise<Listing>;

  /** Hashes content where it lies, by path; a path that cannot be read is left out. */
  hash(paths: readonly EnginePath[], signal: AbortSignal): Promise<ReadonlyMap<EnginePath, string>>;

  /**
   * Counts what lies in directories that the rules do not descend into. Reads no content. Comes after a `list` that was asked with
   * `counts`, and need not wait for its end.
   */
  totals(request: { readonly roots: readonly string[]; readonly rules: Rules }, signal: AbortSignal): Promise<TreeTotals>;

  /**
   * Streams contents, in the order asked. A file that is gone or unreadable is left out. The receiver checks lengths and hashes.
   * With a basis, the order is the side's own, and a file whose composed content turned out wrong comes once more, whole.
   */
  read(files: readonly WantedFile[], signal: AbortSignal, basis?: Basis): AsyncIterable<IncomingFile>;

  /**
   * Carries out changes. Content is complete and checked (length; hash on the local side) before a final name appears;
   * a target that is no longer `expected` is left alone and reported. Removals come after writes; a folder goes only
   * when a removal emptied it. No existing folder's mode or owner changes; nothing is written through a link below a root.
   * Returns one result for each change, in any order. When the side is lost midway it throws: every file is old or new.
   */
  apply(request: ApplyRequest, signal: AbortSignal): Promise<readonly Applied[]>;

  /** Writes the identity marker if none is there. Returns the marker that is there afterwards. */
  identify(proposed: string, signal: AbortSignal): Promise<string>;

  /**
   * Keeps what `list` saw plus what `apply` did as the state that the returned token names. Null: nothing was kept. It may still be
   * on its way to the disk; a token that names nothing there only makes the next `list` slower.
   */
  remember(signal: AbortSignal): Promise<string | null>;

  close(): Promise<void>;
}
