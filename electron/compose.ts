import { join } from 'node:path';
import type { Connection } from '../shared/connection';
import type { AppEvent, Progress } from '../shared/contract';
import { openAgreedTexts } from './app/agreed-texts';
import { type ApplicationParts, createHandlers } from './app/application';
import { compareItem } from './app/compare-item';
import { createConnections } from './app/connections';
import { createDecisions } from './app/decisions';
import { createGrowthBook } from './app/growth';
import { openHistory } from './app/history';
import { openInbox } from './app/inbox';
import { inboxSink } from './app/inbox-sink';
import { liveLinks } from './app/live-links';
import { createPrompts } from './app/prompts';
import { createPrunes } from './app/prune';
import { pruneRecords } from './app/prune-records';
import { recoverPrunes } from './app/prune-recovery';
import { recoverRuns } from './app/recovery';
import { createResolver } from './app/resolve';
import { runRecords } from './app/run-records';
import { createRuns } from './app/runs';
import { createUndoer, type Declines } from './app/undo';
import { openUndoFolders } from './app/undo-folders';
import { versionSources } from './app/version-sources';
import { usualPace, type WatchPace } from './app/watcher';
import { composeGuard } from './compose-guard';
import { homeOf, openLocalSide, rulesFor } from './compose-local';
import { findProposals } from './compose-proposals';
import type { Living } from './compose-watch';
import { createLocalEndpoint } from './endpoints/local';
import { createLocalDisk } from './endpoints/local-disk';
import { undoFolder } from './engine/state-names';
import { createEventHub, makeHost } from './ipc/gate';
import type { ComposedApp } from './ipc/host';
import { ownerSocketPath } from './ipc/socket-path';
import { startSocketServer } from './ipc/socket-server';
import { dataFolder, localHermesHome, makePrivateFolder } from './platform/app-paths';
import { watchForWake } from './platform/wake';
import { createConnector, type LinkPace } from './ssh/connector';
import { connectionStore } from './store/connections';
import { failedTests } from './store/failed-tests';
import { takeOwnerLock } from './store/owner-lock';
import { type OsCipher, openSecrets } from './store/secrets';
import { isUnderWay, sessionStore } from './store/sessions';
import { settingsStore } from './store/settings';
import { openStateFile } from './store/state-file';
import { storeFailure } from './store/store-errors';

