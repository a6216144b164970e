import { contextBridge, ipcRenderer } from 'electron';
import { type AppEvent, type Bridge, type Envelope, requestNames } from '../shared/contract';
import { AppError, toWireError } from '../shared/errors';
import { callChannel, eventChannel, noNotifications } from './ipc/channels';

const known = new Set<string>(requestNames);

function refused(error: unknown): Envelope<never> {
  return { ok: false, error: toWireError(error) };
}

const bridge: Bridge = {
  canNotify: !process.argv.includes(noNotifications),
  call: async (name, params) => {
    if (!known.has(name)) return refused(new AppError('usage.invalid', { what: `There is no request named "${String(name)}".` }));
    try {
      return await ipcRenderer.invoke(callChannel, name, params);
    } catch (error) {
      // The application is ending, or the parameters cannot be copied: an answer like any other.
      return refused(error);
    }
  },
  listen: (listener) => {
    // The Electron event stays here: it would hand the page the sender.
    const forward = (_event: unknown, event: AppEvent) => listener(event);
    ipcRenderer.on(eventChannel, forward);
    return () => {
      ipcRenderer.off(eventChannel, forward);
    };
  },
};

contextBridge.exposeInMainWorld('ebbgate', bridge);
