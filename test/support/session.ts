import { lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ComposeOptions, compose } from '../../electron/compose';
import type { ComposedApp } from '../../electron/ipc/host';
import type { Connection, NewConnection } from '../../shared/connection';
import type { AppEvent, Envelope, Params, Reply, RequestName } from '../../shared/contract';
import type { InboxItem } from '../../shared/inbox';
import type { Guard, PathReport, RunReport, Tally } from '../../shared/run-report';
import type { TestSshd } from './sshd';
import { contentsOf, folderHome, makeTempFolder, removeTempFolder, type TestHome, type TreeImage } from './tree';

/** The connection's name in every test. */
export const box = 'build-box';

/** What lies on both sides, whole: contents, kinds, modes and times. */
export interface BothSides {
  readonly local: ReadonlyMap<string, TreeImage>;
  readonly remote: ReadonlyMap<string, TreeImage>;
}

/** The real application with one connection to a real server, and both trees to arrange and look at. */
export interface SessionPlace {
  readonly local: TestHome;
  readonly remote: TestHome;
  readonly localHome: string;
  readonly remoteHome: string;
  readonly dataDir: string;
  /** Temporary folder that holds all of this computer's folders. */
  readonly folder: string;
  start(allow?: readonly Guard[]): Promise<RunReport>;
  end(allow?: readonly Guard[]): Promise<RunReport>;
  preview(direction: 'push' | 'sync-back'): Promise<RunReport>;
  ask<K extends RequestName>(name: K, params: Params<K>): Promise<Envelope<Reply<K>>>;
  call<K extends RequestName>(name: K, params: Params<K>): Promise<Reply<K>>;
  inbox(): Promise<readonly InboxItem[]>;
  /** The state of the connection's session; null when there is none. */
  session(): Promise<string | null>;
  listen(listener: (event: AppEvent) => void): () => void;
  /** What the shell calls when the computer woke up. */
  resumed(): void;
  /** Both homes, whole, with what the app keeps there. */
  sides(): Promise<BothSides>;
  /** Contents by path, without what the app keeps in the home. */
  localContents(): Promise<Readonly<Record<string, string>>>;
  remoteContents(): Promise<Readonly<Record<string, string>>>;
  /** Saves the connection anew, with these differences. */
  reconnect(changes: Partial<NewConnection>): Promise<void>;
  /** Changes the saved connection between two lives of the application, in ways that no request offers yet. */
  editConnection(changes: Partial<Connection>): Promise<void>;
  /** Ends the application, lets the test change its files, and starts it again over the same data folder. */
  restart(meanwhile?: () => Promise<void>): Promise<void>;
  tearDown(): Promise<void>;
}

export interface PlaceOptions {
  readonly sshd: TestSshd;
  /** Differences to a plain connection. */
  readonly connection?: Partial<NewConnection>;
  /** Hermes home on the server's disk; the account's `.hermes` when left out. */
  readonly remoteHome?: string;
  /** How the application is composed, beside its folders. */
  readonly composed?: Pick<ComposeOptions, 'cipher' | 'lasting' | 'pace'>;
  /** Nothing is saved: the test adds its connections itself. */
  readonly without?: 'connection';
}

/** A connection to the server with its own key and known hosts, away from the user's SSH configuration. */
export function connectionTo(sshd: TestSshd, changes: Partial<NewConnection> = {}): NewConnection {
  return {
    name: box,
    address: { kind: 'address', user: sshd.username, host: sshd.host, port: sshd.port },
    identityFile: sshd.identityFile,
    knownHostsFile: sshd.knownHostsFile,
    useSshConfig: false,
    ...changes,
  };
}

/** Composes the application over temporary folders and adds the connection. */
export async function makePlace(options: PlaceOptions): Promise<SessionPlace> {
  const folder = await makeTempFolder('session');
  const localHome = join(folder, 'hermes');
  const dataDir = join(folder, 'data');
  const remoteHome = options.remoteHome ?? join(options.sshd.home, '.hermes');
  await mkdir(localHome);
  await mkdir(dataDir, { mode: 0o700 });
  const composing = { ...options.composed, dataDir, hermesHome: localHome };
  const place = new Place({ folder, localHome, remoteHome, dataDir }, options.sshd, composing, await compose(composing));
  if (options.without === undefined) await place.call('connection.add', connectionTo(options.sshd, options.connection));
  return place;
}

type Folders = Pick<SessionPlace, 'folder' | 'localHome' | 'remoteHome' | 'dataDir'>;

class Place implements SessionPlace {
  readonly folder: string;
  readonly localHome: string;
  readonly remoteHome: string;
  readonly dataDir: string;
  readonly local: TestHome;
  readonly remote: TestHome;

