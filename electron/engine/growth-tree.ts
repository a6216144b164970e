import type { Tally } from '../../shared/run-report';
import type { EnginePath } from './entry';

/** A file that would be downloaded. */
export interface PlannedFile {
  readonly path: EnginePath;
  readonly bytes: number;
  /** Length both sides agreed on before; null for a new file. */
  readonly before: number | null;
  readonly mtime: number;
}

/** The folder a path lies in; empty at the top. */
export function parentOf(path: EnginePath): EnginePath {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

const none: Tally = { files: 0, bytes: 0 };

/** Files with the amounts of all folders around them; the empty path is everything. */
export class GrowthTree {
  private readonly byPath = new Map<EnginePath, PlannedFile>();
  private readonly amounts = new Map<EnginePath, Tally>();
  private readonly children = new Map<EnginePath, Set<EnginePath>>();

  constructor(files: readonly PlannedFile[]) {
    for (const file of files) {
      this.byPath.set(file.path, file);
      this.count(file, 1);
    }
  }

  files(): readonly PlannedFile[] {
    return [...this.byPath.values()];
  }

  amountOf(path: EnginePath): Tally {
    return this.amounts.get(path) ?? none;
  }

  /** The file of that path, or the files below the folder. */
  within(path: EnginePath): readonly PlannedFile[] {
    const file = this.byPath.get(path);
    if (file !== undefined) return [file];
    const found: PlannedFile[] = [];
    const visit = (at: EnginePath): void => {
      for (const child of this.children.get(at) ?? []) {
        const below = this.byPath.get(child);
        if (below === undefined) visit(child);
        else found.push(below);
      }
    };
    visit(path);
    return found;
  }

  /** What holds most directly in a folder; null when there is nothing. */
  largestIn(folder: EnginePath, measure: 'bytes' | 'files'): EnginePath | null {
    let largest: EnginePath | null = null;
    for (const child of this.children.get(folder) ?? []) {
      if (largest === null || this.amountOf(child)[measure] > this.amountOf(largest)[measure]) largest = child;
    }
    return largest;
  }

  /** Takes files out of the tree. */
  take(files: readonly PlannedFile[]): readonly PlannedFile[] {
    for (const file of files) {
      this.byPath.delete(file.path);
      this.count(file, -1);
    }
    return files;
  }

  private count({ path, bytes }: PlannedFile, sign: 1 | -1): void {
    for (let at = path; ; at = parentOf(at)) {
      const amount = this.amountOf(at);
      const now = { files: amount.files + sign, bytes: amount.bytes + sign * bytes };
      if (now.files > 0) this.amounts.set(at, now);
      else this.amounts.delete(at);
      if (at === '') return;
      const siblings = this.children.get(parentOf(at)) ?? new Set();
      if (now.files > 0) siblings.add(at);
      else siblings.delete(at);
      this.children.set(parentOf(at), siblings);
    }
  }
}
