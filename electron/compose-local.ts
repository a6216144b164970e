import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection } from '../shared/connection';
import type { RuleParity } from '../shared/inspection';
import { createRules, type Rules } from '../shared/rules';
import { openRunFolder, type RunFolderOptions } from './app/run-folders';
import type { LocalSide } from './app/sides';
import { compileUserRules } from './app/user-rules';
import { createLocalEndpoint, detectFolds } from './endpoints/local';
import type { Endpoint } from './engine/endpoint';
import { stagingFolder, undoFolder } from './engine/state-names';
import { lockHome } from './hermes/home-lock';
import { readParity } from './hermes/parity';

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

/** This computer's side alone, for a run that does not contact the remote; nobody else works in the home meanwhile. */
export async function openLocalSide(request: Omit<LocalRun, 'home'>, signal: AbortSignal): Promise<LocalSide> {
  const home = homeOf(request.connection);
  const lock = await lockHome(home, true, signal);
  try {
    const { local, close } = await openLocalEndpoint({ ...request, home });
    return { local, rules: await rulesFor(request.connection), close: () => close().finally(() => lock.release()) };
  } catch (error) {
    await lock.release();
    throw error;
  }
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

/** The Hermes home a connection works in on this computer: the profile's, when it has one. */
export function homeOf({ localHome, profile }: Connection): string {
  return profile === null ? localHome : join(localHome, 'profiles', profile);
}

/** Our excluded names beside those of the Hermes that is installed here. */
export function parityOf({ localHome }: Connection): Promise<RuleParity> {
  return readParity({ home: localHome, path: process.env.PATH ?? '' });
}

/** What is in scope for a connection on this computer's disk. */
export async function rulesFor(connection: Connection): Promise<Rules> {
  const folds = await detectFolds(homeOf(connection));
  const { added } = await parityOf(connection);
  return createRules({
    platform: process.platform === 'win32' ? 'win32' : 'posix',
    folds,
    hermesNames: added,
    userRules: compileUserRules(connection.userRules, folds.case),
    lifted: connection.lifted,
  });
}
