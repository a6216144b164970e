import { Notification } from 'electron';
import type { Status } from '../../shared/contract';
import type { RunReport } from '../../shared/run-report';
import { guardNoticesOf, type Notice, type NoticeAction, NoticeBook, noticesOf } from './notices';
import type { Speech } from './words';

/** The system's notifications. Everything they say is in tray and window too: nothing here is the only way to anything. */
export interface Notifier {
  /** Tells what an ended run gives reason to tell. */
  ended(run: RunReport): void;
  /** Takes back what is resolved, and tells what guard mode found. */
  settle(status: Status): void;
  dispose(): void;
}

export interface NotifierOptions {
  readonly platform: NodeJS.Platform;
  /** Asked at each notice: false while the user does not want any, or looks at the window anyway. */
  wanted(): boolean;
  speech(): Speech;
  act(action: NoticeAction): void;
  report(error: unknown): void;
}

/** Shows notices, at most one for each key. */
export function createNotifier(options: NotifierOptions): Notifier {
  const { platform, wanted, act, report } = options;
  const book = new NoticeBook();
  // A notification that nobody refers to would be collected as garbage, and its click with it.
  const shown = new Map<string, Notification>();
  let timer: NodeJS.Timeout | null = null;

  const close = (key: string) => {
    const notification = shown.get(key);
    shown.delete(key);
    notification?.close();
  };
  const show = (notice: Notice) => {
    if (!wanted() || !Notification.isSupported()) return;
    close(notice.key);
    const notification = makeNotification(notice, platform);
    shown.set(notice.key, notification);
    notification.on('click', () => act({ kind: 'show', place: notice.place }));
    notification.on('action', ({ actionIndex }) => {
      const chosen = notice.actions[actionIndex];
      if (chosen !== undefined) act(chosen.action);
    });
    // An unsigned build on macOS is refused by the system; tray and window say the same.
    notification.on('failed', (_event, error) => report(new Error(`the system shows no notification: ${error}`)));
    notification.show();
  };
  const plan = () => {
    if (timer !== null) clearTimeout(timer);
    const wait = book.nextIn(Date.now());
    timer = wait === null ? null : setTimeout(repeat, wait);
  };
  const repeat = () => {
    for (const notice of book.repeat(Date.now())) show(notice);
    plan();
  };

  return {
    ended: (run) => {
      for (const notice of noticesOf(run, options.speech())) if (book.take(notice, Date.now())) show(notice);
      plan();
    },
    settle: (status) => {
      for (const key of book.settle(status)) close(key);
      for (const notice of guardNoticesOf(status, options.speech())) if (book.take(notice, Date.now())) show(notice);
      plan();
    },
    dispose: () => {
      if (timer !== null) clearTimeout(timer);
      for (const key of [...shown.keys()]) close(key);
    },
  };
}

function makeNotification({ key, title, body, waits, actions }: Notice, platform: NodeJS.Platform): Notification {
  return new Notification({
    ...{ id: key, title, body },
    urgency: waits ? 'critical' : 'normal',
    timeoutType: waits ? 'never' : 'default',
    // Electron documents buttons for macOS and Windows only; on Linux the whole notification leads to the window.
    actions: platform === 'linux' ? [] : actions.map(({ label }) => ({ type: 'button', text: label })),
  });
}
