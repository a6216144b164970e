import { deepEqual, equal } from 'node:assert/strict';
import {
  call,
  type DeskApp,
  type Ground,
  holdSomething,
  homeText,
  idsOf,
  type Note,
  oneBox,
  type Seen,
  sessionsOf,
  untilMenu,
} from './desk';

/** Something a user does with the whole app, checked under the stand-in and, where its binary is, in Electron. */
export interface DeskFlow {
  readonly name: string;
  run(app: DeskApp, ground: Ground): Promise<void>;
}

const learned = '# a, learned more\n';
const untilAt = (app: DeskApp, hash: string) => app.until<Seen>('window', ({ url }) => url === `ebbgate://app/index.html${hash}`);
const untilVisible = (app: DeskApp, wanted: boolean) => app.until<Seen>('window', ({ visible }) => visible === wanted);

async function endFromTray(app: DeskApp, id: string): Promise<void> {
  await untilMenu(app, (menu) => idsOf(menu).includes(`end:${id}`));
  await app.ask('click', { id: `end:${id}` });
}

/** From start to log-off. Each gets an app whose window is open and whose tray is seen. */
export const deskFlows: readonly DeskFlow[] = [
  {
    name: 'a start opens the window on what is known, under a tray with a menu',
    run: async (app) => {
      await untilAt(app, '');
      const menu = await untilMenu(app, ({ length }) => length > 0);
      deepEqual(
        menu.map(({ id }) => id),
        ['status', 'before-app', 'open', 'settings', 'quit'],
      );
      deepEqual(await call(app, 'status', {}), { connections: [], needsYou: 0 });
    },
  },
  {
    name: 'each entry of the tray leads where it says',
    run: async (app, ground) => {
      const id = await ground.connectTo(app, false);
      await untilMenu(app, (menu) => idsOf(menu).includes(`start:${id}`));
      for (const [entry, hash] of [
        ['settings', '#/settings'],
        [`show:${id}`, `#/connection/${id}`],
        [`inspect:${id}`, `#/inspection/${id}`],
        [`prune:${id}`, `#/connection/${id}`],
      ] as const) {
        await app.ask('click', { id: entry });
        await untilAt(app, hash);
      }
    },
  },
  {
    name: 'a session is started and ended in the tray alone',
    run: async (app, ground) => {
      const id = await ground.connectTo(app);
      await endFromTray(app, id);
      await untilMenu(app, (menu) => idsOf(menu).includes(`start:${id}`));
      equal(homeText(app), learned);
      await app.ask('click', { id: `start:${id}` });
      await untilMenu(app, (menu) => idsOf(menu).includes(`end:${id}`));
      deepEqual(
        (await call(app, 'session.list', {})).sessions.map(({ state }) => state),
        ['open'],
      );
    },
  },
  {
    name: 'a notification tells what is held, leads to it, and goes once it is resolved',
    run: async (app, ground) => {
      const id = await holdSomething(app, ground);
      const [note] = await app.until<readonly Note[]>('notifications', ({ length }) => length === 1);
      equal(note?.title, 'build-box needs you');
      await app.ask('clickNotification');
      await untilAt(app, `#/connection/${id}`);
      const { items } = await call(app, 'inbox.list', { connection: id });
      await call(app, 'inbox.resolve', { ids: items.map((item) => item.id), choice: 'keep-local' });
      await app.until<readonly Note[]>('notifications', ({ length }) => length === 0);
    },
  },
  {
    name: 'a second start shows the window of the first and ends',
    run: async (app) => {
      await call(app, 'settings.change', { closeToTray: true });
      await app.ask('close');
      await untilVisible(app, false);
      await app.startAgain();
      await untilVisible(app, true);
    },
  },
  {
    name: 'a pause in the tray lets go of the link of a session, and resuming keeps one again',
    run: async (app, ground) => {
      await ground.connectTo(app);
      const untilLink = async (state: string | undefined) => {
        for (;;) {
          const [view] = (await call(app, 'status', {})).connections;
          if (view?.link?.state === state) return view?.state;
        }
      };
      equal(await untilLink('up'), 'ready');
      await untilMenu(app, (menu) => menu.some(({ label }) => label === 'Pause'));
      await app.ask('click', { id: 'pause' });
      equal(await untilLink(undefined), 'paused');
      await untilMenu(app, (menu) => menu.some(({ label }) => label === 'Resume'));
      await app.ask('click', { id: 'pause' });
      equal(await untilLink('up'), 'ready');
    },
  },
  {
    name: 'sleep leaves a session as it was, and its end brings everything home',
    run: async (app, ground) => {
      await ground.connectTo(app);
      await app.ask('power', { event: 'suspend' });
      await app.ask('power', { event: 'resume' });
      const [view] = (await call(app, 'status', {})).connections;
      deepEqual([view?.state, view?.session?.state], ['ready', 'open']);
      await app.ask('quit');
      deepEqual([(await app.ended).code, homeText(app)], [0, learned]);
    },
  },
  {
    name: 'a quit brings an open session home first, and asks nothing of who waits',
    run: async (app, ground) => {
      await ground.connectTo(app);
      await app.ask('quit');
      deepEqual([(await app.ended).code, homeText(app), await sessionsOf(app)], [0, learned, []]);
    },
  },
  {
    name: 'a quit while an end runs finishes it and then quits',
    run: async (app, ground) => {
      const id = await ground.connectTo(app);
      ground.gate.shut();
      await endFromTray(app, id);
      await ground.gate.held();
      await app.ask('click', { id: 'quit' });
      deepEqual(await oneBox(app), [{ message: 'Ending the session with build-box', buttons: ['Finish, then quit', 'Stop safely'] }]);
      await app.ask('answer', { button: 'Finish, then quit' });
      ground.gate.open();
      deepEqual([(await app.ended).code, homeText(app), await sessionsOf(app)], [0, learned, []]);
    },
  },
  {
    name: 'a quit while an end cannot get through stops safely and keeps the session',
    run: async (app, ground) => {
      await ground.connectTo(app);
      ground.gate.shut();
      await app.ask('quit');
      await ground.gate.held();
      await oneBox(app);
      await app.ask('answer', { button: 'Stop safely' });
      deepEqual([(await app.ended).code, homeText(app), await sessionsOf(app)], [0, '# a\n', ['pending']]);
    },
  },
  {
    name: 'a log-off asks nothing, reaches for no remote and keeps the session',
    run: async (app, ground) => {
      await ground.connectTo(app);
      ground.gate.shut();
      // An end or a question would wait for ever behind the gate.
      await app.ask('power', { event: 'shutdown' });
      deepEqual([(await app.ended).code, await sessionsOf(app)], [0, ['open']]);
    },
  },
];
