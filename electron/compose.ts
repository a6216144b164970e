import { readdir, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Connection } from '../shared/connection';
import type { Inspection, SideName } from '../shared/inspection';
import { createRules, type Rules } from '../shared/rules';
import { type ApplicationParts, createHandlers } from './app/application';
import { compareItem } from './app/compare-item';
import { createConnections } from './app/connections';
import { createDecisions } from './app/decisions';
import { createGrowthBook } from './app/growth';
import { openHistory } from './app/history';
import { openInbox } from './app/inbox';
import { inboxSink } from './app/inbox-sink';
import { createResolver } from './app/resolve';
import { runRecords } from './app/run-records';
import { createRuns } from './app/runs';
import type { LocalSide, OpenSides, SidesRequest } from './app/sides';
import { compileUserRules } from './app/user-rules';
import { versionSources } from './app/version-sources';
import { createLocalEndpoint, detectFolds } from './endpoints/local';
import { createLocalPaths } from './endpoints/local-files';
import { readIdentity } from './endpoints/local-identity';
import { createRemoteEndpoint } from './endpoints/remote';
import { checkConnection } from './endpoints/remote-checks';
import { stagingFolder, undoFolder } from './engine/state-names';
import { unfinishedSyncBack } from './hermes/home';
import { lockHome } from './hermes/home-lock';
import { inspectSides } from './hygiene/inspect';
import { createEventHub, makeHost } from './ipc/gate';
import type { ComposedApp } from './ipc/host';
import { ownerSocketPath } from './ipc/socket-path';
import { startSocketServer } from './ipc/socket-server';
import { dataFolder, localHermesHome, makePrivateFolder } from './platform/app-paths';
import { connectSsh } from './ssh/client';
import { resolveTarget } from './ssh/config';
import type { SshConnection } from './ssh/ssh-connection';
import type { SshTarget } from './ssh/target';
import { connectionStore } from './store/connections';
import { takeOwnerLock } from './store/owner-lock';
import { sessionStore } from './store/sessions';
import { openStateFile } from './store/state-file';
import { storeFailure } from './store/store-errors';

/** The folders to work in; what is left out comes from the environment. */
export interface ComposeOptions {
  readonly dataDir?: string | undefined;
  readonly hermesHome?: string | undefined;
}

/** Milliseconds after which what a run replaced is no longer kept. */
const undoAgeMs = 14 * 24 * 3_600_000;

