import { homedir } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import type { Connection } from '../shared/connection';
import type { Inspection, RuleParity, SideName } from '../shared/inspection';
import type { RunRecords } from './app/run-records';
import type { OpenSides, SidesRequest } from './app/sides';
import type { UndoFolders } from './app/undo-folders';
import { homeOf, openLocalEndpoint, parityOf, rulesFor } from './compose-local';
import type { Living } from './compose-watch';
import { createLocalPaths } from './endpoints/local-files';
import { readIdentity } from './endpoints/local-identity';
import { createRemoteEndpoint } from './endpoints/remote';
import { clientName } from './engine/state-names';
import { unfinishedSyncBack } from './hermes/home';
import { lockHome } from './hermes/home-lock';
import { inspectSides } from './hygiene/inspect';
import { resolveTarget } from './ssh/config';
import type { Connector } from './ssh/connector';
import type { SshConnection, WireBytes } from './ssh/ssh-connection';

interface OpenRequest extends SidesRequest {
  readonly dataDir: string;
  readonly clientId: string;
  readonly records: RunRecords;
  readonly undo: UndoFolders;
  readonly connect: Connector;
  readonly living: Living;
  readonly signal: AbortSignal;
}

/** Opens both sides for a run: locks first, then the link. */
export async function openSides(request: OpenRequest): Promise<OpenSides> {
  const { connection, signal } = request;
  const home = homeOf(connection);
  const locks = request.dryRun ? null : await lockHome(home, request.writesLocal, signal);
  try {
    const borrowed = request.dryRun ? null : await borrow(connection, request.living);
    const ssh = borrowed ?? (await request.connect(connection, { signal }));
    // Whoever keeps a session's link closes it. Nobody has to wait until a link is closed.
    const leave = () => void (borrowed ?? ssh.close());
    try {
      return await openEndpoints(request, { home, ssh, isBorrowed: borrowed !== null, release: async () => locks?.release(), leave });
    } catch (error) {
      leave();
      throw error;
    }
  } catch (error) {
    await locks?.release();
    throw error;
  }
}

/** The link of the connection's session, if it leads where a new one would. */
async function borrow(connection: Connection, { watch }: Living): Promise<SshConnection | null> {
  const link = watch?.borrow(connection.id) ?? null;
  if (link === null) return null;
  const target = await resolveTarget(connection, process.env);
  return isDeepStrictEqual(link.target, target) && link.failure() === null ? link : null;
}

interface Opened {
  readonly home: string;
  readonly ssh: SshConnection;
  readonly isBorrowed: boolean;
  release(): Promise<void>;
  leave(): void;
}

async function openEndpoints(request: OpenRequest, { home, ssh, isBorrowed, release, leave }: Opened): Promise<OpenSides> {
  const { connection } = request;
  const { remoteHome, profile } = connection;
  const clientId = clientName(request.clientId, connection.id);
  const before = ssh.wire();
  const prepared = (await request.living.prepared.get(ssh)) ?? null;
  const remote = createRemoteEndpoint({ connection: ssh, remoteHome, profile, clientId, now: Date.now, prepared });
  const { local, close } = await openLocalEndpoint({ ...request, home, kind: 'sync-back' });
  return {
    local,
    remote,
    rules: await rulesFor(connection),
    hostKey: ssh.hostKey,
    address: { user: ssh.target.user, host: ssh.target.host, port: ssh.target.port },
    localMarker: () => readIdentity(createLocalPaths(home)),
    hermesUnfinished: await unfinishedSyncBack(home),
    // What a borrowed link carried before is no part of this run.
    wire: () => (isBorrowed ? since(before, ssh.wire()) : ssh.wire()),
    close: async () => {
      const left = remote
        .close()
        .catch(() => undefined)
        .finally(leave);
      await close()
        .finally(() => left)
        .finally(release);
    },
  };
}

function since(before: WireBytes, now: WireBytes): WireBytes {
  return { sent: now.sent - before.sent, received: now.received - before.received, handshake: 0 };
}

/** Looks at one side or both, and at the rules of the Hermes that is installed here; nothing is written. */
export async function inspectConnection(
  connection: Connection,
  side: SideName | 'both',
  connect: Connector,
): Promise<Inspection & { readonly parity: RuleParity }> {
  return { ...(await inspectBoth(connection, side, connect)), parity: await parityOf(connection) };
}

async function inspectBoth(connection: Connection, side: SideName | 'both', connect: Connector): Promise<Inspection> {
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
