import { pathPhrases } from '../../shared/phrases/paths';
import type { IncomingFile } from '../engine/endpoint';
import type { EnginePath, ListedEntry } from '../engine/entry';

/** Why a change was not carried out where the remote's file is no longer the listed one. */
export const changedMeanwhile = pathPhrases['changed-there-meanwhile'];

/** Paths at which two listings of the same side differ. */
export function changedBetween(
  before: ReadonlyMap<EnginePath, ListedEntry>,
  after: ReadonlyMap<EnginePath, ListedEntry>,
): ReadonlySet<EnginePath> {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return new Set([...paths].filter((path) => !isSame(before.get(path), after.get(path))));
}

function isSame(a: ListedEntry | undefined, b: ListedEntry | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.kind === b.kind && a.size === b.size && a.mtime === b.mtime && a.executable === b.executable;
}

/** The files but those at `left`, whose contents are read past. */
export async function* without(files: AsyncIterable<IncomingFile>, left: ReadonlySet<EnginePath>): AsyncGenerator<IncomingFile> {
  for await (const file of files) {
    if (!left.has(file.path)) yield file;
    else for await (const _ of file.body);
  }
}
