import { mkdir, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { createDecisions, type Decisions } from '../../electron/app/decisions';
import { createGrowthBook } from '../../electron/app/growth';
import { openHistory } from '../../electron/app/history';
import { type Inbox, openInbox } from '../../electron/app/inbox';
import { inboxSink } from '../../electron/app/inbox-sink';
import { recoverRuns } from '../../electron/app/recovery';
import { createResolver, type Resolver } from '../../electron/app/resolve';
import { openRunFolder } from '../../electron/app/run-folders';
import { type RunRecords, runRecords } from '../../electron/app/run-records';
import { createRuns, type Runs } from '../../electron/app/runs';
import { createUndoer, type Declines, type Undoer, type Undone } from '../../electron/app/undo';
import { openUndoFolders, type UndoFolders } from '../../electron/app/undo-folders';
import { compileUserRules } from '../../electron/app/user-rules';
import { createLocalEndpoint } from '../../electron/endpoints/local';
import { createLocalDisk } from '../../electron/endpoints/local-disk';
import type { Endpoint } from '../../electron/engine/endpoint';
import { connectionStore } from '../../electron/store/connections';
import { openStateFile, type StateFile } from '../../electron/store/state-file';
import type { Connection, NewSkillsPolicy } from '../../shared/connection';
import { createRules, type Rules } from '../../shared/rules';
import type { RunKind } from '../../shared/run-report';
import { type Cut, cuttable } from './cuttable';
import { createFaultyDisk, type Fault } from './faulty-disk';
import { createMemoryEndpoint } from './memory-endpoint';
import { createMemoryHome, type MemoryHome } from './memory-home';
import { Mortal, mortalDisk, mortalParts } from './mortal';
import { folderHome, makeTempFolder, removeTempFolder, type TestHome } from './tree';

/** What stays the same through one history of a model. */
export interface ModelOptions {
  readonly newSkills: NewSkillsPolicy;
  /** False for a remote without execute bits. */
  readonly executableBits: boolean;
}

/** What happens around the next run. */
export interface Weather {
  /** One call of the local disk fails, and the process lives. */
  fault: Fault | null;
  /** The link breaks. */
  cut: Cut | null;
  /** Called once, when both sides are being listed. */
  meanwhile: (() => Promise<void>) | null;
}

/** The application's parts over real files here and a remote in memory, in one process that may be killed. */
export interface ModelApp {
  readonly mortal: Mortal;
  readonly runs: Runs;
  readonly inbox: Inbox;
  readonly decisions: Decisions;
  readonly resolver: Resolver;
  readonly undoer: Undoer;
  readonly connection: Connection;
}

/** Two homes, a data folder, and the application's present process. */
export class ModelPlace {
  readonly weather: Weather = { fault: null, cut: null, meanwhile: null };
  readonly localHome: string;
  readonly dataDir: string;
  readonly outside: string;
  /** Milliseconds by which this computer's clock is wrong. */
  clockError = 0;
  readonly now = () => Date.now() + this.clockError;
  readonly local: TestHome;
  readonly remote: MemoryHome = createMemoryHome({ 'skills/there/SKILL.md': 'there from the start\n' });
  #app: ModelApp | null = null;

  private constructor(
    readonly folder: string,
    private readonly options: ModelOptions,
  ) {
    this.localHome = join(folder, 'home');
    this.dataDir = join(folder, 'data');
    this.outside = join(folder, 'outside');
    this.local = folderHome(this.localHome);
  }

  static async make(options: ModelOptions): Promise<ModelPlace> {
    const place = new ModelPlace(await makeTempFolder('model'), options);
    for (const folder of [place.localHome, place.dataDir, place.outside]) await mkdir(folder, { mode: 0o700 });
    await place.local.write({ 'skills/here/SKILL.md': 'here from the start\n' });
    await place.restart();
    return place;
  }

  get app(): ModelApp {
    if (this.#app === null) throw new Error('not started');
    return this.#app;
  }

  /** Starts the application anew over what lies in the data folder. */
  async restart(): Promise<void> {
    this.#app = await startApp(this, this.options);
  }

  async setRules(userRules: readonly string[]): Promise<void> {
    const state = await openStateFile(join(this.dataDir, 'state.json'));
    await state.update((draft) => {
      for (const connection of draft.connections) connection.userRules = [...userRules];
    });
    await this.restart();
  }

  loseMemory(): Promise<void> {
    return rm(join(this.dataDir, 'memories'), { recursive: true, force: true });
  }

  /** Cuts the baseline to 10 bytes; false when there is none. */
  async damageBaseline(): Promise<boolean> {
    const file = join(this.dataDir, 'baselines', `${this.app.connection.id}.json.gz`);
    return truncate(file, 10).then(
      () => true,
      () => false,
    );
  }

  tearDown(): Promise<void> {
    return removeTempFolder(this.folder);
  }
}

const connectionId = 'c';

async function openState(place: ModelPlace, { newSkills }: ModelOptions): Promise<StateFile> {
  const state = await openStateFile(join(place.dataDir, 'state.json'));
  if (state.state.connections.length > 0) return state;
  await connectionStore(state).add({
    ...{ id: connectionId, name: 'build-box', address: { kind: 'address', user: 'u', host: 'nowhere.invalid', port: 22 } },
    ...{ identityFile: null, knownHostsFile: null, acceptedHostKey: null, useSshConfig: false, localHome: place.localHome },
    ...{ remoteHome: null, profile: null, roots: ['skills'], newSkills, userRules: [], lifted: [], createdAt: '2026-01-02T03:04:05.000Z' },
  });
  return state;
}

function rulesOf({ userRules }: Connection): Rules {
  return createRules({ platform: 'posix', folds: { case: false, unicode: false }, userRules: compileUserRules(userRules) });
}

interface Parts {
  readonly place: ModelPlace;
  readonly options: ModelOptions;
  readonly mortal: Mortal;
  readonly records: RunRecords;
  readonly undo: UndoFolders;
}

async function startApp(place: ModelPlace, options: ModelOptions): Promise<ModelApp> {
  const { dataDir, now } = place;
  const mortal = new Mortal();
  const state = await openState(place, options);
  const inbox = mortalParts(mortal, await openInbox(join(dataDir, 'inbox')), ['put', 'remove', 'reconcileWith']);
  const records = mortalParts(mortal, runRecords(dataDir, now), ['saveBaseline', 'saveMemories']);
  const undo = mortalParts(mortal, openUndoFolders({ dataDir, now }), ['save', 'prune']);
  const decisions = mortalParts(mortal, createDecisions(state, now), ['decline', 'keepLocal', 'exclude', 'forget']);
  const declines: Declines = {
    declined: async (connection, versions) => {
      for (const { path, hash } of versions) await decisions.decline(connection, path, hash);
    },
    withdrawn: (connection, paths) => decisions.forget(connection, paths),
  };
  const find = () => state.state.connections[0] as Connection;
  const history = openHistory(join(dataDir, 'history.jsonl'));
  const growth = createGrowthBook({ state, history, inbox, now });
  await recoverRuns({
    ...{ dataDir, records, declines, undo, now, history, connection: find },
    openDisk: (head) => createLocalDisk({ ...head, now }),
    progress: () => undefined,
  });
  const parts: Parts = { place, options, mortal, records, undo };
  const runs = createRuns({
    ...{ records, growth, now, progress: () => undefined, texts: { keep: async () => undefined } },
    openSides: async (request) => openSides(parts, request.connection, request.runId),
    decided: (id) => ({ declined: decisions.declinedFor(id), undone: new Map(), keepLocal: decisions.keepsLocal(id) }),
    inbox: (id, runId) => mortalParts(mortal, inboxSink(inbox, id, join(dataDir, 'runs', runId, 'inbox'), now), ['store']),
  });
  const side = (kind: RunKind) => async (connection: Connection, runId: string, undoes?: Undone | AbortSignal) => {
    const opened = openLocal(parts, { connection, runId, kind, undoes: undoes === undefined || 'aborted' in undoes ? null : undoes });
    return { ...opened, rules: rulesOf(connection) };
  };
  return {
    ...{ mortal, runs, inbox, decisions, connection: find() },
    resolver: createResolver({ inbox, decisions, growth, records, runs, openLocal: side('resolve'), connection: find, now }),
    undoer: createUndoer({ undo, records, runs, declines, openLocal: side('undo') }),
  };
}

interface LocalRequest {
  readonly connection: Connection;
  readonly runId: string;
  readonly kind: RunKind;
  readonly undoes: Undone | null;
}

function openLocal({ place, mortal, records, undo }: Parts, request: LocalRequest): { readonly local: Endpoint; close(): Promise<void> } {
  const { dataDir, localHome: home, now } = place;
  const folders = { stagingDir: join(dataDir, 'runs', request.runId, 'staged'), undoDir: join(dataDir, 'undo', request.runId) };
  const folder = openRunFolder({ ...request, ...folders, dataDir, home, records, undo, now });
  const journal = mortalParts(mortal, folder.record.journal, ['begin', 'plan', 'end']);
  const real = createLocalDisk({ home, ...folders, now });
  const disk = mortalDisk(mortal, place.weather.fault === null ? real : createFaultyDisk(real, place.weather.fault).disk);
  const record = { journal, saved: folder.record.saved };
  const local = createLocalEndpoint({ home, ...folders, now, record, disk });
  return {
    local,
    close: async () => {
      await mortal.effect(() => folder.close());
      await undo.prune();
    },
  };
}

function openSides(parts: Parts, connection: Connection, runId: string) {
  const { place, options, mortal } = parts;
  const { weather } = place;
  const here = openLocal(parts, { connection, runId, kind: 'sync-back', undoes: null });
  const remote = createMemoryEndpoint({ ...options, side: 'remote', home: place.remote, onChange: () => mortal.step() });
  const local: Endpoint = {
    ...here.local,
    list: async (request, signal) => {
      const listing = await here.local.list(request, signal);
      const { meanwhile } = weather;
      weather.meanwhile = null;
      await meanwhile?.();
      return listing;
    },
  };
  return {
    ...{ local, remote: cuttable(mortalParts(mortal, remote, ['identify', 'remember']), weather), rules: rulesOf(connection) },
    ...{ hostKey: 'SHA256:key', address: { user: 'u', host: 'nowhere.invalid', port: 22 }, hermesUnfinished: null },
    localMarker: async () => null,
    wire: () => ({ sent: 0, received: 0, handshake: 0 }),
    close: here.close,
  };
}