/** The folders to work in; what is left out comes from the environment. */
export interface ComposeOptions {
  /** The process stays: it keeps the links of open sessions, and ends what could not end while the remote was away. */
  readonly lasting?: boolean | undefined;
  /** Times of links and attempts; what is left out has its usual value. */
  readonly pace?: Partial<WatchPace & LinkPace> | undefined;
  /** Encrypts what a person wants remembered; left out, nothing can be. */
  readonly cipher?: OsCipher | undefined;
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
    const links = liveLinks();
    const living: Living = { links, pace: { ...usualPace, ...options.pace }, watch: null, prepared: new WeakMap() };
    const parts = await composeParts(dataDir, localHermesHome(options.hermesHome), living, options);
    const handlers = createHandlers(parts);
    const resumed = () => {
      links.verify(living.pace.proofMs);
      living.watch?.resumed();
    };
    const host = makeHost(handlers, parts.events);
    const socket = await startSocketServer(ownerSocketPath(dataDir), host);
    if (options.lasting === true) living.watch = (await import('./compose-watch')).startWatch(parts, handlers, living, parts.clientId);
    const stopWaking = options.lasting === true ? watchForWake({ onWake: resumed }) : null;
    let disposed: Promise<void> | null = null;
    const dispose = async () => {
      stopWaking?.();
      // A run may use the link of its session.
      await parts.runs.end();
      await parts.guard.stop();
      await living.watch?.stop();
      await socket.close();
      await lock.release();
    };
    return {
      ...host,
      resumed,
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

async function composeParts(
  dataDir: string,
  localHome: string,
  living: Living,
  { cipher, listen }: ComposeOptions,
): Promise<ApplicationParts & { readonly clientId: string }> {
  const state = await openStateFile(join(dataDir, 'state.json'));
  const { clientId } = state.state;
  const inbox = await openInbox(join(dataDir, 'inbox'));
  const history = openHistory(join(dataDir, 'history.jsonl'));
  const growth = createGrowthBook({ state, history, inbox, now: Date.now });
  const events = createEventHub();
  if (listen !== undefined) events.listen(listen);
  const progress = (data: Progress) => events.emit({ event: 'progress', data });
  const records = runRecords(dataDir, Date.now);
  const texts = openAgreedTexts(dataDir);
  const secrets = await openSecrets(join(dataDir, 'secrets.json'), cipher ?? null);
  const prompts = createPrompts({
    tell: (open) => events.emit({ event: 'prompts', data: { prompts: open } }),
    canRemember: () => secrets.canRemember(),
  });
  const { personFor } = prompts;
  const rememberedFor = ({ id }: Connection) => secrets.of(id);
  const connect = living.links.track(createConnector(process.env, { personFor, rememberedFor, pace: living.pace }));
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
  const pruned = pruneRecords(dataDir);
  const prunesCutOff = await recoverPrunes({
    ...{ records: pruned, history, now: Date.now },
    kept: async (home, store, run) => {
      const { createLocalPruneSide } = await import('./hygiene/prune-local');
      return createLocalPruneSide({ home, store, now: Date.now }).kept(run, new AbortController().signal);
    },
    connection: (id) => connections.list().find((one) => one.id === id) ?? null,
  });
  await undo.prune();
  const runs = createRuns({
    // What only a run needs is loaded with the first: a command that looks at the state must be quick.
    openSides: async (request, signal) => {
      const { openSides } = await import('./compose-sides');
      return openSides({ ...request, dataDir, clientId, records, undo, connect, living, signal });
    },
    records,
    growth,
    texts,
    decided: (connection) => ({
      declined: decisions.declinedFor(connection),
      undone: decisions.undoneFor(connection),
      keepLocal: decisions.keepsLocal(connection),
    }),
    inbox: (connection, runId) => inboxSink(inbox, connection, join(dataDir, 'runs', runId, 'inbox'), Date.now),
    now: Date.now,
    progress,
  });
  const settings = settingsStore(state);
  return {
    clientId,
    connections,
    sessions,
    settings,
    guard: composeGuard({
      dataDir,
      state,
      history,
      growth,
      runs,
      events,
      connections: () => connections.list(),
      isOn: () => settings.read().guard && !settings.read().paused,
    }),
    prunes: createPrunes({
      ...{ runs, records: pruned, now: Date.now },
      inSession: (connection) => isUnderWay(sessions.get(connection)),
      open: async (request, signal) => {
        const { connection } = request;
        const rules = await rulesFor(connection);
        const { openPruneSides } = await import('./compose-prune');
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
      return compareItem(item, versionSources({ local, inbox, records, texts, undoDirs }));
    },
    records,
    texts,
    runs,
    events,
    now: Date.now,
    notes: [...state.notes, ...inbox.notes, ...interrupted, ...prunesCutOff],
    prompts,
    secrets,
    failedTests: failedTests(state),
    proposals: (home) => findProposals(connections.list(), home ?? localHome),
    inspect: async (connection, side) => (await import('./compose-sides')).inspectConnection(connection, side, connect),
    linkOf: (connection) => living.watch?.linkOf(connection) ?? null,
    tryNow: (connection) => living.watch?.tryNow(connection),
    test: async (connection, acceptHostKey) => {
      const { remoteHome, profile, roots } = connection;
      const { checkConnection } = await import('./endpoints/remote-checks');
      const link = (signal: AbortSignal) => connect(connection, { signal, acceptHostKey });
      const tested = await checkConnection({ connect: link, remoteHome, profile, roots, now: Date.now });
      if (tested.ok) living.watch?.retry(connection.id);
      return tested;
    },
  };
}
