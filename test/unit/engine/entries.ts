import type { AgreedEntry, EnginePath, FileEntry } from '../../../electron/engine/entry';
import type { DecidedPaths } from '../../../electron/engine/run';
import { createRules } from '../../../shared/rules';
import { sha256 } from '../../support/tree';

/** Rules of a disk that tells all names apart. */
export const plainRules = createRules({ platform: 'posix', folds: { case: false, unicode: false } });

/** Rules of a disk that takes names differing by case or Unicode form for one. */
export const foldingRules = createRules({ platform: 'posix', folds: { case: true, unicode: true } });

/** A file in scope with the given content. */
export function file(content: string, executable: boolean | null = false): FileEntry {
  return { size: Buffer.byteLength(content), mtime: 0, executable, hash: sha256(content), stamp: `stamp of ${content}` };
}

/** What both sides agreed on for a file with the given content. */
export function agreed(content: string, executable = false): AgreedEntry {
  const { hash, size } = file(content);
  return { hash, size, executable };
}

/** Files by path, from their contents. */
export function files(contents: Readonly<Record<EnginePath, string>>): ReadonlyMap<EnginePath, FileEntry> {
  return new Map(Object.entries(contents).map(([path, content]) => [path, file(content)]));
}

/** Agreed entries by path, from their contents. */
export function agreements(contents: Readonly<Record<EnginePath, string>>): ReadonlyMap<EnginePath, AgreedEntry> {
  return new Map(Object.entries(contents).map(([path, content]) => [path, agreed(content)]));
}

/** A user who never decided anything. */
export const noDecisions: DecidedPaths = { declined: new Map(), undone: new Map(), keepLocal: new Set() };
