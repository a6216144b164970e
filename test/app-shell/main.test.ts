import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ensureBuilt, type LogLine, type StoodInApp, type StoodInOptions, startStoodInApp } from '../support/stood-in-app';

interface Seen {
  readonly visible: boolean;
  readonly url: string;
}
interface Entry {
  readonly id?: string;
  readonly label?: string;
}
interface TrayFacts {
  readonly menu: readonly Entry[];
  readonly toolTip: string;
}
interface Envelope {
  readonly ok: boolean;
  readonly value?: { readonly connections?: readonly unknown[] };
  readonly error?: { readonly code: string };
}

const apps: StoodInApp[] = [];

async function start(options?: StoodInOptions): Promise<StoodInApp> {
  const app = await startStoodInApp(options);
  apps.push(app);
  return app;
}

async function startWithWindow(options?: StoodInOptions): Promise<StoodInApp> {
  const app = await start(options);
  await app.ask('ready');
  await app.until<Seen | undefined>('window', (window) => window?.visible === true);
  return app;
}

beforeAll(ensureBuilt);

/** A connection to a port where nothing listens. */
async function addConnection(app: StoodInApp): Promise<string> {
  const params = { name: 'build-box', address: { kind: 'address', user: 'me', host: '127.0.0.1', port: 1 } };
  const added = await app.ask<{ ok: boolean; value: { id: string } }>('call', { name: 'connection.add', params });
  expect(added.ok).toBe(true);
  return added.value.id;
}

/** One running app for tests that leave it as it is. */
function sharedApp(): { readonly ask: StoodInApp['ask'] } {
  let app: StoodInApp | undefined;
  beforeAll(async () => {
    app = await startStoodInApp();
    await app.ask('ready');
    await app.until<Seen | undefined>('window', (window) => window?.visible === true);
  });
  afterAll(() => app?.dispose());
  return { ask: (command, args) => app?.ask(command, args) ?? Promise.reject(new Error('not started')) };
}

afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.dispose()));
});

const namesOf = (log: readonly LogLine[]) => log.map(({ what }) => what);

describe('the start of the built main process', () => {
  it('claims the instance first and waits for readiness before anything is shown', async () => {
    const app = await start();
    expect(namesOf(await app.ask<LogLine[]>('log'))).toEqual(['app.lock', 'app.enableSandbox', 'schemes']);
  });

  it('ends quietly without opening anything when another instance runs', async () => {
    const app = await start({ env: { STAND_IN_LOCK: 'refused' } });
    const { code, log, stderr } = await app.ended;
    expect({ code, stderr, did: namesOf(log) }).toEqual({ code: 0, stderr: '', did: ['app.lock', 'app.quit', 'app.exit'] });
  });

  it('says why and ends when the data folder cannot be used', async () => {
    const app = await start({ env: { EBBGATE_DATA_DIR: '/dev/null' } });
    await app.ask('ready');
    const { code, log, stderr } = await app.ended;
    expect({ code, end: namesOf(log).slice(-2) }).toEqual({ code: 1, end: ['errorBox', 'app.exit'] });
    expect(stderr).toMatch(/^ebbgate: .*\.\n$/);
  });

  it('creates its window sandboxed, isolated and without Node', async () => {
    const app = await startWithWindow();
    const log = await app.ask<LogLine[]>('log');
    const created = log.find(({ what }) => what === 'BrowserWindow')?.detail as { webPreferences: Record<string, unknown> } | undefined;
    expect(created?.webPreferences).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      webviewTag: false,
    });
    expect(created?.webPreferences.preload).toMatch(/out[\\/]preload[\\/]index\.cjs$/);
  });

  it('shows a tray whose attached menu opens the window and quits', async () => {
    const app = await startWithWindow();
    const tray = await app.ask<TrayFacts>('tray');
    expect(tray.menu.map(({ id }) => id)).toEqual(['status', 'before-app', 'open', 'settings', 'quit']);
    expect(tray.toolTip).toBe('Ebbgate: No connection yet');
  });

  it('opens the window although it was started hidden where nothing shows a tray', async () => {
    const app = await start({ args: ['--hidden'] });
    await app.ask('ready');
    expect((await app.until<Seen | undefined>('window', (window) => window !== undefined))?.url).toBe('ebbgate://app/index.html');
  });
});

