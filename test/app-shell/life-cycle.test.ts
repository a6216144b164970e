// The life of the app from start to log-off; its steps share a server and what they look at, so it stays whole.
import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sessionStore } from '../../electron/store/sessions';
import { openStateFile } from '../../electron/store/state-file';
import type { ConnectionView, Envelope, Reply } from '../../shared/contract';
import type { RunReport } from '../../shared/run-report';
import { type GateProxy, startGateProxy } from '../support/gate-proxy';
import { startSshd, type TestSshd } from '../support/sshd';
import { ensureBuilt, type LogLine, type StoodInApp, type StoodInOptions, startStoodInApp } from '../support/stood-in-app';
import { makeTempFolder, removeTempFolder, writeTree } from '../support/tree';

interface Seen {
  readonly visible: boolean;
  readonly url: string;
}
interface Box {
  readonly message: string;
  readonly buttons: readonly string[];
}
interface Note {
  readonly id: string;
  readonly title: string;
  readonly body: string;
}

let sshd: TestSshd;
let gate: GateProxy;
let folder: string;
let remoteHome: string;
const apps: StoodInApp[] = [];

beforeAll(async () => {
  ensureBuilt();
  folder = await makeTempFolder('life-cycle');
  sshd = await startSshd({ home: folder });
  gate = await startGateProxy(sshd.port);
});
afterAll(async () => {
  await gate.stop();
  await sshd.stop();
  await removeTempFolder(folder);
});
let count = 0;
beforeEach(async () => {
  count += 1;
  remoteHome = join(folder, `hermes-${count}`);
  await mkdir(remoteHome);
});
afterEach(async () => {
  gate.open();
  await Promise.all(apps.splice(0).map((app) => app.dispose()));
});

/** Started, with everything that happens at a start behind it. */
async function start(options: StoodInOptions = {}): Promise<StoodInApp> {
  const app = await startStoodInApp({ trayHost: true, ...options });
  apps.push(app);
  await app.ask('ready');
  await app.until('tray', (tray) => tray !== null);
  if (!options.args?.includes('--hidden')) await app.until<Seen | undefined>('window', (window) => window?.visible === true);
  return app;
}

async function call<T>(app: StoodInApp, name: string, params: object): Promise<T> {
  const answer = await app.ask<Envelope<T>>('call', { name, params });
  if (!answer.ok) throw new Error(`${name}: ${answer.error.message}`);
  return answer.value;
}

/** A connection through the gate to the real server; a session is open unless `open` is false. */
async function connectTo(app: StoodInApp, open = true): Promise<string> {
  const { id } = await call<{ id: string }>(app, 'connection.add', {
    name: 'build-box',
    address: { kind: 'address', user: sshd.username, host: '127.0.0.1', port: gate.port },
    identityFile: sshd.identityFile,
    acceptHostKey: sshd.fingerprint(),
    useSshConfig: false,
    remoteHome,
  });
  if (!open) return id;
  await writeTree(join(app.home, '.hermes'), { 'skills/a/SKILL.md': '# a\n' });
  const run = await call<RunReport>(app, 'session.start', { connection: id, allow: ['first-session'] });
  expect(run.outcome).toBe('done');
  await writeTree(remoteHome, { 'skills/a/SKILL.md': '# a, learned more\n' });
  return id;
}

const homeText = (app: StoodInApp) => readFileSync(join(app.home, '.hermes/skills/a/SKILL.md'), 'utf8');
const sessionsOf = async (app: StoodInApp) =>
  sessionStore(await openStateFile(join(app.dataDir, 'state.json')))
    .list()
    .map(({ state }) => state);
const boxes = (satisfies: (boxes: readonly Box[]) => boolean) => (app: StoodInApp) => app.until<readonly Box[]>('boxes', satisfies);
const oneBox = boxes(({ length }) => length === 1);
const view = async (app: StoodInApp): Promise<ConnectionView | undefined> =>
  (await call<Reply<'status'>>(app, 'status', {})).connections[0];

describe('quitting with an open session', () => {
  it('brings everything home first, and asks nothing of who waits', async () => {
    const app = await start();
    await connectTo(app);
    await app.ask('quit');
    const { code, stderr } = await app.ended;
    expect({ code, stderr, text: homeText(app), sessions: await sessionsOf(app) }).toEqual({
      ...{ code: 0, stderr: '', text: '# a, learned more\n', sessions: [] },
    });
  });

  it('while its end runs, finishes and then quits', async () => {
    const app = await start();
    const id = await connectTo(app);
    gate.shut();
    await app.ask('click', { id: 'settings' });
    await app.until<{ menu: { id: string; submenu?: { id: string }[] }[] }>('tray', ({ menu }) =>
      menu.some((entry) => entry.submenu?.some((child) => child.id === `end:${id}`)),
    );
    await app.ask('click', { id: `end:${id}` });
    await gate.held();
    await app.ask('click', { id: 'quit' });
    expect(await oneBox(app)).toEqual([{ message: 'Ending the session with build-box', buttons: ['Finish, then quit', 'Stop safely'] }]);
    await app.ask('answer', { button: 'Finish, then quit' });
    gate.open();
    expect((await app.ended).code).toBe(0);
    expect([homeText(app), await sessionsOf(app)]).toEqual(['# a, learned more\n', []]);
  });

  it('while its end cannot get through, stops safely and offers it first at the next start', async () => {
    const app = await start();
    await connectTo(app);
    gate.shut();
    await app.ask('quit');
    await gate.held();
    await oneBox(app);
    await app.ask('answer', { button: 'Stop safely' });
    expect((await app.ended).code).toBe(0);
    expect([homeText(app), await sessionsOf(app)]).toEqual(['# a\n', ['pending']]);
  });
});

