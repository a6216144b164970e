import { type IpcMainInvokeEvent, ipcMain, type WebContents } from 'electron';
import type { Envelope } from '../../shared/contract';
import { AppError, toWireError } from '../../shared/errors';
import { callChannel, eventChannel } from './channels';
import type { Host } from './host';

/** Whom requests may come from. */
export interface TrustedPage {
  /** The contents of our window while there is one. */
  contents(): WebContents | null;
  /** Whether an address is our own page. */
  isOwn(url: string): boolean;
}

/** Connects the window with the application. Returns the function that disconnects it. */
export function serveIpc(host: Host, page: TrustedPage): () => void {
  ipcMain.handle(callChannel, async (event, name: unknown, params: unknown): Promise<Envelope<unknown>> => {
    if (!isTrusted(event, page)) return refuse('This request did not come from the Ebbgate window.');
    if (typeof name !== 'string') return refuse('A request needs a name.');
    return host.dispatch(name, params);
  });
  const stopListening = host.listen((event) => {
    const contents = page.contents();
    if (contents !== null && !contents.isDestroyed()) contents.send(eventChannel, event);
  });
  return () => {
    stopListening();
    ipcMain.removeHandler(callChannel);
  };
}

/** Only the top frame of our window, and only while it shows our page. */
function isTrusted({ sender, senderFrame }: IpcMainInvokeEvent, page: TrustedPage): boolean {
  if (sender !== page.contents() || senderFrame === null) return false;
  return senderFrame.parent === null && page.isOwn(senderFrame.url);
}

function refuse(what: string): Envelope<never> {
  return { ok: false, error: toWireError(new AppError('usage.invalid', { what })) };
}