describe('the window of the built main process', () => {
  const shared = sharedApp();

  it('gets its page and scripts under a policy that allows nothing from elsewhere', async () => {
    const page = await shared.ask<{ status: number; headers: Record<string, string>; length: number }>('fetchPage', {
      url: 'ebbgate://app/index.html',
    });
    expect(page.status).toBe(200);
    expect(page.length).toBeGreaterThan(0);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'");
  });

  it.each([
    'ebbgate://app/../main/index.js',
    'ebbgate://app/%2e%2e%2fmain%2findex.js',
    'ebbgate://other/index.html',
    'ebbgate://app/none.js',
  ])('finds nothing at %s', async (url) => {
    expect(await shared.ask('fetchPage', { url })).toMatchObject({ status: 404 });
  });

  it('leaves its page for nothing, opens no other window and grants no permission', async () => {
    expect(await shared.ask('navigate', { url: 'https://example.org/' })).toEqual({ denied: true });
    expect(await shared.ask('navigate', { url: 'ebbgate://app/assets/index.js' })).toEqual({ denied: true });
    for (const url of ['https://example.org/', 'https://example.org/ebbgate/releases', 'ebbgate://app/index.html']) {
      expect(await shared.ask('openWindow', { url })).toEqual({ action: 'deny' });
    }
    expect(await shared.ask('permission', { permission: 'media' })).toEqual({ granted: false, checked: false, device: false });
  });

  it('opens an address in the browser only when it is on the list', async () => {
    const opened = (await shared.ask<LogLine[]>('log')).filter(({ what }) => what === 'openExternal').map(({ detail }) => detail);
    expect(opened).toEqual(['https://example.org/ebbgate/releases']);
  });

  it('saves only what its own page made', async () => {
    expect(await shared.ask('download', { url: 'blob:ebbgate://app/0f0e' })).toEqual({ denied: false });
    for (const url of ['https://example.org/x.exe', 'blob:https://example.org/0f0e', 'data:text/plain,x']) {
      expect(await shared.ask('download', { url })).toEqual({ denied: true });
    }
  });

  it('is shown again by a second start, and by a click on the Dock', async () => {
    const app = await startWithWindow();
    const shows = (log: readonly LogLine[]) => namesOf(log).filter((what) => what === 'window.show').length;
    await app.ask('emit', { event: 'second-instance' });
    await app.until<LogLine[]>('log', (log) => shows(log) === 2);
    await app.ask('emit', { event: 'activate' });
    expect(shows(await app.until<LogLine[]>('log', (log) => shows(log) === 3))).toBe(3);
  });
});

describe('requests to the built main process', () => {
  const shared = sharedApp();

  it('answers the status with what is stored', async () => {
    expect(await shared.ask<Envelope>('call', { name: 'status', params: {} })).toEqual({
      ok: true,
      value: { connections: [], needsYou: 0 },
    });
  });

  it.each(['sub-frame', 'other-page', 'other-window', 'gone-frame'])('refuses one from another sender: %s', async (from) => {
    const answer = await shared.ask<Envelope>('call', { name: 'status', params: {}, from });
    expect({ ok: answer.ok, code: answer.error?.code }).toEqual({ ok: false, code: 'usage.invalid' });
  });

  it.each([
    { name: 'nothing.known', params: {} },
    { name: 7, params: {} },
    { name: 'session.start', params: { connection: 7 } },
    { name: 'session.start', params: null },
  ])('answers $name with $params by an error, not by a crash', async (request) => {
    expect(await shared.ask<Envelope>('call', request)).toMatchObject({ ok: false, error: { code: 'usage.invalid' } });
    expect(await shared.ask<Envelope>('call', { name: 'status', params: {} })).toMatchObject({ ok: true });
  });

  it('shows a new connection in tray and window', async () => {
    const app = await startWithWindow();
    const id = await addConnection(app);
    const tray = await app.until<TrayFacts>('tray', ({ menu }) => menu.some((entry) => entry.id === `connection:${id}`));
    expect(tray.toolTip).toBe('Ebbgate: build-box · no session ended yet');
    const { sent } = await app.ask<{ sent: { channel: string; data: unknown }[] }>('window');
    expect(sent).toContainEqual({ channel: 'ebbgate:event', data: { event: 'changed', data: {} } });
  });

  it.each(['show', 'start'])('opens the window at a connection when %s in its submenu needs more room than a menu has', async (name) => {
    const app = await startWithWindow();
    const id = await addConnection(app);
    await app.until<TrayFacts>('tray', ({ menu }) => menu.some((entry) => entry.id === `connection:${id}`));
    await app.ask('click', { id: `${name}:${id}` });
    const shown = await app.until<Seen>('window', ({ url }) => url.includes('#'));
    expect(shown.url).toBe(`ebbgate://app/index.html#/connection/${id}`);
  });
});

describe('quitting the built main process', () => {
  it('waits until the application let go of its data folder', async () => {
    const app = await startWithWindow();
    const lock = join(app.dataDir, 'owner.lock');
    expect(existsSync(lock)).toBe(true);
    await app.ask('quit');
    const { code, log, stderr } = await app.ended;
    expect({ code, stderr, isLocked: existsSync(lock) }).toEqual({ code: 0, stderr: '', isLocked: false });
    const end = namesOf(log).slice(namesOf(log).indexOf('app.quit'));
    expect(end).toEqual(['app.quit', 'tray.destroyed', 'quit held', 'app.quit', 'window.closed', 'app.exit']);
  });

  it('happens from the tray menu', async () => {
    const app = await startWithWindow();
    await app.ask('click', { id: 'quit' });
    expect((await app.ended).code).toBe(0);
  });

  it('follows closing the window where nothing shows a tray, so that no invisible process stays', async () => {
    const app = await startWithWindow();
    await app.ask('close');
    expect((await app.ended).code).toBe(0);
  });
});
