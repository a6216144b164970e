import { join } from 'node:path';
import { app, Menu, screen, shell } from 'electron';
import type { AppEvent, Status } from '../../shared/contract';
import type { Settings } from '../../shared/settings';
import { serveIpc } from '../ipc/electron';
import type { ComposedApp } from '../ipc/host';
import { endOpenSessions, offerUnfinished, perform } from './actions';
import { createDialogs, type Dialogs } from './dialogs';
import { call } from './host-calls';
import type { IdleWatch } from './idle';
import { releasePage } from './links';
import { setLaunchAtLogin } from './login-item';
import type { NoticeAction } from './notices';
import { createNotifier, type Notifier } from './notify';
import { isOwnPage } from './pages';
import { placeWindow, type Rectangle, restoreWindow } from './placement';
import { followPower } from './power';
import { onQuestion } from './questions';
import { endEverything, holdQuit } from './quit';
import { hasTrayHost } from './tray-host';
import { keepTray, type TrayKeeper } from './tray-keeper';
import type { TrayAction } from './tray-model';
import { followUpdates } from './updates';
import { type AppWindow, createAppWindow } from './window';
import { type Speech, speechFor } from './words';

export interface ShellOptions {
  /** The folder of the built files. */
  readonly out: string;
  /** Started at login: the window stays hidden where a tray shows the app. */
  readonly hidden: boolean;
  readonly platform: NodeJS.Platform;
}

/** The running shell. */
export interface Shell {
  /** Shows the window, as a second start or a click on the Dock does. */
  show(): void;
}

/** Puts window, tray, notifications and life cycle around the application. Needs Electron to be ready. */
export async function startShell(host: ComposedApp, options: ShellOptions): Promise<Shell> {
  const desk = new Desk(host, options, await call(host, 'settings.read', {}));
  await desk.start();
  return { show: () => desk.window.show() };
}

/** Everything the user meets outside the window, and what decides when the window comes and goes. */
class Desk {
  readonly window: AppWindow;
  readonly #host: ComposedApp;
  readonly #options: ShellOptions;
  readonly #dialogs: Dialogs;
  readonly #notifier: Notifier;
  readonly #idle: IdleWatch;
  readonly #isQuitting: () => boolean;
  #settings: Settings;
  #tray: TrayKeeper | null = null;
  #trayIsSeen = false;
  #isLoggingOff = false;
  #isAskingAboutClosing = false;
  #update: string | null = null;
  #stops: readonly (() => void)[] = [];

