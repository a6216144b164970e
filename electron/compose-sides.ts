import { homedir } from 'node:os';
import type { Connection } from '../shared/connection';
import type { Inspection, SideName } from '../shared/inspection';
import type { RunRecords } from './app/run-records';
import type { OpenSides, SidesRequest } from './app/sides';
import type { UndoFolders } from './app/undo-folders';
import { homeOf, openLocalEndpoint, rulesFor } from './compose-local';
import { createLocalPaths } from './endpoints/local-files';
import { readIdentity } from './endpoints/local-identity';
import { createRemoteEndpoint } from './endpoints/remote';
import { unfinishedSyncBack } from './hermes/home';
import { lockHome } from './hermes/home-lock';
import { inspectSides } from './hygiene/inspect';
import type { Connector } from './ssh/connector';
import type { SshConnection } from './ssh/ssh-connection';

interface OpenRequest extends SidesRequest {
  readonly dataDir: string;
  readonly clientId: string;
  readonly records: RunRecords;
  readonly undo: UndoFolders;
  readonly connect: Connector;
  readonly signal: AbortSignal;
}

/** Opens both sides for a run: locks first, then the link. */
export async function openSides(request: OpenRequest): Promise<OpenSides> {
  const { connection, signal } = request;
  const home = homeOf(connection);
  const locks = request.dryRun ? null : await lockHome(home, request.writesLocal, signal);
  try {
    const ssh = await request.connect(connection, { signal });
    try {
      return await openEndpoints(request, { home, ssh, release: async () => locks?.release() });
    } catch (error) {
      await ssh.close();
      throw error;
    }
  } catch (error) {
    await locks?.release();
    throw error;
  }
}

interface Opened {
  readonly home: string;
  readonly ssh: SshConnection;
  release(): Promise<void>;
}

async function openEndpoints(request: OpenRequest, { home, ssh, release }: Opened): Promise<OpenSides> {
  const { connection, clientId } = request;
  const { remoteHome, profile } = connection;
  const remote = createRemoteEndpoint({ connection: ssh, remoteHome, profile, clientId, now: Date.now });
  const { local, close } = await openLocalEndpoint({ ...request, home, kind: 'sync-back' });
  return {
    local,
    remote,
    rules: await rulesFor(connection),
    hostKey: ssh.hostKey,
    address: { user: ssh.target.user, host: ssh.target.host, port: ssh.target.port },
    localMarker: () => readIdentity(createLocalPaths(home)),
    hermesUnfinished: await unfinishedSyncBack(home),
    wire: () => ssh.wire(),
    close: async () => {
      await remote.close();
      await ssh.close();
      await close().finally(release);
    },
  };
}

/** Looks at one side or both; nothing is written. */
export async function inspectConnection(connection: Connection, side: SideName | 'both', connect: Connector): Promise<Inspection> {
  const signal = new AbortController().signal;
  const { localHome: home, profile, remoteHome } = connection;
  const rules = await rulesFor(connection);
  const now = Date.now();
  const local = side === 'remote' ? null : { home, profile, rules, path: process.env.PATH, userHome: homedir(), now };
  if (side === 'local') return inspectSides({ local, remote: null }, signal);
  const ssh = await connect(connection, { signal });
  try {
    return await inspectSides({ local, remote: { connection: ssh, remoteHome, profile, rules, now } }, signal);
  } finally {
    await ssh.close();
  }
}
