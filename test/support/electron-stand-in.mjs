// A strict stand-in for 'electron' under plain Node. It throws where Electron would misbehave silently or later: use before
// ready, unknown members, two handlers for one channel, use after destroy. Longer than other files because one file is what
// the loader hook replaces the module with. Driven over the process channel: see `drive` at the end.
import { EventEmitter } from 'node:events';

const refuseLock = process.env.STAND_IN_LOCK === 'refused';
const log = [];
let ready = false;

function record(what, detail) {
  log.push({ what, ...(detail === undefined ? {} : { detail }) });
}

/** Throws on members that the real object may have but this one does not: the stand-in must grow, not guess. */
function strict(name, target) {
  return new Proxy(target, {
    get(object, key, receiver) {
      if (typeof key === 'symbol' || key in object || key === 'then' || key === 'toJSON') return Reflect.get(object, key, receiver);
      throw new Error(`electron stand-in: ${name}.${key} is unknown`);
    },
  });
}

function needsReady(what) {
  if (!ready) throw new Error(`electron stand-in: ${what} used before ready`);
}

class Destroyable extends EventEmitter {
  destroyed = false;
  alive(what) {
    if (this.destroyed) throw new Error(`electron stand-in: Object has been destroyed (${what})`);
  }
}

class App extends EventEmitter {
  exited = false;
  requestSingleInstanceLock() {
    if (log.some(({ what }) => what !== 'app.lock')) throw new Error('electron stand-in: the lock was not claimed first');
    record('app.lock', !refuseLock);
    return !refuseLock;
  }
  enableSandbox() {
    if (ready) throw new Error('electron stand-in: enableSandbox after ready');
    record('app.enableSandbox');
  }
  isReady() {
    return ready;
  }
  whenReady() {
    return ready ? Promise.resolve() : new Promise((resolve) => this.once('ready', resolve));
  }
  quit() {
    record('app.quit');
    let held = false;
    this.emit('before-quit', {
      preventDefault: () => {
        held = true;
      },
    });
    if (held) return record('quit held');
    for (const window of [...windows]) window.close();
    if (windows.size > 0) return record('quit held by a window');
    this.emit('will-quit', { preventDefault() {} });
    this.exit(0);
  }
  exit(code) {
    if (this.exited) return;
    this.exited = true;
    record('app.exit', code);
    process.send?.({ exiting: code, log }, () => process.exit(code));
  }
}
export const app = strict('app', new App());

const windows = new Set();
let nextId = 1;

class Contents extends Destroyable {
  id = nextId++;
  mainFrame = { parent: null, url: 'about:blank' };
  openHandler = null;
  sent = [];
  isDestroyed() {
    return this.destroyed;
  }
  send(channel, data) {
    this.alive('send');
    this.sent.push({ channel, data: structuredClone(data) });
  }
  setWindowOpenHandler(handler) {
    this.openHandler = handler;
  }
  reload() {
    this.alive('reload');
    record('contents.reload');
  }
}

class Window extends Destroyable {
  visible = false;
  webContents = strict('webContents', new Contents());
  constructor(options) {
    super();
    needsReady('BrowserWindow');
    record('BrowserWindow', options);
  }
  async loadURL(url) {
    this.alive('loadURL');
    if (!protocols.has(new URL(url).protocol.slice(0, -1))) throw new Error(`electron stand-in: nothing serves ${url}`);
    this.webContents.mainFrame.url = url;
    record('loadURL', url);
  }
  show() {
    this.alive('show');
    this.visible = true;
    record('window.show');
  }
  hide() {
    this.alive('hide');
    this.visible = false;
    record('window.hide');
  }
  focus() {
    this.alive('focus');
  }
  restore() {
    this.alive('restore');
  }
  isMinimized() {
    this.alive('isMinimized');
    return false;
  }
  isDestroyed() {
    return this.destroyed;
  }
  close() {
    this.alive('close');
    let held = false;
    this.emit('close', {
      preventDefault: () => {
        held = true;
      },
    });
    if (!held) this.destroy();
  }
  destroy() {
    this.destroyed = true;
    this.webContents.destroyed = true;
    windows.delete(this.self);
    record('window.closed');
    this.emit('closed');
    if (windows.size === 0) app.emit('window-all-closed');
  }
}
export const BrowserWindow = new Proxy(Window, {
  construct(target, [options]) {
    const window = new target(options);
    window.self = strict('BrowserWindow', window);
    windows.add(window.self);
    return window.self;
  },
});

class TrayIcon extends Destroyable {
  menu = null;
  toolTip = '';
  constructor(image) {
    super();
    needsReady('Tray');
    if (!image?.isImage) throw new Error('electron stand-in: a tray needs an image');
    record('Tray');
    tray = this;
  }
  setImage(image) {
    this.alive('setImage');
    if (!image?.isImage) throw new Error('electron stand-in: a tray needs an image');
  }
  setToolTip(text) {
    this.alive('setToolTip');
    this.toolTip = text;
  }
  setContextMenu(menu) {
    this.alive('setContextMenu');
    this.menu = menu;
    record('tray.menu');
  }
  destroy() {
    this.destroyed = true;
    record('tray.destroyed');
  }
}
let tray = null;
export const Tray = new Proxy(TrayIcon, {
  construct: (target, [image]) => strict('Tray', new target(image)),
});

