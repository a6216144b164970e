import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { createDecisions, type Decisions } from '../../../electron/app/decisions';
import { createGrowthBook } from '../../../electron/app/growth';
import { openHistory } from '../../../electron/app/history';
import { type Inbox, openInbox } from '../../../electron/app/inbox';
import { createResolver } from '../../../electron/app/resolve';
import { type RunRecords, runRecords } from '../../../electron/app/run-records';
import { createRuns, type Runs } from '../../../electron/app/runs';
import { compileUserRules } from '../../../electron/app/user-rules';
import { createLocalEndpoint } from '../../../electron/endpoints/local';
import type { AgreedEntry } from '../../../electron/engine/entry';
import { noGrowthContext } from '../../../electron/engine/growth-context';
import { connectionStore } from '../../../electron/store/connections';
import { openStateFile, type StateFile } from '../../../electron/store/state-file';
import type { Connection } from '../../../shared/connection';
import type { InboxItem, InboxKind, InboxVersion, Resolution } from '../../../shared/inbox';
import { createRules } from '../../../shared/rules';
import type { RunReport } from '../../../shared/run-report';
import { contentsOf, makeTempFolder, readTree, removeTempFolder, sha256, type Tree, type TreeImage, writeTree } from '../../support/tree';

/** A version as a test names it: its text, or its text and that it can be executed; null when it is gone. */
export type Version = string | { readonly text: string; readonly executable: boolean } | null;

export interface Waiting {
  readonly kind?: InboxKind;
  readonly connection?: string;
  readonly path: string;
  readonly local: Version;
  readonly remote: Version;
  /** False: only its hash is known. */
  readonly stored?: boolean;
}

/** The parts that resolve what waits, over real files in one temporary folder. The remote is nowhere. */
export interface ResolvePlace {
  readonly home: string;
  readonly inbox: Inbox;
  readonly decisions: Decisions;
  readonly state: StateFile;
  readonly stateFile: string;
  readonly undoDir: string;
  readonly runs: Runs;
  readonly records: RunRecords;
  readonly connection: Connection;
  write(tree: Tree): Promise<void>;
  contents(): Promise<Readonly<Record<string, string>>>;
  images(): Promise<ReadonlyMap<string, TreeImage>>;
  /** Contents in the undo store, in no order. */
  undone(): Promise<readonly string[]>;
  wait(item: Waiting): Promise<InboxItem>;
  agree(versions: Readonly<Record<string, Version>>): Promise<void>;
  /** What both sides agree on by now: text hash by path. */
  agreed(): Promise<Readonly<Record<string, AgreedEntry>>>;
  resolve(choice: Resolution, ...ids: readonly string[]): Promise<RunReport>;
  remove(): Promise<void>;
}

export const now = Date.parse('2026-06-01T12:00:00.000Z');

/** The usual story of one file: what both sides agreed on, what it became here, and what it became there. */
export const A = 'first\n';
export const L = 'edited here\n';
export const R = 'edited there, longer\n';
export const path = 'skills/a/notes.md';

/** The place of the running test. */
export let place: ResolvePlace;

/** Gives every test of the calling file a place of its own. */
export function eachInItsOwnPlace(): void {
  beforeEach(async () => {
    place = await makeResolvePlace();
  });
  afterEach(() => place.remove());
}

/** The entry both sides agree on for a version. */
export function entryOf(version: Exclude<Version, null>): AgreedEntry {
  const { hash, bytes, executable } = describeVersion(version);
  return { hash, size: bytes, executable };
}

function describeVersion(version: Exclude<Version, null>): InboxVersion {
  const { text, executable } = typeof version === 'string' ? { text: version, executable: false } : version;
  return { hash: sha256(text), bytes: Buffer.byteLength(text), executable };
}

