import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isAppError } from '../shared/errors';
import type { Rules } from '../shared/rules';
import type { PruneSides, PruneSidesRequest } from './app/prune-sides';
import { prunedFolder } from './engine/state-names';
import { syncLockName } from './hermes/home';
import { lockHome } from './hermes/home-lock';
import { type SyncLock, takeSyncLock } from './hermes/sync-lock';
import { inspectSides } from './hygiene/inspect';
import { createLocalPruneSide } from './hygiene/prune-local';
import { createRemotePruneSide } from './hygiene/prune-remote';
import type { Connector } from './ssh/connector';
import type { SshConnection } from './ssh/ssh-connection';

/** Milliseconds for which Hermes's lock is waited for: it is held for moments, or for a whole sync-back. */
const patienceMs = 1000;

export interface PruneSurroundings extends PruneSidesRequest {
  readonly dataDir: string;
  /** Hermes home on this computer, the profile's when there is one. */
  readonly home: string;
  readonly rules: Rules;
  readonly connect: Connector;
  readonly now: () => number;
}

/** Opens both sides for a prune or clean; the remote is contacted only when it takes part. */
export async function openPruneSides(request: PruneSurroundings, signal: AbortSignal): Promise<PruneSides> {
  const locks = await takeLocks(request, signal);
  try {
    const ssh = request.remote ? await request.connect(request.connection, { signal }) : null;
    try {
      return await makeSides(request, { ssh, locks }, signal);
    } catch (error) {
      await ssh?.close();
      throw error;
    }
  } catch (error) {
    await locks.release();
    throw error;
  }
}

interface Locks {
  /** Hermes has its own lock, so this computer is not to be written. */
  readonly heldByHermes: boolean;
  release(): Promise<void>;
}

/** Our lock where something will be moved, and Hermes's. Where nothing will be, Hermes's is only tried and let go of. */
async function takeLocks({ home, writes }: PruneSurroundings, signal: AbortSignal): Promise<Locks> {
  const ours = writes ? await lockHome(home, false, signal) : null;
  try {
    const hermes = await tryHermes(home, signal);
    if (!writes && hermes !== 'held') await hermes?.release();
    return {
      heldByHermes: hermes === 'held',
      release: async () => {
        if (writes && hermes !== 'held') await hermes?.release();
        await ours?.release();
      },
    };
  } catch (error) {
    await ours?.release();
    throw error;
  }
}

async function tryHermes(home: string, signal: AbortSignal): Promise<SyncLock | 'held' | null> {
  try {
    return await takeSyncLock(home, signal, { patienceMs });
  } catch (error) {
    if (!isAppError(error, 'run.busy')) throw error;
    return 'held';
  }
}

async function makeSides(
  { connection, dataDir, home, rules, now }: PruneSurroundings,
  { ssh, locks }: { readonly ssh: SshConnection | null; readonly locks: Locks },
  signal: AbortSignal,
): Promise<PruneSides> {
  const { localHome, remoteHome, profile } = connection;
  const store = await storeFor(dataDir, home);
  const remotes = new Map<string, ReturnType<typeof createRemotePruneSide>>();
  const remoteAt = (link: SshConnection, at: string) => {
    const known = remotes.get(at) ?? createRemotePruneSide(link, at, now);
    remotes.set(at, known);
    return known;
  };
  return {
    store,
    localAt: (at, folder) => createLocalPruneSide({ home: at, store: folder, now }),
    remote:
      ssh === null
        ? null
        : {
            reached: {
              address: { user: ssh.target.user, host: ssh.target.host, port: ssh.target.port },
              hostKey: ssh.hostKey,
              wire: () => ssh.wire(),
            },
            at: (at) => remoteAt(ssh, at),
          },
    hermesHolds: locks.heldByHermes ? syncLockName : null,
    inspect: (check) => {
      const local = { home: localHome, profile, rules, path: process.env.PATH, userHome: homedir(), now: now() };
      const remote = ssh === null ? null : { connection: ssh, remoteHome, profile, rules, check, now: now() };
      return inspectSides({ local, remote }, signal);
    },
    close: async () => {
      for (const side of remotes.values()) await side.close();
      await ssh?.close();
      await locks.release();
    },
  };
}

/** Where this computer keeps what goes: the data folder, or the home when only that lies on the volume of the restore points. */
async function storeFor(dataDir: string, home: string): Promise<string> {
  const volume = async (folder: string): Promise<number | null> => (await stat(folder).catch(() => null))?.dev ?? null;
  const [skills, data, own] = [await volume(join(home, 'skills')), await volume(dataDir), await volume(home)];
  return skills !== null && skills !== data && skills === own ? join(home, prunedFolder) : join(dataDir, 'pruned');
}
