import { BrowserWindow, protocol, session, type WebContents } from 'electron';
import { isOwnPage, pageScheme, pageUrl, servePage } from './pages';

/** The application's one window. */
export interface AppWindow {
  /** Creates, shows and focuses it, at a connection when one is named. */
  show(connection?: string): void;
  /** The contents of the window while there is one. */
  contents(): WebContents | null;
  dispose(): void;
}

export interface WindowOptions {
  readonly preload: string;
  readonly rendererRoot: string;
  /** Asked when the user closes the window: true hides it, false lets it go. */
  readonly hidesOnClose: () => boolean;
  /** Called after the window was really closed. */
  readonly onClosed: () => void;
}

/** Must run before Electron is ready. */
export function registerPageScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: pageScheme, privileges: { standard: true, secure: true } }]);
}

/** Prepares the window without creating it. Needs Electron to be ready. */
export function createAppWindow(options: WindowOptions): AppWindow {
  protocol.handle(pageScheme, (request) => servePage(options.rendererRoot, request.url));
  session.defaultSession.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.defaultSession.setPermissionCheckHandler(() => false);
  let window: BrowserWindow | null = null;

  const open = (hash: string): BrowserWindow => {
    const opened = openWindow(options.preload);
    opened.on('close', (event) => {
      if (!options.hidesOnClose()) return;
      event.preventDefault();
      opened.hide();
    });
    opened.on('closed', () => {
      window = null;
      options.onClosed();
    });
    void load(opened, hash);
    return opened;
  };

  return {
    show: (connection) => {
      const hash = connection === undefined ? '' : `#/connection/${encodeURIComponent(connection)}`;
      if (window === null) window = open(hash);
      else if (hash !== '') void load(window, hash);
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
    },
    contents: () => (window === null || window.isDestroyed() ? null : window.webContents),
    dispose: () => {
      if (window !== null && !window.isDestroyed()) window.destroy();
    },
  };
}

function openWindow(preload: string): BrowserWindow {
  const window = new BrowserWindow({
    width: 400,
    height: 600,
    minWidth: 360,
    minHeight: 480,
    title: 'Ebbgate',
    show: false,
    autoHideMenuBar: true,
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      webviewTag: false,
      spellcheck: false,
    },
  });
  lockDown(window.webContents);
  return window;
}

/** The window shows its own page and nothing else. */
function lockDown(contents: WebContents): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  contents.on('will-navigate', (event) => {
    if (!isOwnPage(event.url)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  let reloads = 0;
  contents.on('render-process-gone', (_event, { reason }) => {
    // A page that crashes again and again stays empty instead of burning the processor; the tray goes on.
    if (reason === 'clean-exit' || reloads >= 3) return;
    reloads += 1;
    contents.reload();
  });
}

async function load(window: BrowserWindow, hash: string): Promise<void> {
  try {
    await window.loadURL(`${pageUrl}${hash}`);
  } catch (error) {
    // Closing the window, or opening it at another place, ends a load under way; a missing page was answered with 404.
    console.error(`the window's page did not load: ${error instanceof Error ? error.message : String(error)}`);
  }
}
