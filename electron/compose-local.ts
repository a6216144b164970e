import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openRunFolder, type RunFolderOptions } from './app/run-folders';
import { createLocalEndpoint } from './endpoints/local';
import type { Endpoint } from './engine/endpoint';
import { stagingFolder, undoFolder } from './engine/state-names';

export type LocalRun = Omit<RunFolderOptions, 'stagingDir' | 'undoDir' | 'now'>;

/** This computer's side of one run, and the folder of that run. Content is staged and kept on the volume of the roots. */
export async function openLocalEndpoint(run: LocalRun): Promise<{ readonly local: Endpoint; close(): Promise<void> }> {
  const { dataDir, runId, home, connection, undo } = run;
  const isNear = await sameVolume(dataDir, home, connection.roots);
  const runDir = join(dataDir, 'runs', runId);
  const stagingDir = isNear ? join(runDir, 'staged') : join(home, stagingFolder, runId);
  const undoDir = join(isNear ? join(dataDir, 'undo') : join(home, undoFolder), runId);
  const folder = openRunFolder({ ...run, stagingDir, undoDir, now: Date.now });
  const local = createLocalEndpoint({ home, stagingDir, undoDir, now: Date.now, record: folder.record });
  const close = async () => {
    await local.close();
    await folder.close();
    await undo.prune();
  };
  return { local, close };
}

/** Whether content staged in the data folder can be renamed into every root. */
async function sameVolume(dataDir: string, home: string, roots: readonly string[]): Promise<boolean> {
  const { dev } = await stat(dataDir);
  for (const folder of [home, ...roots.map((root) => join(home, root))]) {
    const found = await stat(folder).catch(() => null);
    if (found !== null && found.dev !== dev) return false;
  }
  return true;
}
