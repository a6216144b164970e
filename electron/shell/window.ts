import { BrowserWindow, Notification, protocol, session, shell, type WebContents } from 'electron';
import { hashOf, type Route } from '../../shared/route';
import { noNotifications } from '../ipc/channels';
import { isOpenable } from './links';
import { isOwnPage, pageOrigin, pageScheme, pageUrl, servePage } from './pages';
import { type Rectangle, smallest } from './placement';

/** The application's one window. */
export interface AppWindow {
  /** Creates, shows and focuses it, at a place when one is named; the first screen leaves an open window where it is. */
  show(place?: Route): void;
  hide(): void;
  /** Whether the user is looking at it. */
  isInFront(): boolean;
  /** The contents of the window while there is one. */
  contents(): WebContents | null;
  /** Where it is, or was when it was closed; null when there was none. Of a maximized window: where it was before. */
  bounds(): Rectangle | null;
}

export interface WindowOptions {
  readonly preload: string;
  readonly rendererRoot: string;
  /** Where a new window opens, and how large when that was changed; null for the middle of the screen. */
  place(size: { readonly width: number; readonly height: number }): Partial<Rectangle> | null;
  /** Asked when the window is closed; when false, it stays, and `onKept` decides what becomes of it. */
  mayClose(): boolean;
  onKept(): void;
  /** Called after the window was really closed. */
  onClosed(): void;
  /** Called when the system ends the user's session, on Windows. */
  onSessionEnd(): void;
}

/** Must run before Electron is ready. */
export function registerPageScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: pageScheme, privileges: { standard: true, secure: true } }]);
}

/** Prepares the window without creating it. Needs Electron to be ready. */
export function createAppWindow(options: WindowOptions): AppWindow {
  protocol.handle(pageScheme, (request) => servePage(options.rendererRoot, request.url));
  restrictSession();
  let window: BrowserWindow | null = null;
  let last: Rectangle | null = null;

  const open = (hash: string): BrowserWindow => {
    const opened = openWindow(options);
    opened.on('close', (event) => {
      last = opened.getNormalBounds();
      if (options.mayClose()) return;
      event.preventDefault();
      options.onKept();
    });
    opened.on('session-end', () => options.onSessionEnd());
    opened.on('closed', () => {
      window = null;
      options.onClosed();
    });
    void load(opened, hash);
    return opened;
  };

  return {
    show: (place = { kind: 'connections' }) => {
      const hash = place.kind === 'connections' ? '' : hashOf(place);
      if (window === null) window = open(hash);
      else if (hash !== '') void load(window, hash);
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
    },
    hide: () => window?.hide(),
    isInFront: () => window?.isFocused() ?? false,
    contents: () => (window === null || window.isDestroyed() ? null : window.webContents),
    bounds: () => (window === null || window.isDestroyed() ? last : window.getNormalBounds()),
  };
}

/** Nothing the page asks the system for is granted, and it saves only what it made itself. */
function restrictSession(): void {
  const { defaultSession } = session;
  defaultSession.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  defaultSession.setPermissionCheckHandler(() => false);
  defaultSession.setDevicePermissionHandler(() => false);
  defaultSession.on('will-download', (event, item) => {
    if (!item.getURL().startsWith(`blob:${pageOrigin}/`)) event.preventDefault();
  });
}

const size = { width: 400, height: 600 } as const;

function openWindow({ preload, place }: WindowOptions): BrowserWindow {
  const window = new BrowserWindow({
    ...size,
    ...(place(size) ?? {}),
    minWidth: smallest.width,
    minHeight: smallest.height,
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
      additionalArguments: Notification.isSupported() ? [] : [noNotifications],
    },
  });
  lockDown(window.webContents);
  return window;
}

/** The window shows its own page and nothing else; a few addresses open in the browser. */
function lockDown(contents: WebContents): void {
  contents.setWindowOpenHandler(({ url }) => {
    if (isOpenable(url)) void shell.openExternal(url);
    return { action: 'deny' };
  });
  contents.on('will-navigate', (event) => {
    if (!isOwnPage(event.url)) event.preventDefault();
  });
  contents.on('will-frame-navigate', (event) => {
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