describe('the end of the user’s session', () => {
  it.each([
    ['as the system tells the app', (app: StoodInApp) => app.ask('power', { event: 'shutdown' })],
    ['as Windows tells the window', (app: StoodInApp) => app.ask('sessionEnd')],
  ])('asks nothing, reaches for no remote and keeps the session, %s', async (_how, end) => {
    const app = await start();
    await connectTo(app);
    gate.shut();
    await end(app);
    const { code, log } = await app.ended;
    expect({ code, asked: log.filter(({ what }) => what === 'messageBox'), sessions: await sessionsOf(app) }).toEqual({
      ...{ code: 0, asked: [], sessions: ['open'] },
    });
    expect(existsSync(join(app.dataDir, 'owner.lock'))).toBe(false);
  });
});

describe('a start after a session that did not end', () => {
  async function leftOpen(): Promise<{ readonly app: StoodInApp; readonly before: StoodInApp }> {
    const before = await start();
    await connectTo(before);
    await before.ask('power', { event: 'shutdown' });
    await before.ended;
    const app = await startStoodInApp({ trayHost: true, args: ['--hidden'], env: { HOME: before.home, EBBGATE_DATA_DIR: before.dataDir } });
    apps.push(app);
    await app.ask('ready');
    return { app, before };
  }

  it('offers it first, even when it is hidden, and brings it home when wanted', async () => {
    const { app, before } = await leftOpen();
    expect(await oneBox(app)).toEqual([
      { message: 'The session with build-box was not synced back', buttons: ['Bring home now', 'Later'] },
    ]);
    await app.ask('answer', { button: 'Bring home now' });
    await app.until<{ toolTip: string }>('tray', ({ toolTip }) => toolTip.includes('· ended '));
    expect(homeText(before)).toBe('# a, learned more\n');
    expect(await app.ask('window')).toBeUndefined();
  });

  it('leaves it in the tray when it is wanted later', async () => {
    const { app, before } = await leftOpen();
    await oneBox(app);
    await app.ask('answer', { button: 'Later' });
    const { toolTip } = await app.until<{ toolTip: string }>('tray', ({ toolTip }) => toolTip.includes('session open since'));
    expect([homeText(before), toolTip]).toEqual(['# a\n', expect.stringContaining('build-box')]);
  });
});

describe('closing the window', () => {
  it('asks once whether to stay in the tray, remembers it, and is opened again by the tray', async () => {
    const app = await start();
    await app.ask('close');
    await app.ask('close');
    expect(await oneBox(app)).toMatchObject([{ buttons: ['Keep in the tray', 'Quit', 'Later'] }]);
    await app.ask('answer', { button: 'Keep in the tray' });
    await app.until<Seen>('window', ({ visible }) => !visible);
    expect(await call(app, 'settings.read', {})).toMatchObject({ closeToTray: true });
    await app.ask('click', { id: 'open' });
    await app.until<Seen>('window', ({ visible }) => visible);
    await app.ask('close');
    await app.until<Seen>('window', ({ visible }) => !visible);
    expect(await app.ask('boxes')).toEqual([]);
  });

  it('quits when that is what was chosen', async () => {
    const app = await start();
    await app.ask('close');
    await oneBox(app);
    await app.ask('answer', { button: 'Quit' });
    expect((await app.ended).code).toBe(0);
  });

  it('keeps the window as it is when the question is put off', async () => {
    const app = await start();
    await app.ask('close');
    await oneBox(app);
    await app.ask('answer', { button: 'Later' });
    expect([await app.ask('window'), await call(app, 'settings.read', {})]).toMatchObject([{ visible: true }, { closeToTray: null }]);
  });
});

describe('the window’s place', () => {
  const placeOf = async (app: StoodInApp) => {
    const made = (await app.ask<LogLine[]>('log')).find(({ what }) => what === 'BrowserWindow')?.detail as Record<string, unknown>;
    return { x: made.x, y: made.y, width: made.width, height: made.height };
  };

  it.each([
    ['where and as large as it was left', { x: 60, y: 40, width: 520, height: 700 }, { x: 60, y: 40, width: 520, height: 700 }],
    ['in sight when its screen is gone', { x: 3000, y: 40, width: 520, height: 700 }, { x: 760, y: 40, width: 520, height: 700 }],
  ])('is %s at the next start', async (_where, left, found) => {
    const before = await start();
    expect(await placeOf(before)).toEqual({ x: undefined, y: undefined, width: 400, height: 600 });
    await before.ask('place', left);
    await before.ask('quit');
    expect((await before.ended).stderr).toBe('');
    const app = await start({ env: { HOME: before.home, EBBGATE_DATA_DIR: before.dataDir } });
    expect(await placeOf(app)).toEqual(found);
  });
});