const connectionWith = (id: string, name: string, localHome: string): Connection => ({
  ...{ id, name, address: { kind: 'address', user: 'u', host: 'nowhere.invalid', port: 22 }, localHome },
  ...{ identityFile: null, knownHostsFile: null, acceptedHostKey: null, useSshConfig: false, remoteHome: null, profile: null },
  ...{ roots: ['skills'], newSkills: 'review', userRules: [], lifted: [], createdAt: new Date(now).toISOString() },
});

export async function makeResolvePlace(): Promise<ResolvePlace> {
  const folder = await makeTempFolder('resolve');
  const home = join(folder, 'home');
  const data = join(folder, 'data');
  await mkdir(home);
  await mkdir(data);
  const stateFile = join(data, 'state.json');
  const state = await openStateFile(stateFile, () => now);
  await connectionStore(state).add(connectionWith('c', 'build box', home));
  await connectionStore(state).add(connectionWith('d', 'other', join(folder, 'elsewhere')));
  const find = (id: string) => state.state.connections.find((one) => one.id === id) ?? connectionWith('none', 'none', home);
  const inbox = await openInbox(join(data, 'inbox'));
  const decisions = createDecisions(state, () => now);
  const records = runRecords(data, () => now);
  const noRemote = async () => {
    throw new Error('the remote was contacted');
  };
  const runs = createRuns({
    ...{ openSides: noRemote, records, now: () => now, progress: () => undefined },
    growth: { context: async () => noGrowthContext, record: async () => undefined },
    texts: { keep: async () => undefined },
    inbox: () => ({ lacks: () => false, store: noRemote, settle: noRemote }),
    decided: () => ({ declined: new Map(), undone: new Map(), keepLocal: new Set() }),
  });
  const openLocal = async (connection: Connection, runId: string) => {
    const options = { home, stagingDir: join(data, 'staged', runId), undoDir: join(data, 'undo', runId), now: Date.now };
    const local = createLocalEndpoint(options);
    const folds = { case: false, unicode: false };
    const rules = createRules({ platform: 'posix', folds, userRules: compileUserRules(connection.userRules) });
    return { local, rules, close: () => local.close() };
  };
  const growth = createGrowthBook({ state, history: openHistory(join(data, 'history.jsonl')), inbox, now: () => now });
  const resolver = createResolver({ inbox, decisions, growth, records, runs, openLocal, connection: find, now: () => now });
  return {
    ...{ home, inbox, decisions, state, stateFile, runs, records, undoDir: join(data, 'undo') },
    get connection() {
      return find('c');
    },
    write: (tree) => writeTree(home, tree),
    contents: async () => contentsOf(await readTree(home)),
    images: () => readTree(home),
    undone: () => undoTexts(data),
    async wait({ kind = 'conflict', connection = 'c', path, local, remote, stored = true }) {
      let file: string | null = null;
      if (remote !== null && stored) {
        file = join(data, randomBytes(4).toString('hex'));
        await writeFile(file, typeof remote === 'string' ? remote : remote.text);
      }
      const versions = { local: local === null ? null : describeVersion(local), remote: remote === null ? null : describeVersion(remote) };
      const bytes = versions.remote?.bytes ?? versions.local?.bytes ?? 0;
      return inbox.put({ kind, connection, path, bytes, createdAt: new Date(now).toISOString(), reason: 'differs', ...versions }, file);
    },
    agree: (versions) => {
      const entries = new Map(
        Object.entries(versions).flatMap(([path, version]) => (version === null ? [] : [[path, entryOf(version)] as const])),
      );
      return records.saveBaseline('c', { identity: { marker: 'm', hostKey: 'k', home: '/h' }, rules: 'r', entries, pending: null });
    },
    async agreed() {
      const found = await records.baseline('c');
      return found.kind === 'present' ? Object.fromEntries(found.baseline.entries) : {};
    },
    resolve: (choice, ...ids) => resolver.resolve(ids, choice),
    remove: () => removeTempFolder(folder),
  };
}

async function undoTexts(data: string): Promise<readonly string[]> {
  const all = contentsOf(await readTree(data));
  return Object.entries(all).flatMap(([path, text]) => (path.startsWith('undo/') ? [text] : []));
}
