// A strict stand-in for 'electron' under plain Node. It throws where Electron would misbehave silently or later: use before
// ready, unknown members, two handlers for one channel, use after destroy. Longer than other files because one file is what
// the loader hook replaces the module with. Driven over the process channel: see `drive` at the end.
import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';

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
  isPackaged = false;
  languages = (process.env.STAND_IN_LANGUAGES ?? 'en-US').split(',');
  getPreferredSystemLanguages() {
    needsReady('app.getPreferredSystemLanguages');
    return this.languages;
  }
  getAppPath() {
    return '/opt/ebbgate/app';
  }
  setBadgeCount(count) {
    needsReady('app.setBadgeCount');
    if (!Number.isInteger(count)) throw new Error('electron stand-in: a badge counts');
    badge = count;
    return true;
  }
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
let badge = 0;
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
  place = { x: 440, y: 100, width: 400, height: 600 };
  focused = false;
  webContents = strict('webContents', new Contents());
  constructor(options) {
    super();
    needsReady('BrowserWindow');
    for (const side of Object.keys(this.place)) if (options[side] !== undefined) this.place[side] = options[side];
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
    this.focused = false;
    record('window.hide');
  }
  focus() {
    this.alive('focus');
    this.focused = this.visible;
  }
  isFocused() {
    this.alive('isFocused');
    return this.focused;
  }
  getNormalBounds() {
    this.alive('getNormalBounds');
    return { ...this.place };
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
  icon = null;
  toolTip = '';
  constructor(image) {
    super();
    needsReady('Tray');
    if (!image?.isImage) throw new Error('electron stand-in: a tray needs an image');
    record('Tray');
    this.icon = image.file;
    tray = this;
  }
  setImage(image) {
    this.alive('setImage');
    if (!image?.isImage) throw new Error('electron stand-in: a tray needs an image');
    this.icon = image.file;
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
  getBounds() {
    this.alive('getBounds');
    return { x: 0, y: 0, width: 0, height: 0 };
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
let permissionDevice = null;
const sessionEvents = new EventEmitter();
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
      setDevicePermissionHandler(handler) {
        permissionDevice = handler;
      },
      on: (event, listener) => sessionEvents.on(event, listener),
    });
  },
});

/** Reads the file as Electron would: one that is missing or no image gives an empty image there, and an error here. */
function checkImage(file) {
  if (!existsSync(file)) throw new Error(`electron stand-in: there is no image ${file}`);
  const head = readFileSync(file).subarray(0, 4).toString('hex');
  if (head !== (file.endsWith('.ico') ? '00000100' : '89504e47')) throw new Error(`electron stand-in: ${file} is no image`);
}
export const nativeImage = strict('nativeImage', {
  createFromPath(file) {
    needsReady('nativeImage');
    checkImage(file);
    if (file.endsWith('.png')) checkImage(file.replace(/\.png$/, '@2x.png'));
    return strict('image', { isImage: true, file });
  },
});

class Theme extends EventEmitter {
  shouldUseDarkColors = false;
  shouldUseDarkColorsForSystemIntegratedUI = false;
}
export const nativeTheme = strict('nativeTheme', new Theme());

class Power extends EventEmitter {
  idleSeconds = 0;
  on(event, listener) {
    needsReady('powerMonitor');
    if (!['suspend', 'resume', 'shutdown'].includes(event)) throw new Error(`electron stand-in: powerMonitor has no ${event}`);
    return super.on(event, listener);
  }
  getSystemIdleTime() {
    return this.idleSeconds;
  }
}
export const powerMonitor = strict('powerMonitor', new Power());

const displays = [{ workArea: { x: 0, y: 0, width: 1280, height: 800 } }];
const displayOf = () => {
  needsReady('screen');
  return displays[0];
};
export const screen = strict('screen', {
  getDisplayMatching: displayOf,
  getPrimaryDisplay: displayOf,
  getAllDisplays: () => [displayOf()],
});

export const shell = strict('shell', {
  async openExternal(url) {
    record('openExternal', url);
  },
});