  constructor(host: ComposedApp, options: ShellOptions, settings: Settings) {
    const { platform } = options;
    this.#host = host;
    this.#options = options;
    this.#settings = settings;
    const menu = platform === 'darwin' ? Menu.buildFromTemplate([{ role: 'appMenu' }, { role: 'editMenu' }]) : null;
    Menu.setApplicationMenu(menu);
    this.#dialogs = createDialogs(this.#speech);
    this.#isQuitting = holdQuit(app, () => this.#end(), reportError);
    this.window = this.#makeWindow();
    this.#notifier = createNotifier({
      ...{ platform, speech: this.#speech, act: this.#act, report: reportError },
      wanted: () => this.#settings.notifications && !this.window.isInFront(),
    });
    this.#idle = followPower({
      onResume: () => {
        host.resumed();
        this.#tray?.refreshSoon();
      },
      onShutdown: this.#logOff,
      onIdle: () => void endOpenSessions(host).catch(reportError),
    });
  }

  async start(): Promise<void> {
    const { hidden, out, platform } = this.#options;
    serveIpc(this.#host, { contents: this.window.contents, isOwn: isOwnPage });
    const asked = onQuestion(this.#host, (id) => this.window.show({ kind: 'connection', id }));
    this.#stops = [this.#host.listen((event) => this.#hear(event)), this.#followUpdates(), asked];
    this.#tray = await keepTray({
      ...{ host: this.#host, icons: join(out, 'icons'), platform, speech: this.#speech, act: this.#act, report: reportError },
      facts: () => ({ update: this.#update, paused: this.#settings.paused }),
      onStatus: (status) => this.#takeStatus(status),
    });
    this.#trayIsSeen = this.#tray.view !== null && (await hasTrayHost(platform));
    this.#follow(this.#settings);
    if (!hidden || !this.#trayIsSeen) this.window.show();
    void this.#host.dispatch('guard.watch', {});
    void offerUnfinished(this.#deps, this.#dialogs.bringHome).catch(reportError);
  }

  readonly #speech = (): Speech => speechFor(app.getPreferredSystemLanguages(), this.#settings.language);

  readonly #act = (action: TrayAction | NoticeAction): void => void perform(action, this.#deps).catch(reportError);

  get #deps() {
    return {
      host: this.#host,
      show: this.window.show,
      openReleases: () => void shell.openExternal(releasePage),
      quit: () => app.quit(),
    };
  }

  #makeWindow(): AppWindow {
    const { out } = this.#options;
    return createAppWindow({
      preload: join(out, 'preload/index.cjs'),
      rendererRoot: join(out, 'renderer'),
      place: (window) => this.#placeFor(window),
      // Without a tray a closed window would leave an invisible process.
      mayClose: () => this.#isQuitting() || !this.#trayIsSeen,
      onKept: () => void this.#decideClosing().catch(reportError),
      onClosed: () => {
        if (!this.#isQuitting()) app.quit();
      },
      onSessionEnd: this.#logOff,
    });
  }

  /** Where the user left it, otherwise near the tray icon where the system allows that. */
  #placeFor(window: { readonly width: number; readonly height: number }): Partial<Rectangle> | null {
    const saved = this.window.bounds() ?? this.#settings.window;
    const screens = [screen.getPrimaryDisplay(), ...screen.getAllDisplays()];
    if (saved !== null) return restoreWindow({ saved, workAreas: screens.map(({ workArea }) => workArea) });
    const tray = this.#tray?.view?.bounds();
    if (!tray) return null;
    return placeWindow({ platform: this.#options.platform, tray, workArea: screen.getDisplayMatching(tray).workArea, window });
  }

  #hear(event: AppEvent): void {
    if (event.event === 'run') this.#notifier.ended(event.data);
    if (event.event !== 'settings') return;
    const before = this.#settings;
    this.#settings = event.data;
    if (before.launchAtLogin !== event.data.launchAtLogin) this.#follow(event.data);
    else this.#idle.limit(idleLimit(event.data));
  }

  /** Makes the system do what the settings say. */
  #follow(settings: Settings): void {
    this.#idle.limit(idleLimit(settings));
    void setLaunchAtLogin(settings.launchAtLogin, this.#options.platform).catch(reportError);
  }

  #takeStatus(status: Status): void {
    this.#notifier.settle(status);
    app.setBadgeCount(status.needsYou);
  }

  /** Asked once, then remembered. */
  async #decideClosing(): Promise<void> {
    const { closeToTray } = this.#settings;
    if (closeToTray !== null) return closeToTray ? this.window.hide() : app.quit();
    if (this.#isAskingAboutClosing) return;
    this.#isAskingAboutClosing = true;
    try {
      const keep = await this.#dialogs.keepInTray();
      if (keep === null) return;
      await call(this.#host, 'settings.change', { closeToTray: keep });
      if (keep) this.window.hide();
      else app.quit();
    } finally {
      this.#isAskingAboutClosing = false;
    }
  }

  /** Only an installed Ebbgate can be out of date. */
  #followUpdates(): () => void {
    if (!app.isPackaged) return () => {};
    const found = (version: string) => {
      this.#update = version;
      this.#tray?.refreshSoon();
    };
    return followUpdates(app.getVersion(), () => this.#settings.checkForUpdates, found);
  }

  /** No time is left to ask or to reach a remote: what is open stays so in the store, and is offered at the next start. */
  readonly #logOff = (): void => {
    this.#isLoggingOff = true;
    app.quit();
  };

  async #end(): Promise<void> {
    for (const stop of this.#stops) stop();
    this.#idle.limit(null);
    this.#tray?.stop();
    this.#notifier.dispose();
    const place = this.window.bounds();
    // What is not kept is where the window was, and nothing else.
    if (place !== null) await call(this.#host, 'settings.change', { window: place }).catch(reportError);
    await (this.#isLoggingOff ? this.#host.dispose() : endEverything(this.#host, this.#dialogs.quit));
  }
}

function idleLimit({ idleEndMinutes, paused }: Settings): number | null {
  return idleEndMinutes === null || paused ? null : idleEndMinutes * 60_000;
}

function reportError(error: unknown): void {
  console.error(`ebbgate: ${error instanceof Error ? error.message : String(error)}`);
}
