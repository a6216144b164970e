import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ensureBuilt, type LogLine, type StoodInApp, type StoodInOptions, startStoodInApp } from '../support/stood-in-app';
import {
  call,
  type DeskApp,
  type Ground,
  holdSomething,
  homeText,
  idsOf,
  oneBox,
  type Seen,
  sessionsOf,
  startGround,
  untilMenu,
} from './desk';
import { deskFlows } from './flows';

let ground: Ground;
const apps: StoodInApp[] = [];

beforeAll(async () => {
  ensureBuilt();
  ground = await startGround();
});
afterAll(() => ground.stop());
beforeEach(() => ground.next());
afterEach(async () => {
  ground.gate.open();
  await Promise.all(apps.splice(0).map((app) => app.dispose()));
});

type StartedApp = StoodInApp & DeskApp;

function desk(app: StoodInApp): StartedApp {
  apps.push(app);
  // The system's lock is the stand-in's: a second instance is what the first one hears of it.
  return { ...app, startAgain: () => app.ask('emit', { event: 'second-instance' }) };
}

/** Started, with everything that happens at a start behind it. */
async function start(options: StoodInOptions = {}): Promise<StartedApp> {
  const app = desk(await startStoodInApp({ trayHost: true, ...options }));
  await app.ask('ready');
  await app.until('tray', (tray) => tray !== null);
  if (!options.args?.includes('--hidden')) await app.until<Seen | undefined>('window', (window) => window?.visible === true);
  return app;
}

describe('the whole app', () => {
  it.each(deskFlows)('$name', async ({ run }) => {
    const app = await start();
    await run(app, ground);
  });
});

describe('the end of the user’s session, as Windows tells the window', () => {
  it('asks nothing, reaches for no remote and lets go of the data folder', async () => {
    const app = await start();
    await ground.connectTo(app);
    ground.gate.shut();
    await app.ask('sessionEnd');
    const { code, log } = await app.ended;
    expect({ code, asked: log.filter(({ what }) => what === 'messageBox'), sessions: await sessionsOf(app) }).toEqual({
      ...{ code: 0, asked: [], sessions: ['open'] },
    });
    expect(existsSync(join(app.dataDir, 'owner.lock'))).toBe(false);
  });
});

describe('a start after a session that did not end', () => {
  async function leftOpen(): Promise<{ readonly app: StartedApp; readonly before: StartedApp }> {
    const before = await start();
    await ground.connectTo(before);
    await before.ask('power', { event: 'shutdown' });
    await before.ended;
    const app = desk(
      await startStoodInApp({ trayHost: true, args: ['--hidden'], env: { HOME: before.home, EBBGATE_DATA_DIR: before.dataDir } }),
    );
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

describe('a notification', () => {
  it('is not shown to who looks at the window, nor to who wants none; the tray says it all the same', async () => {
    const app = await start();
    await call(app, 'settings.change', { notifications: false });
    const id = await holdSomething(app, ground);
    await untilMenu(app, (menu) => idsOf(menu).includes(`needs-you:${id}`));
    // The menu names what waits while the run still works; the badge counts once it has ended.
    await app.until<number>('badge', (badge) => badge === 1);
    expect(await app.ask('notifications')).toEqual([]);
  });

  it('never comes when everything went well', async () => {
    const app = await start();
    const id = await ground.connectTo(app);
    await app.ask('blur');
    await call(app, 'session.end', { connection: id, allow: [] });
    await app.until<{ toolTip: string }>('tray', ({ toolTip }) => toolTip.includes('· ended '));
    expect((await app.ask<LogLine[]>('log')).filter(({ what }) => what === 'notification')).toEqual([]);
  });
});
