import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { _electron, type ElectronApplication } from '@playwright/test';
import type { DeskApp } from '../app-shell/desk';
import { makeTrayHost } from '../support/stood-in-app';

const root = resolve(import.meta.dirname, '../..');

/** Electron itself with the built app, driven as the stand-in is. */
export interface DrivenApp extends DeskApp {
  readonly electron: ElectronApplication;
  dispose(): Promise<void>;
}

/** What is caught in the main process, where no test can look otherwise. */
interface Caught {
  menu: CaughtEntry[];
  boxes: { message: string; buttons: string[]; answer(response: number): void }[];
  notes: { id: string; title: string; body: string; click(): void }[];
}

interface CaughtEntry {
  readonly id?: string;
  readonly label?: string;
  readonly submenu?: CaughtEntry[];
  readonly click?: () => void;
}

declare global {
  var caught: Caught;
}

/** Puts itself before what a user would see and press: menus, questions and notifications of the system. */
async function watch(electron: ElectronApplication): Promise<void> {
  await electron.evaluate(({ Menu, dialog, Notification }) => {
    const caught: Caught = { menu: [], boxes: [], notes: [] };
    globalThis.caught = caught;
    const build = Menu.buildFromTemplate.bind(Menu);
    Menu.buildFromTemplate = (template) => {
      caught.menu = template as CaughtEntry[];
      return build(template);
    };
    const ask = async (options: Electron.MessageBoxOptions) =>
      new Promise<Electron.MessageBoxReturnValue>((done) => {
        const settle = (response: number) => {
          caught.boxes = caught.boxes.filter((other) => other !== box);
          done({ response, checkboxChecked: false });
        };
        const box = { message: options.message, buttons: options.buttons ?? [], answer: settle };
        caught.boxes.push(box);
        options.signal?.addEventListener('abort', () => settle(options.cancelId ?? 0));
      });
    dialog.showMessageBox = ask as typeof dialog.showMessageBox;
    const notes = new Map<object, Caught['notes'][number]>();
    Notification.isSupported = () => true;
    Notification.prototype.show = function (this: Electron.Notification) {
      const note = { id: this.id, title: this.title, body: this.body, click: () => void this.emit('click') };
      notes.set(this, note);
      caught.notes.push(note);
    };
    Notification.prototype.close = function (this: Electron.Notification) {
      caught.notes = caught.notes.filter((other) => other !== notes.get(this));
    };
  });
}

type Command = (electron: ElectronApplication, args: Readonly<Record<string, unknown>>) => Promise<unknown>;

const commands: Readonly<Record<string, Command>> = {
  tray: (electron) =>
    electron.evaluate(() => {
      const plain = (entries: readonly CaughtEntry[]): object[] =>
        entries.map(({ id, label, submenu }) => ({ id, label, ...(submenu && { submenu: plain(submenu) }) }));
      return { menu: plain(globalThis.caught.menu) };
    }),
  click: (electron, { id }) =>
    electron.evaluate((_electron, wanted) => {
      const find = (entries: readonly CaughtEntry[]): CaughtEntry | undefined => {
        for (const entry of entries) {
          const found = entry.id === wanted ? entry : find(entry.submenu ?? []);
          if (found !== undefined) return found;
        }
        return undefined;
      };
      find(globalThis.caught.menu)?.click?.();
    }, id),
  window: (electron) =>
    electron.evaluate(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      return { visible: window?.isVisible() ?? false, url: window?.webContents.getURL() ?? '' };
    }),
  close: (electron) => electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close()),
  // Without a window manager the focus may never leave: a hidden window is not looked at either.
  blur: (electron) => electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide()),
  boxes: (electron) => electron.evaluate(() => globalThis.caught.boxes.map(({ message, buttons }) => ({ message, buttons }))),
  answer: (electron, { button }) =>
    electron.evaluate((_electron, wanted) => {
      const [box] = globalThis.caught.boxes;
      box?.answer(box.buttons.indexOf(String(wanted)));
    }, button),
  notifications: (electron) => electron.evaluate(() => globalThis.caught.notes.map(({ id, title, body }) => ({ id, title, body }))),
  clickNotification: (electron) => electron.evaluate(() => globalThis.caught.notes[0]?.click()),
  power: (electron, { event }) =>
    electron.evaluate(({ powerMonitor }, name) => void powerMonitor.emit(String(name), { preventDefault: () => undefined }), event),
  quit: (electron) => electron.evaluate(({ app }) => app.quit()),
  call: async (electron, { name, params }) => {
    const page = await electron.firstWindow();
    return page.evaluate(
      ([request, given]) =>
        (globalThis as unknown as { ebbgate: { call(name: unknown, params: unknown): Promise<unknown> } }).ebbgate.call(request, given),
      [name, params],
    );
  },
};

/** Commands after which the process may be gone before it could answer. */
const last: readonly string[] = ['quit', 'power', 'answer', 'click', 'close'];

/** Starts Electron in folders of its own, with a tray that is taken for seen. */
export async function startDrivenApp(): Promise<DrivenApp> {
  const home = mkdtempSync(join(tmpdir(), 'ebbgate-electron-'));
  mkdirSync(join(home, '.hermes/skills'), { recursive: true });
  const { DBUS_SESSION_BUS_ADDRESS: _bus, SSH_AUTH_SOCK: _agent, XDG_CONFIG_HOME: _config, ...inherited } = process.env;
  const own = {
    HOME: home,
    HERMES_HOME: join(home, '.hermes'),
    EBBGATE_DATA_DIR: join(home, 'data'),
    LANGUAGE: 'en_US',
    LANG: 'en_US.UTF-8',
  };
  const env = { ...inherited, ...own, PATH: makeTrayHost(join(home, 'bin')) } as Record<string, string>;
  // Chromium's own sandbox refuses to run as root.
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const args = [...asRoot, `--user-data-dir=${join(home, 'electron')}`, root];
  const electron = await _electron.launch({ args, env });
  const child = electron.process();
  const ended = new Promise<{ code: number | null }>((done) => child.once('exit', (code) => done({ code })));
  const ask = async <T>(command: string, given: Readonly<Record<string, unknown>> = {}): Promise<T> => {
    const run = commands[command];
    if (run === undefined) throw new Error(`nothing does ${command} in Electron`);
    const answer = run(electron, given);
    return (await (last.includes(command) ? Promise.race([answer, ended]) : answer)) as T;
  };
  const until = async <T>(command: string, satisfies: (value: T) => boolean): Promise<T> => {
    for (;;) {
      const value = await ask<T>(command);
      if (satisfies(value)) return value;
      await new Promise((again) => setTimeout(again, 50));
    }
  };
  await electron.firstWindow();
  await watch(electron);
  // The menu is built anew when it says something else; only then is it caught.
  for (const language of ['fr', 'en']) {
    await ask('call', { name: 'settings.change', params: { language } });
    await until<{ menu: readonly { id: string; label: string }[] }>('tray', ({ menu }) =>
      menu.some(({ id, label }) => id === 'quit' && label === (language === 'fr' ? 'Quitter Ebbgate' : 'Quit Ebbgate')),
    );
  }
  return {
    ...{ home, dataDir: join(home, 'data'), electron, ask, until, ended },
    startAgain: () =>
      new Promise((done, failed) => {
        const second = spawn(child.spawnfile, args, { env, stdio: 'ignore' });
        second.once('error', failed).once('exit', () => done());
      }),
    dispose: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}
