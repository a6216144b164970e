import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Connection } from '../shared/connection';
import type { AppEvent, Progress } from '../shared/contract';
import type { Inspection, SideName } from '../shared/inspection';
import { type ApplicationParts, createHandlers } from './app/application';
import { compareItem } from './app/compare-item';
import { createConnections } from './app/connections';
import { createDecisions } from './app/decisions';
import { createGrowthBook } from './app/growth';
import { openHistory } from './app/history';
import { openInbox } from './app/inbox';
import { inboxSink } from './app/inbox-sink';
import { createPrompts } from './app/prompts';
import { createPrunes } from './app/prune';
import { pruneRecords } from './app/prune-records';
import { recoverRuns } from './app/recovery';
import { createResolver } from './app/resolve';
import { type RunRecords, runRecords } from './app/run-records';
import { createRuns } from './app/runs';
import type { OpenSides, SidesRequest } from './app/sides';
import { createUndoer, type Declines } from './app/undo';
import { openUndoFolders, type UndoFolders } from './app/undo-folders';
import { versionSources } from './app/version-sources';
import { homeOf, openLocalEndpoint, openLocalSide, rulesFor } from './compose-local';
import { findProposals } from './compose-proposals';
import { openPruneSides } from './compose-prune';
import { createLocalEndpoint } from './endpoints/local';
import { createLocalDisk } from './endpoints/local-disk';
import { createLocalPaths } from './endpoints/local-files';
import { readIdentity } from './endpoints/local-identity';
import { createRemoteEndpoint } from './endpoints/remote';
import { checkConnection } from './endpoints/remote-checks';
import { undoFolder } from './engine/state-names';
import { unfinishedSyncBack } from './hermes/home';
import { lockHome } from './hermes/home-lock';
import { inspectSides } from './hygiene/inspect';
import { createEventHub, makeHost } from './ipc/gate';
import type { ComposedApp } from './ipc/host';
import { ownerSocketPath } from './ipc/socket-path';
import { startSocketServer } from './ipc/socket-server';
import { dataFolder, localHermesHome, makePrivateFolder } from './platform/app-paths';
import { type Connector, createConnector } from './ssh/connector';
import type { SshConnection } from './ssh/ssh-connection';
import { connectionStore } from './store/connections';
import { takeOwnerLock } from './store/owner-lock';
import { isUnderWay, sessionStore } from './store/sessions';
import { settingsStore } from './store/settings';
import { openStateFile } from './store/state-file';
import { storeFailure } from './store/store-errors';

/** The folders to work in; what is left out comes from the environment. */
export interface ComposeOptions {
  readonly dataDir?: string | undefined;
  readonly hermesHome?: string | undefined;
  /** Hears every event from the first on: what an interrupted run left is looked after before anybody else can listen. */
  readonly listen?: (event: AppEvent) => void;
}

/** Puts the application together over one data folder, which it owns until it is disposed of. The only place that sees every part. */
export async function compose(options: ComposeOptions = {}): Promise<ComposedApp> {
  const dataDir = dataFolder(options.dataDir);
  await makePrivateFolder(dataDir).catch((error: unknown) => {
    throw storeFailure('make', dataDir, error);
  });
  const lock = await takeOwnerLock(dataDir);
  try {
    const parts = await composeParts(dataDir, localHermesHome(options.hermesHome), options.listen);
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

async function composeParts(dataDir: string, localHome: string, listen: ComposeOptions['listen']): Promise<ApplicationParts> {
  const state = await openStateFile(join(dataDir, 'state.json'));
  const { clientId } = state.state;
  const inbox = await openInbox(join(dataDir, 'inbox'));
  const history = openHistory(join(dataDir, 'history.jsonl'));
  const growth = createGrowthBook({ state, history, inbox, now: Date.now });
  const events = createEventHub();
  if (listen !== undefined) events.listen(listen);
  const progress = (data: Progress) => events.emit({ event: 'progress', data });
  const records = runRecords(dataDir, Date.now);
  const prompts = createPrompts({ tell: (open) => events.emit({ event: 'prompts', data: { prompts: open } }) });
  const connect = createConnector(process.env, prompts.personFor);
  const decisions = createDecisions(state, Date.now);
  const connections = createConnections(connectionStore(state), { localHome: () => localHome });
  const sessions = sessionStore(state);
  const undo = openUndoFolders({ dataDir, now: Date.now });
  const declines: Declines = {
    declined: async (connection, versions) => {
      for (const { path, hash } of versions) await decisions.undo(connection, path, hash);
    },
    withdrawn: (connection, paths) => decisions.redo(connection, paths),
  };
  const interrupted = await recoverRuns({
    ...{ dataDir, records, declines, undo, history, now: Date.now },
    openDisk: (head) => createLocalDisk({ ...head, now: Date.now }),
    connection: (id) => connections.list().find((one) => one.id === id) ?? null,
    progress,
  });
  await undo.prune();
  const runs = createRuns({
    openSides: (request, signal) => openSides({ ...request, dataDir, clientId, records, undo, connect, signal }),
    records,
    growth,
    decided: (connection) => ({
      declined: decisions.declinedFor(connection),
      undone: decisions.undoneFor(connection),
      keepLocal: decisions.keepsLocal(connection),
    }),
    inbox: (connection, runId) => inboxSink(inbox, connection, join(dataDir, 'runs', runId, 'inbox'), Date.now),
    now: Date.now,
    progress,
  });
  return {
    connections,
    sessions,
    settings: settingsStore(state),
    prunes: createPrunes({
      ...{ runs, records: pruneRecords(dataDir), now: Date.now },
      inSession: (connection) => isUnderWay(sessions.get(connection)),
      open: async (request, signal) => {
        const { connection } = request;
        const rules = await rulesFor(connection);
        return openPruneSides({ ...request, dataDir, home: homeOf(connection), rules, connect, now: Date.now }, signal);
      },
    }),
    history,
    inbox,
    decisions,
    resolver: createResolver({
      ...{ inbox, decisions, growth, records, runs, connection: (id) => connections.find(id), now: Date.now },
      openLocal: (connection, runId, signal) => openLocalSide({ connection, runId, kind: 'resolve', dataDir, records, undo }, signal),
    }),
    undoer: createUndoer({
      ...{ undo, records, runs, declines },
      openLocal: (connection, runId, undoes, signal) =>
        openLocalSide({ connection, runId, kind: 'undo', undoes, dataDir, records, undo }, signal),
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
    notes: [...state.notes, ...inbox.notes, ...interrupted],
    prompts,
    proposals: (home) => findProposals(connections.list(), home ?? localHome),
    inspect: (connection, side) => inspectConnection(connection, side, connect),
    test: (connection, acceptHostKey) =>
      checkConnection({
        connect: (signal) => connect(connection, { signal, acceptHostKey }),
        remoteHome: connection.remoteHome,
        profile: connection.profile,
      }),
  };
}

interface OpenRequest extends SidesRequest {
  readonly dataDir: string;
  readonly clientId: string;
  readonly records: RunRecords;
  readonly undo: UndoFolders;
  readonly connect: Connector;
  readonly signal: AbortSignal;
}

async function openSides(request: OpenRequest): Promise<OpenSides> {
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

async function inspectConnection(connection: Connection, side: SideName | 'both', connect: Connector): Promise<Inspection> {
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