/** Puts the application together over one data folder, which it owns until it is disposed of. The only place that sees every part. */
export async function compose(options: ComposeOptions = {}): Promise<ComposedApp> {
  const dataDir = dataFolder(options.dataDir);
  await makePrivateFolder(dataDir).catch((error: unknown) => {
    throw storeFailure('make', dataDir, error);
  });
  const lock = await takeOwnerLock(dataDir);
  try {
    const parts = await composeParts(dataDir, localHermesHome(options.hermesHome));
    const host = makeHost(createHandlers(parts), parts.events);
    const socket = await startSocketServer(ownerSocketPath(dataDir), host);
    let disposed: Promise<void> | null = null;
    const dispose = async () => {
      await parts.runs.end();
      await socket.close();
      await lock.release();
    };
    return {
      ...host,
      dispose: () => {
        disposed ??= dispose();
        return disposed;
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function composeParts(dataDir: string, localHome: string): Promise<ApplicationParts> {
  const state = await openStateFile(join(dataDir, 'state.json'));
  const { clientId } = state.state;
  const inbox = await openInbox(join(dataDir, 'inbox'));
  const history = openHistory(join(dataDir, 'history.jsonl'));
  const growth = createGrowthBook({ state, history, inbox, now: Date.now });
  const events = createEventHub();
  const records = runRecords(dataDir, Date.now);
  const decisions = createDecisions(state, Date.now);
  const connections = createConnections(connectionStore(state), { localHome: () => localHome });
  const runs = createRuns({
    openSides: (request, signal) => openSides({ ...request, dataDir, clientId, signal }),
    records,
    growth,
    decided: (connection) => ({
      declined: decisions.declinedFor(connection),
      undone: new Map(),
      keepLocal: decisions.keepsLocal(connection),
    }),
    inbox: (connection, runId) => inboxSink(inbox, connection, join(dataDir, 'runs', runId, 'inbox'), Date.now),
    now: Date.now,
    progress: (data) => events.emit({ event: 'progress', data }),
  });
  return {
    connections,
    sessions: sessionStore(state),
    history,
    inbox,
    decisions,
    resolver: createResolver({
      ...{ inbox, decisions, records, runs, connection: (id) => connections.find(id), now: Date.now },
      openLocal: (connection, runId, signal) => openLocalSide({ connection, runId, dataDir, signal }),
    }),
    compare: (item) => {
      const home = homeOf(connections.find(item.connection));
      const undoDirs = [join(dataDir, 'undo'), join(home, undoFolder)];
      // Only read, so that neither folder is ever used.
      const local = createLocalEndpoint({ home, stagingDir: dataDir, undoDir: dataDir, now: Date.now });
      return compareItem(item, versionSources({ local, inbox, records, undoDirs }));
    },
    records,
    runs,
    events,
    now: Date.now,
    notes: [...state.notes, ...inbox.notes],
    inspect: inspectConnection,
    test: (connection, acceptHostKey) =>
      checkConnection({
        connect: async (signal) => {
          const target = await resolveTarget(connection, process.env);
          return connectSsh(target, { signal, acceptHostKey: acceptHostKey ?? connection.acceptedHostKey });
        },
        remoteHome: connection.remoteHome,
        profile: connection.profile,
      }),
  };
}

interface OpenRequest extends SidesRequest {
  readonly dataDir: string;
  readonly clientId: string;
  readonly signal: AbortSignal;
}

async function openSides(request: OpenRequest): Promise<OpenSides> {
  const { connection, signal } = request;
  const home = homeOf(connection);
  const locks = request.dryRun ? null : await lockHome(home, request.writesLocal, signal);
  try {
    const target = await resolveTarget(connection, process.env);
    const ssh = await connectSsh(target, { signal, acceptHostKey: connection.acceptedHostKey });
    try {
      return await openEndpoints(request, { home, target, ssh, release: async () => locks?.release() });
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
  readonly target: SshTarget;
  readonly ssh: SshConnection;
  release(): Promise<void>;
}

async function openEndpoints(request: OpenRequest, { home, target, ssh, release }: Opened): Promise<OpenSides> {
  const { connection, clientId } = request;
  const { remoteHome, profile } = connection;
  const remote = createRemoteEndpoint({ connection: ssh, remoteHome, profile, clientId, now: Date.now });
  const { local, close } = await openLocalEndpoint(request, home);
  return {
    local,
    remote,
    rules: await rulesFor(connection),
    hostKey: ssh.hostKey,
    address: { user: target.user, host: target.host, port: target.port },
    localMarker: () => readIdentity(createLocalPaths(home)),
    hermesUnfinished: await unfinishedSyncBack(home),
    wire: () => ssh.wire(),
    close: async () => {
      await remote.close();
      await ssh.close();
      await close();
      await release();
    },
  };
}

async function openLocalEndpoint({ connection, runId, dataDir }: Pick<OpenRequest, 'connection' | 'runId' | 'dataDir'>, home: string) {
  const runDir = join(dataDir, 'runs', runId);
  const nearby = (await sameVolume(dataDir, home, connection.roots)) ? null : home;
  const stagingDir = nearby === null ? join(runDir, 'staged') : join(nearby, stagingFolder, runId);
  const undoDir = nearby === null ? join(dataDir, 'undo') : join(nearby, undoFolder);
  const local = createLocalEndpoint({ home, stagingDir, undoDir: join(undoDir, runId), now: Date.now });
  const close = async () => {
    await local.close();
    await rm(runDir, { recursive: true, force: true });
    await rm(stagingDir, { recursive: true, force: true });
    await forgetOld(undoDir);
  };
  return { local, close };
}

async function openLocalSide(request: Pick<OpenRequest, 'connection' | 'runId' | 'dataDir' | 'signal'>): Promise<LocalSide> {
  const home = homeOf(request.connection);
  const lock = await lockHome(home, true, request.signal);
  try {
    const { local, close } = await openLocalEndpoint(request, home);
    return { local, rules: await rulesFor(request.connection), close: () => close().finally(() => lock.release()) };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** The Hermes home a connection works in on this computer: the profile's, when it has one. */
function homeOf({ localHome, profile }: Connection): string {
  return profile === null ? localHome : join(localHome, 'profiles', profile);
}

async function rulesFor(connection: Connection): Promise<Rules> {
  const folds = await detectFolds(homeOf(connection));
  return createRules({
    platform: process.platform === 'win32' ? 'win32' : 'posix',
    folds,
    userRules: compileUserRules(connection.userRules, folds.case),
    lifted: connection.lifted,
  });
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

/** Drops what runs replaced longer ago than it is promised to be kept. */
async function forgetOld(undoDir: string): Promise<void> {
  for (const name of await readdir(undoDir).catch(() => [])) {
    const folder = join(undoDir, name);
    const found = await stat(folder).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > undoAgeMs) await rm(folder, { recursive: true, force: true });
  }
}

async function inspectConnection(connection: Connection, side: SideName | 'both'): Promise<Inspection> {
  const signal = new AbortController().signal;
  const { localHome: home, profile, remoteHome } = connection;
  const rules = await rulesFor(connection);
  const local = side === 'remote' ? null : { home, profile, rules, path: process.env.PATH, userHome: homedir() };
  if (side === 'local') return inspectSides({ local, remote: null }, signal);
  const ssh = await connectSsh(await resolveTarget(connection, process.env), { signal, acceptHostKey: connection.acceptedHostKey });
  try {
    return await inspectSides({ local, remote: { connection: ssh, remoteHome, profile, rules } }, signal);
  } finally {
    await ssh.close();
  }
}
