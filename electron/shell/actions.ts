import type { Route } from '../../shared/route';
import type { RunReport } from '../../shared/run-report';
import type { Host } from '../ipc/host';
import { call } from './host-calls';
import type { NoticeAction } from './notices';
import type { TrayAction } from './tray-model';

/** What actions of tray and notifications need around them. */
export interface ActionDeps {
  readonly host: Host;
  show(place: Route): void;
  /** Opens the page of releases. */
  openReleases(): void;
  quit(): void;
}

/** Carries out what was clicked. A question or a failure needs more room than a menu has: then the window shows it. */
export async function perform(action: TrayAction | NoticeAction, { host, show, openReleases, quit }: ActionDeps): Promise<void> {
  switch (action.kind) {
    case 'show':
      return show(action.place);
    case 'pause':
      await call(host, 'settings.change', { paused: action.paused });
      return;
    case 'update':
      return openReleases();
    case 'quit':
      return quit();
    case 'run.cancel':
      await host.dispatch('run.cancel', { connection: action.connection });
      return;
    case 'expect':
      if (!(await expectGrowth(host, action.connection))) show({ kind: 'connection', id: action.connection });
      return;
    default: {
      const reply = await host.dispatch(action.kind, { connection: action.connection, allow: [] });
      if (!reply.ok || (reply.value as RunReport).outcome !== 'done') show({ kind: 'connection', id: action.connection });
    }
  }
}

/** Takes the growth that is held for expected. False when that did not settle everything. */
async function expectGrowth(host: Host, connection: string): Promise<boolean> {
  const { items } = await call(host, 'inbox.list', { connection });
  const ids = items.filter(({ kind }) => kind === 'growth').map(({ id }) => id);
  if (ids.length === 0) return false;
  const reply = await host.dispatch('inbox.resolve', { ids, choice: 'expect' });
  return reply.ok && (reply.value as RunReport).outcome === 'done';
}

/**
 * Offers to bring home what sessions of an earlier start left on their remotes, one after the other. Nothing is forgotten when
 * the user does not want to: each stays in tray and window until it ended.
 */
export async function offerUnfinished(deps: ActionDeps, wants: (name: string) => Promise<boolean>): Promise<void> {
  const { connections } = await call(deps.host, 'status', {});
  for (const { id, name, session, progress } of connections) {
    if (session === null || progress !== null || !(await wants(name))) continue;
    await perform({ kind: 'session.end', connection: id }, deps);
  }
}

/** Ends every open session that no run works on: the user has left. What cannot end stays pending. */
export async function endOpenSessions(host: Host): Promise<void> {
  const { connections } = await call(host, 'status', {});
  const open = connections.filter(({ session, progress }) => session?.state === 'open' && progress === null);
  await Promise.all(open.map(({ id }) => host.dispatch('session.end', { connection: id, allow: [] })));
}