  constructor(
    folders: Folders,
    private readonly sshd: TestSshd,
    private readonly composing: ComposeOptions,
    private app: ComposedApp,
  ) {
    this.folder = folders.folder;
    this.localHome = folders.localHome;
    this.remoteHome = folders.remoteHome;
    this.dataDir = folders.dataDir;
    this.local = folderHome(folders.localHome);
    this.remote = folderHome(folders.remoteHome);
  }

  start(allow: readonly Guard[] = []): Promise<RunReport> {
    return this.call('session.start', { connection: box, allow });
  }

  end(allow: readonly Guard[] = []): Promise<RunReport> {
    return this.call('session.end', { connection: box, allow });
  }

  preview(direction: 'push' | 'sync-back'): Promise<RunReport> {
    return this.call('preview', { connection: box, direction });
  }

  async ask<K extends RequestName>(name: K, params: Params<K>): Promise<Envelope<Reply<K>>> {
    return (await this.app.dispatch(name, params)) as Envelope<Reply<K>>;
  }

  async call<K extends RequestName>(name: K, params: Params<K>): Promise<Reply<K>> {
    const answer = await this.ask(name, params);
    if (!answer.ok) throw new Error(`${name} failed: ${answer.error.code}: ${answer.error.message}`);
    return answer.value;
  }

  async inbox(): Promise<readonly InboxItem[]> {
    return (await this.call('inbox.list', {})).items;
  }

  async session(): Promise<string | null> {
    return (await this.call('session.list', {})).sessions[0]?.state ?? null;
  }

  listen(listener: (event: AppEvent) => void): () => void {
    return this.app.listen(listener);
  }

  resumed(): void {
    this.app.resumed();
  }

  async sides(): Promise<BothSides> {
    return { local: await this.local.read(), remote: await readIfThere(this.remote) };
  }

  async localContents(): Promise<Readonly<Record<string, string>>> {
    return contentsOf(withoutOwn(await this.local.read()));
  }

  async remoteContents(): Promise<Readonly<Record<string, string>>> {
    return contentsOf(withoutOwn(await readIfThere(this.remote)));
  }

  async reconnect(changes: Partial<NewConnection>): Promise<void> {
    await this.call('connection.remove', { connection: box });
    await this.call('connection.add', connectionTo(this.sshd, changes));
  }

  async editConnection(changes: Partial<Connection>): Promise<void> {
    await this.restart(async () => {
      const file = join(this.dataDir, 'state.json');
      const state = JSON.parse(await readFile(file, 'utf8')) as { readonly connections: readonly Connection[] };
      const connections = state.connections.map((connection) => ({ ...connection, ...changes }));
      await writeFile(file, JSON.stringify({ ...state, connections }));
    });
  }

  async restart(meanwhile: () => Promise<void> = async () => undefined): Promise<void> {
    await this.app.dispose();
    await meanwhile();
    this.app = await compose(this.composing);
  }

  async tearDown(): Promise<void> {
    await this.app.dispose();
    await removeTempFolder(this.folder);
    await removeTempFolder(this.remoteHome);
  }
}

async function readIfThere(home: TestHome): Promise<ReadonlyMap<string, TreeImage>> {
  try {
    return await home.read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map();
    throw error;
  }
}

/** A home without what the app keeps in it. */
export function withoutOwn(images: ReadonlyMap<string, TreeImage>): ReadonlyMap<string, TreeImage> {
  return new Map([...images].filter(([path]) => path.split('/')[0] !== '.ebbgate'));
}

/** Number and bytes of what a walk of the folder itself finds: everything that is no directory, or what `wanted` picks of it. */
export async function countFiles(folder: string, wanted: (path: string) => boolean = () => true): Promise<Tally> {
  const sizes: number[] = [];
  const visit = async (inside: string): Promise<void> => {
    for (const name of await readdir(join(folder, inside))) {
      const path = inside === '' ? name : `${inside}/${name}`;
      const stats = await lstat(join(folder, path));
      if (stats.isDirectory()) await visit(path);
      else if (wanted(path)) sizes.push(stats.size);
    }
  };
  await visit('');
  return { files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

/** Text of what the inbox keeps of the remote's version. */
export async function storedInInbox(place: SessionPlace, item: InboxItem): Promise<string> {
  return readFile(join(place.dataDir, 'inbox', item.id, item.remote?.hash ?? 'none'), 'utf8');
}

/** Paths of a report by outcome, in order of their names. */
export function pathsOf(report: RunReport, outcome: PathReport['outcome']): readonly string[] {
  return report.paths.flatMap((path) => (path.outcome === outcome ? [path.path] : [])).sort();
}

/** Outcome of every path of a report but the refused ones. */
export function outcomesOf(report: RunReport): Readonly<Record<string, string>> {
  return Object.fromEntries(report.paths.flatMap(({ path, outcome }) => (outcome === 'refused' ? [] : [[path, outcome]])));
}
