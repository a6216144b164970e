import { detectGrowth, type GrowthInput, type GrowthVerdict } from '../../../electron/engine/growth';
import type { PlannedFile } from '../../../electron/engine/growth-tree';

export const MB = 1_000_000;

/** A file that would come home; new unless it had a length before. */
export function planned(path: string, bytes: number, before: number | null = null, mtime = 0): PlannedFile {
  return { path, bytes, before, mtime };
}

/** Files of one folder, all alike. */
export function many(folder: string, count: number, bytes: number, before: number | null = null): readonly PlannedFile[] {
  return Array.from({ length: count }, (_, index) => planned(`${folder}/f${String(index).padStart(5, '0')}`, bytes, before));
}

const knownFolders = new Set(['skills', 'skills/web', 'skills/web/scripts', 'skills/notes']);

/** The verdict on a plan for a connection with two skills and no past, unless told otherwise. */
export function detect(files: readonly PlannedFile[], changes: Partial<GrowthInput> = {}): GrowthVerdict {
  return detectGrowth({
    ...{ roots: ['skills'], planned: files, knownFolders, skills: new Set(['skills/web', 'skills/notes']) },
    ...{ usual: [], expected: [], released: [], declined: [], held: [] },
    ...changes,
  });
}

/** Paths of what is held, in the order in which it was found. */
export const heldPaths = (verdict: GrowthVerdict) => verdict.held.map(({ path }) => path);
