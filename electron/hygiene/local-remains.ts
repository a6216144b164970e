import { join } from 'node:path';
import { type FoundLeftover, syncBackOwner } from './leftovers';
import type { TreeReader } from './tree-reader';

/** What killed sync-backs of Hermes left in the temporary folder, apart from those whose process still runs. */
export async function findRemains(reader: TreeReader, folder: string): Promise<readonly FoundLeftover[]> {
  const listed = await reader.list(folder);
  if (typeof listed === 'string') return [];
  const left: FoundLeftover[] = [];
  for (const entry of listed) {
    const owner = syncBackOwner(entry.name);
    if (owner === null || isRunning(owner)) continue;
    const path = join(folder, entry.name);
    left.push({ path, bytes: entry.kind === 'folder' ? await bytesBelow(reader, path) : entry.size, cause: 'sync-back' });
  }
  return left;
}

async function bytesBelow(reader: TreeReader, folder: string): Promise<number> {
  const listed = await reader.list(folder);
  if (typeof listed === 'string') return 0;
  let bytes = 0;
  for (const entry of listed) bytes += entry.kind === 'folder' ? await bytesBelow(reader, join(folder, entry.name)) : entry.size;
  return bytes;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process refuses the question, so it is there.
    return (error as { readonly code?: unknown }).code === 'EPERM';
  }
}