describe('the settings', () => {
  it('switch the language of the tray and of questions without a restart', async () => {
    const app = await start({ env: { STAND_IN_LANGUAGES: 'tlh,pt-PT,fr' } });
    expect(await app.ask('tray')).toMatchObject({ toolTip: 'Ebbgate: Nenhuma conexão ainda' });
    await call(app, 'settings.change', { language: 'fr' });
    await app.until<{ toolTip: string }>('tray', ({ toolTip }) => toolTip === 'Ebbgate: Aucune connexion pour l’instant');
    await app.ask('close');
    expect(await oneBox(app)).toMatchObject([{ buttons: ['Garder en marche', 'Quitter', 'Plus tard'] }]);
  });

  it('start Ebbgate at login only while the user wants it', async () => {
    const app = await start();
    const file = join(app.home, '.config/autostart/ebbgate.desktop');
    expect(existsSync(file)).toBe(false);
    await call(app, 'settings.change', { launchAtLogin: true });
    await expect.poll(() => existsSync(file)).toBe(true);
    expect(readFileSync(file, 'utf8')).toContain('"/opt/ebbgate/app" "--hidden"');
    await call(app, 'settings.change', { launchAtLogin: false });
    await expect.poll(() => existsSync(file)).toBe(false);
  });
});

describe('the tray icon', () => {
  it('follows the panel from light to dark', async () => {
    const app = await start();
    expect((await app.ask<{ icon: string }>('tray')).icon).toMatch(/ready-light\.png$/);
    await app.ask('theme', { dark: true });
    expect((await app.ask<{ icon: string }>('tray')).icon).toMatch(/ready-dark\.png$/);
  });

  it('is drawn again only when it says something else', async () => {
    const app = await start();
    const drawings = async () => (await app.ask<LogLine[]>('log')).filter(({ what }) => what === 'tray.menu').length;
    const before = await drawings();
    await call(app, 'settings.change', { notifications: false });
    await call(app, 'settings.change', { language: 'fr' });
    await app.until<{ toolTip: string }>('tray', ({ toolTip }) => toolTip.includes('Aucune'));
    expect(await drawings()).toBe(before + 1);
  });
});

describe('sleep', () => {
  it('leaves the app as it was, and the tray is told again on waking', async () => {
    const app = await start();
    await connectTo(app);
    await app.ask('power', { event: 'suspend' });
    await app.ask('power', { event: 'resume' });
    expect(await view(app)).toMatchObject({ state: 'ready', session: { state: 'open' } });
    await app.ask('quit');
    expect([(await app.ended).code, homeText(app)]).toEqual([0, '# a, learned more\n']);
  });
});

describe('a notification', () => {
  /** A remote whose new skill waits for review, ended while nobody looks at the window. */
  async function held(app: StoodInApp): Promise<string> {
    const id = await connectTo(app);
    await writeTree(remoteHome, { 'skills/.usage.json': '{"a": 3}\n', 'skills/a/SKILL.md': '# a\n' });
    await writeTree(join(app.home, '.hermes'), { 'skills/.usage.json': '{"a": 1}\n' });
    await app.ask('blur');
    await call(app, 'session.end', { connection: id, allow: [] });
    return id;
  }

  it('tells what is held, leads to it, and goes once it is resolved', async () => {
    const app = await start();
    const id = await held(app);
    const [note] = await app.until<readonly Note[]>('notifications', ({ length }) => length === 1);
    expect(note).toMatchObject({ id: `${id}:trouble`, title: 'build-box needs you' });
    await app.ask('clickNotification');
    await app.until<Seen>('window', ({ url }) => url.endsWith(`#/connection/${id}`));
    const { items } = await call<Reply<'inbox.list'>>(app, 'inbox.list', { connection: id });
    await call(app, 'inbox.resolve', { ids: items.map((item) => item.id), choice: 'keep-local' });
    await app.until<readonly Note[]>('notifications', ({ length }) => length === 0);
  });

  it('is not shown to who looks at the window, nor to who wants none; the tray says it all the same', async () => {
    const app = await start();
    await call(app, 'settings.change', { notifications: false });
    const id = await held(app);
    await app.until<{ menu: { id: string }[] }>('tray', ({ menu }) => menu.some((entry) => entry.id === `needs-you:${id}`));
    // The menu names what waits while the run still works; the badge counts once it has ended.
    await app.until<number>('badge', (badge) => badge === 1);
    expect(await app.ask('notifications')).toEqual([]);
  });

  it('never comes when everything went well', async () => {
    const app = await start();
    const id = await connectTo(app);
    await app.ask('blur');
    await call(app, 'session.end', { connection: id, allow: [] });
    await app.until<{ toolTip: string }>('tray', ({ toolTip }) => toolTip.includes('· ended '));
    expect((await app.ask<LogLine[]>('log')).filter(({ what }) => what === 'notification')).toEqual([]);
  });
});
