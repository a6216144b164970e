import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sessionStore } from '../../electron/store/sessions';
import { openStateFile } from '../../electron/store/state-file';
import type { Envelope, Params, Reply, RequestName } from '../../shared/contract';
import { type GateProxy, startGateProxy } from '../support/gate-proxy';
import { startSshd, type TestSshd } from '../support/sshd';
import { makeTempFolder, removeTempFolder, writeTree } from '../support/tree';

/** A running app as a user's hands and eyes: the built main process under the stand-in, or Electron itself. */
export interface DeskApp {
  /** The user's home. */
  readonly home: string;
  readonly dataDir: string;
  ask<T>(command: string, args?: Readonly<Record<string, unknown>>): Promise<T>;
  /** Asks again until the answer satisfies. */
  until<T>(command: string, satisfies: (value: T) => boolean): Promise<T>;
  /** Settles when the process has ended. */
  readonly ended: Promise<{ readonly code: number | null }>;
  /** Starts the app a second time beside this one, and waits until the second has ended. */
  startAgain(): Promise<void>;
}

/** The window as a user sees it. */
export interface Seen {
  readonly visible: boolean;
  readonly url: string;
}

export interface Box {
  readonly message: string;
  readonly buttons: readonly string[];
}

export interface Note {
  readonly id: string;
  readonly title: string;
  readonly body: string;
}

export interface MenuEntry {
  readonly id: string;
  readonly label: string;
  readonly submenu?: readonly MenuEntry[];
}

/** A request as the window makes it; throws the error that was answered. */
export async function call<K extends RequestName>(app: DeskApp, name: K, params: Params<K>): Promise<Reply<K>> {
  const answer = await app.ask<Envelope<Reply<K>>>('call', { name, params });
  if (!answer.ok) throw new Error(`${name}: ${answer.error.message}`);
  return answer.value;
}

/** The skill on this computer that sessions of these tests change. */
export function homeText(app: DeskApp): string {
  return readFileSync(join(app.home, '.hermes/skills/a/SKILL.md'), 'utf8');
}

/** States of the sessions that are stored. */
export async function sessionsOf(app: DeskApp): Promise<readonly string[]> {
  const stored = await openStateFile(join(app.dataDir, 'state.json'));
  return sessionStore(stored)
    .list()
    .map(({ state }) => state);
}

/** Waits until one question is asked. */
export function oneBox(app: DeskApp): Promise<readonly Box[]> {
  return app.until<readonly Box[]>('boxes', ({ length }) => length === 1);
}

/** Waits until the tray's menu satisfies; entries of submenus lie in them. */
export async function untilMenu(app: DeskApp, satisfies: (menu: readonly MenuEntry[]) => boolean): Promise<readonly MenuEntry[]> {
  const { menu } = await app.until<{ readonly menu: readonly MenuEntry[] }>('tray', (tray) => satisfies(tray.menu));
  return menu;
}

/** The ids of a menu with those of its submenus. */
export function idsOf(menu: readonly MenuEntry[]): readonly string[] {
  return menu.flatMap(({ id, submenu = [] }) => [id, ...idsOf(submenu)]);
}

/** A real SSH server behind a gate, and a new Hermes home on it for each test. */
export interface Ground {
  readonly gate: GateProxy;
  /** Hermes home on the remote. */
  readonly remoteHome: () => string;
  /** Opens the gate and makes the next home. */
  next(): Promise<void>;
  /** A connection through the gate; a session is open unless `open` is false. Returns its id. */
  connectTo(app: DeskApp, open?: boolean): Promise<string>;
  stop(): Promise<void>;
}

export async function startGround(): Promise<Ground> {
  const folder = await makeTempFolder('life-cycle');
  const sshd: TestSshd = await startSshd({ home: folder });
  const gate = await startGateProxy(sshd.port);
  let count = 0;
  const remoteHome = () => join(folder, `hermes-${count}`);
  return {
    gate,
    remoteHome,
    next: async () => {
      gate.open();
      count += 1;
      await mkdir(remoteHome());
    },
    connectTo: async (app, open = true) => {
      const { id } = await call(app, 'connection.add', {
        name: 'build-box',
        address: { kind: 'address', user: sshd.username, host: '127.0.0.1', port: gate.port },
        identityFile: sshd.identityFile,
        acceptHostKey: sshd.fingerprint(),
        useSshConfig: false,
        remoteHome: remoteHome(),
      });
      if (!open) return id;
      await writeTree(join(app.home, '.hermes'), { 'skills/a/SKILL.md': '# a\n' });
      const { outcome } = await call(app, 'session.start', { connection: id, allow: ['first-session'] });
      if (outcome !== 'done') throw new Error(`the session did not start: ${outcome}`);
      await writeTree(remoteHome(), { 'skills/a/SKILL.md': '# a, learned more\n' });
      return id;
    },
    stop: async () => {
      await gate.stop();
      await sshd.stop();
      await removeTempFolder(folder);
    },
  };
}

/** A guarded file that differs, ended while nobody looks at the window: something to be notified of. */
export async function holdSomething(app: DeskApp, ground: Ground): Promise<string> {
  const id = await ground.connectTo(app);
  await writeTree(ground.remoteHome(), { 'skills/.usage.json': '{"a": 3}\n', 'skills/a/SKILL.md': '# a\n' });
  await writeTree(join(app.home, '.hermes'), { 'skills/.usage.json': '{"a": 1}\n' });
  await app.ask('blur');
  await call(app, 'session.end', { connection: id, allow: [] });
  return id;
}
