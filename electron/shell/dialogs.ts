import { dialog } from 'electron';
import { oneLine } from './tray-line';
import type { Speech } from './words';

/** The shell's questions. Each has an answer that changes nothing, and takes it when it is dismissed. */
export interface Dialogs {
  /** Asked while sessions end at quit; `ended` takes the question back. */
  quit(names: readonly string[], ended: AbortSignal): Promise<'wait' | 'leave'>;
  /** Whether closing the window keeps Ebbgate in the tray; null when the question was dismissed. */
  keepInTray(): Promise<boolean | null>;
  /** Whether to bring home now what a session of an earlier start left on its remote. */
  bringHome(name: string): Promise<boolean>;
}

/** Asks with the system's message boxes. */
export function createDialogs(speech: () => Speech): Dialogs {
  const title = () => speech().words.appName;
  return {
    quit: async (names, ended) => {
      const { words, locale } = speech();
      const listed = new Intl.ListFormat(locale, { type: 'conjunction' }).format(names.map(oneLine));
      const { response } = await dialog.showMessageBox({
        ...{ type: 'info', title: title(), message: words.quitTitle(listed, names.length), detail: words.quitDetail },
        ...{ buttons: [words.finishThenQuit, words.stopSafely], defaultId: 0, cancelId: 0, signal: ended },
      });
      return response === 1 ? 'leave' : 'wait';
    },
    keepInTray: async () => {
      const { words } = speech();
      const { response } = await dialog.showMessageBox({
        ...{ type: 'question', title: title(), message: words.closeTitle, detail: words.closeDetail },
        ...{ buttons: [words.keepInTray, words.quitNow, words.later], defaultId: 0, cancelId: 2 },
      });
      return response === 2 ? null : response === 0;
    },
    bringHome: async (name) => {
      const { words } = speech();
      const { response } = await dialog.showMessageBox({
        ...{ type: 'question', title: title(), message: words.pendingTitle(oneLine(name)), detail: words.pendingDetail },
        ...{ buttons: [words.bringHome, words.later], defaultId: 0, cancelId: 1 },
      });
      return response === 0;
    },
  };
}
