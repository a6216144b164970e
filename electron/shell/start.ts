import { join } from 'node:path';
import { app, dialog, Menu } from 'electron';
import type { Status } from '../../shared/contract';
import type { RunReport } from '../../shared/run-report';
import { serveIpc } from '../ipc/electron';
import type { ComposedApp } from '../ipc/host';
import { isOwnPage } from './pages';
import { endEverything, holdQuit, type QuitQuestion } from './quit';
import { createTray, type TrayView } from './tray';
import { hasTrayHost } from './tray-host';
import { type TrayAction, type TrayModel, trayModel } from './tray-model';
import { trayWords } from './tray-words';
import { type AppWindow, createAppWindow } from './window';

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

/** Puts window, tray and quit handling around the application. Needs Electron to be ready. */
export async function startShell(host: ComposedApp, { out, hidden, platform }: ShellOptions): Promise<Shell> {
  Menu.setApplicationMenu(platform === 'darwin' ? Menu.buildFromTemplate([{ role: 'appMenu' }, { role: 'editMenu' }]) : null);
  let trayIsSeen = false;
  let stopTray = () => {};
  const isQuitting = holdQuit(
    app,
    async () => {
      stopTray();
      await endEverything(host, question);
    },
    reportError,
  );
  const window = createAppWindow({
    preload: join(out, 'preload/index.cjs'),
    rendererRoot: join(out, 'renderer'),
    hidesOnClose: () => trayIsSeen && !isQuitting(),
    // Without a tray a closed window would leave an invisible process.
    onClosed: () => {
      if (!isQuitting()) app.quit();
    },
  });
  serveIpc(host, { contents: window.contents, isOwn: isOwnPage });
  const tray = await showTray(host, window, platform);
  stopTray = tray.stop;
  trayIsSeen = tray.exists && (await hasTrayHost(platform));
  if (!hidden || !trayIsSeen) window.show();
  void host.dispatch('guard.watch', {});
  return { show: () => window.show() };
}

/** Keeps the tray in step with the application, redrawing it twice a second at most. */
async function showTray(host: ComposedApp, window: AppWindow, platform: NodeJS.Platform): Promise<{ exists: boolean; stop: () => void }> {
  const read = async (): Promise<TrayModel> => {
    const reply = await host.dispatch('status', {});
    const status = reply.ok ? (reply.value as Status) : { connections: [], needsYou: 0 };
    return trayModel(status, { now: new Date(), locale: 'en' });
  };
  const act = (action: TrayAction) => void perform(action, host, window).catch(reportError);
  const tray: TrayView | null = tryTray(await read(), act, platform);
  let timer: NodeJS.Timeout | null = null;
  const refresh = async () => {
    timer = null;
    const model = await read();
    if (!stopped) tray?.update(model);
  };
  let stopped = false;
  const refreshSoon = () => {
    timer ??= setTimeout(() => void refresh().catch(reportError), 500);
  };
  const stopListening = host.listen(refreshSoon);
  // Without an event, today's time would still be shown tomorrow.
  const clock = setInterval(refreshSoon, 300_000);
  const stop = () => {
    stopped = true;
    stopListening();
    clearInterval(clock);
    if (timer !== null) clearTimeout(timer);
    tray?.dispose();
  };
  return { exists: tray !== null, stop };
}

/** A tray that cannot be made leaves the window as the whole interface. */
function tryTray(model: TrayModel, act: (action: TrayAction) => void, platform: NodeJS.Platform): TrayView | null {
  try {
    return createTray(model, act, platform);
  } catch (error) {
    reportError(error);
    return null;
  }
}

async function perform(action: TrayAction, host: ComposedApp, window: AppWindow): Promise<void> {
  switch (action.kind) {
    case 'open':
      return window.show();
    case 'open-connection':
      return window.show(action.connection);
    case 'quit':
      return app.quit();
    case 'run.cancel':
      await host.dispatch('run.cancel', { connection: action.connection });
      return;
    default: {
      const reply = await host.dispatch(action.kind, { connection: action.connection, allow: [] });
      // A question or a failure needs more room than a menu has.
      if (!reply.ok || (reply.value as RunReport).outcome !== 'done') window.show(action.connection);
    }
  }
}

const question: QuitQuestion = {
  ask: async (names, ended) => {
    const { response } = await dialog.showMessageBox({
      type: 'info',
      title: trayWords.appName,
      message: `Ending ${names.length === 1 ? 'the session' : 'the sessions'} with ${names.join(', ')}.`,
      detail: 'Ebbgate quits when everything is home. What is left now stays pending and is offered first at the next start.',
      buttons: ['Finish, then quit', 'Stop safely and quit'],
      defaultId: 0,
      cancelId: 0,
      signal: ended,
    });
    return response === 1 ? 'leave' : 'wait';
  },
};

function reportError(error: unknown): void {
  console.error(`ebbgate: ${error instanceof Error ? error.message : String(error)}`);
}