export const Menu = strict('Menu', {
  buildFromTemplate(template) {
    needsReady('Menu');
    const ids = new Set();
    for (const { id, label, role, type } of template) {
      if (!label && !role && type !== 'separator') throw new Error('electron stand-in: a menu entry needs a label, a role or a type');
      if (id && ids.has(id)) throw new Error(`electron stand-in: two menu entries are named ${id}`);
      ids.add(id);
    }
    return template;
  },
  setApplicationMenu() {
    needsReady('Menu');
  },
});

const handlers = new Map();
export const ipcMain = strict('ipcMain', {
  handle(channel, handler) {
    if (handlers.has(channel)) throw new Error(`electron stand-in: second handler for '${channel}'`);
    handlers.set(channel, handler);
  },
  removeHandler(channel) {
    handlers.delete(channel);
  },
});

const protocols = new Map();
export const protocol = strict('protocol', {
  registerSchemesAsPrivileged(schemes) {
    if (ready) throw new Error('electron stand-in: schemes are registered before ready');
    record('schemes', schemes);
  },
  handle(scheme, handler) {
    needsReady('protocol.handle');
    if (protocols.has(scheme)) throw new Error(`electron stand-in: second handler for ${scheme}:`);
    protocols.set(scheme, handler);
  },
});

let permissionRequest = null;
let permissionCheck = null;
export const session = strict('session', {
  get defaultSession() {
    needsReady('session');
    return strict('defaultSession', {
      setPermissionRequestHandler(handler) {
        permissionRequest = handler;
      },
      setPermissionCheckHandler(handler) {
        permissionCheck = handler;
      },
    });
  },
});

const image = () =>
  strict('nativeImage', {
    isImage: true,
    addRepresentation() {},
    setTemplateImage() {},
    toPNG: () => Buffer.from('png'),
  });
export const nativeImage = strict('nativeImage', {
  createEmpty: image,
  createFromBitmap(bitmap, { width, height }) {
    if (bitmap.length !== width * height * 4) throw new Error('electron stand-in: wrong bitmap length');
    return image();
  },
});

export const dialog = strict('dialog', {
  showErrorBox(title, content) {
    needsReady('dialog');
    record('errorBox', { title, content });
  },
  showMessageBox(options) {
    needsReady('dialog');
    record('messageBox', { message: options.message, buttons: options.buttons });
    return new Promise((resolve) => {
      options.signal?.addEventListener('abort', () => resolve({ response: options.cancelId ?? 0 }));
      answerMessageBox = (response) => resolve({ response });
    });
  },
});
let answerMessageBox = () => {};

function findEntry(entries, id) {
  for (const entry of entries ?? []) {
    if (entry.id === id) return entry;
    const inside = findEntry(entry.submenu, id);
    if (inside) return inside;
  }
  return undefined;
}

const plainMenu = (entries) =>
  (entries ?? []).map(({ id, label, type, enabled, submenu }) => ({
    id,
    label,
    type,
    enabled,
    ...(submenu && { submenu: plainMenu(submenu) }),
  }));

const theWindow = () => [...windows][0];

/** What the test may ask of this process. */
const drive = {
  async ready() {
    await globalThis.entryHasRun;
    ready = true;
    app.emit('ready');
  },
  log: () => log,
  tray: () => tray && { menu: plainMenu(tray.menu), toolTip: tray.toolTip, destroyed: tray.destroyed },
  window: () =>
    theWindow() && { visible: theWindow().visible, url: theWindow().webContents.mainFrame.url, sent: theWindow().webContents.sent },
  click: ({ id }) => findEntry(tray.menu, id).click(),
  close: () => theWindow().close(),
  emit: ({ event }) => void app.emit(event, {}, [], ''),
  quit: () => app.quit(),
  answer: ({ response }) => answerMessageBox(response),
  /** A call as the renderer makes it; `from` says which frame it comes from. */
  async call({ name, params, from = 'window' }) {
    const { webContents } = theWindow();
    const events = {
      window: { sender: webContents, senderFrame: webContents.mainFrame },
      'sub-frame': { sender: webContents, senderFrame: { parent: webContents.mainFrame, url: webContents.mainFrame.url } },
      'other-page': { sender: webContents, senderFrame: { parent: null, url: 'https://example.org/index.html' } },
      'other-window': { sender: new Contents(), senderFrame: { parent: null, url: webContents.mainFrame.url } },
      'gone-frame': { sender: webContents, senderFrame: null },
    };
    return handlers.get('ebbgate:call')(events[from], name, params);
  },
  async fetchPage({ url }) {
    const response = await protocols.get('ebbgate')({ url });
    return { status: response.status, headers: Object.fromEntries(response.headers), length: (await response.text()).length };
  },
  navigate({ url }) {
    let denied = false;
    theWindow().webContents.emit('will-navigate', {
      url,
      preventDefault: () => {
        denied = true;
      },
    });
    return { denied };
  },
  openWindow: () => theWindow().webContents.openHandler({ url: 'https://example.org/' }),
  permission({ permission }) {
    let granted = null;
    permissionRequest(theWindow().webContents, permission, (answer) => {
      granted = answer;
    });
    return { granted, checked: permissionCheck(theWindow().webContents, permission) };
  },
};

process.on('message', async ({ id, command, args }) => {
  try {
    process.send({ id, value: await drive[command](args ?? {}) });
  } catch (error) {
    process.send({ id, error: error.message });
  }
});