// What the platform offers: a keyring's backend, `basic_text`, or `unavailable`.
const keyring = process.env.STAND_IN_KEYRING ?? 'basic_text';
const keyringKey = createHash('sha256').update(keyring).digest();
const needsKeyring = (what) => {
  needsReady(what);
  if (keyring === 'unavailable') throw new Error(`electron stand-in: Error while using ${what}: encryption is not available`);
};
export const safeStorage = strict('safeStorage', {
  // True for basic_text as well, which only disguises.
  isEncryptionAvailable() {
    needsReady('safeStorage');
    return keyring !== 'unavailable';
  },
  getSelectedStorageBackend() {
    needsReady('safeStorage');
    return keyring === 'unavailable' ? 'unknown' : keyring;
  },
  encryptString(text) {
    needsKeyring('safeStorage.encryptString');
    const cipher = createCipheriv('aes-256-ctr', keyringKey, Buffer.alloc(16));
    return Buffer.concat([Buffer.from('v11'), cipher.update(text, 'utf8'), cipher.final()]);
  },
  decryptString(sealed) {
    needsKeyring('safeStorage.decryptString');
    if (sealed.subarray(0, 3).toString() !== 'v11') throw new Error('electron stand-in: ciphertext does not appear to be encrypted');
    const cipher = createDecipheriv('aes-256-ctr', keyringKey, Buffer.alloc(16));
    return Buffer.concat([cipher.update(sealed.subarray(3)), cipher.final()]).toString('utf8');
  },
});

const notifications = new Set();
class Note extends EventEmitter {
  state = 'made';
  constructor(options) {
    super();
    needsReady('Notification');
    if (!options.title) throw new Error('electron stand-in: a notification needs a title');
    this.options = options;
  }
  show() {
    if (this.state !== 'made') throw new Error('electron stand-in: a notification is shown once');
    for (const other of notifications) {
      if (other.options.id === this.options.id) throw new Error('electron stand-in: a notification was stacked on its older one');
    }
    this.state = 'shown';
    notifications.add(this);
    record('notification', this.options);
  }
  close() {
    this.state = 'closed';
    notifications.delete(this);
  }
}
export const Notification = new Proxy(Note, {
  construct: (target, [options]) => strict('Notification', new target(options)),
  get: (target, key, receiver) =>
    key === 'isSupported' ? () => process.env.STAND_IN_NOTIFICATIONS !== 'none' : Reflect.get(target, key, receiver),
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
      const box = { message: options.message, buttons: options.buttons, answer: (response) => settle(response) };
      const settle = (response) => {
        boxes.delete(box);
        resolve({ response });
      };
      boxes.add(box);
      options.signal?.addEventListener('abort', () => settle(options.cancelId ?? 0));
    });
  },
});
const boxes = new Set();

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
  tray: () => tray && { menu: plainMenu(tray.menu), toolTip: tray.toolTip, icon: tray.icon, destroyed: tray.destroyed },
  badge: () => badge,
  theme({ dark }) {
    Object.assign(nativeTheme, { shouldUseDarkColors: dark, shouldUseDarkColorsForSystemIntegratedUI: dark });
    nativeTheme.emit('updated');
  },
  /** The user moves and resizes the window. */
  place: (place) => Object.assign(theWindow().place, place),
  window: () =>
    theWindow() && { visible: theWindow().visible, url: theWindow().webContents.mainFrame.url, sent: theWindow().webContents.sent },
  click: ({ id }) => findEntry(tray.menu, id).click(),
  close: () => theWindow().close(),
  emit: ({ event }) => void app.emit(event, {}, [], ''),
  quit: () => app.quit(),
  boxes: () => [...boxes].map(({ message, buttons }) => ({ message, buttons })),
  answer({ button }) {
    const [box] = boxes;
    if (!box?.buttons.includes(button)) throw new Error(`electron stand-in: no question has the button ${button}`);
    box.answer(box.buttons.indexOf(button));
  },
  notifications: () => [...notifications].map(({ options }) => options),
  clickNotification: ({ action }) => {
    const [note] = notifications;
    if (action === undefined) note.emit('click', {});
    else note.emit('action', { actionIndex: action }, action, -1);
  },
  /** The computer sleeps and wakes, shuts down, or has not been used for a while. */
  power({ event, idleSeconds }) {
    if (idleSeconds !== undefined) powerMonitor.idleSeconds = idleSeconds;
    if (event !== undefined) powerMonitor.emit(event, { preventDefault: () => record(`${event} held`) });
  },
  blur: () => {
    theWindow().self.focused = false;
  },
  /** The user's session ends, as Windows tells a window. */
  sessionEnd: () => theWindow().emit('session-end', { reasons: ['logoff'] }),
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
  openWindow: ({ url }) => theWindow().webContents.openHandler({ url }),
  download({ url }) {
    let denied = false;
    const event = {
      preventDefault: () => {
        denied = true;
      },
    };
    sessionEvents.emit('will-download', event, { getURL: () => url });
    return { denied };
  },
  permission({ permission }) {
    let granted = null;
    permissionRequest(theWindow().webContents, permission, (answer) => {
      granted = answer;
    });
    return { granted, checked: permissionCheck(theWindow().webContents, permission), device: permissionDevice({}) };
  },
};

process.on('message', async ({ id, command, args }) => {
  try {
    process.send({ id, value: await drive[command](args ?? {}) });
  } catch (error) {
    process.send({ id, error: error.message });
  }
});
