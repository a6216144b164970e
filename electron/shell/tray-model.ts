import type { ConnectionState, ConnectionView, Status } from '../../shared/contract';
import type { Route } from '../../shared/route';
import { connectionLine, oneLine, type TrayClock, whatWaits } from './tray-line';

/** What a menu entry asks for; a connection is named by its id. */
export type TrayAction =
  | { readonly kind: 'show'; readonly place: Route }
  | { readonly kind: 'session.start' | 'session.end' | 'run.cancel'; readonly connection: string }
  | { readonly kind: 'pause'; readonly paused: boolean }
  | { readonly kind: 'update' }
  | { readonly kind: 'quit' };

/** One line of the menu. Ids stay the same while their meaning does. */
export type TrayEntry =
  | { readonly kind: 'text'; readonly id: string; readonly label: string }
  | { readonly kind: 'action'; readonly id: string; readonly label: string; readonly action: TrayAction }
  | { readonly kind: 'submenu'; readonly id: string; readonly label: string; readonly entries: readonly TrayEntry[] }
  | { readonly kind: 'separator'; readonly id: string };

/** What the tray shows beside the status. */
export interface TrayFacts {
  /** A newer version that can be had. */
  readonly update?: string | null;
  /** Whether the user paused everything that Ebbgate does by itself. */
  readonly paused?: boolean;
}

/** Everything the tray shows. */
export interface TrayModel {
  readonly icon: ConnectionState;
  readonly firstLine: string;
  readonly tooltip: string;
  readonly entries: readonly TrayEntry[];
}

const worstFirst: readonly ConnectionState[] = ['needs-you', 'offline', 'working', 'paused', 'ready'];

/** The one state that the icon shows for all connections: the worst. */
export function worstState(connections: readonly ConnectionView[]): ConnectionState {
  return worstFirst.find((state) => connections.some((connection) => connection.state === state)) ?? 'ready';
}

/**
 * From the application's status to icon, tooltip and menu. Entries that cannot apply are left out, not greyed.
 */
export function trayModel({ connections }: Status, clock: TrayClock, { update = null, paused = false }: TrayFacts = {}): TrayModel {
  const { words } = clock;
  const icon = worstState(connections);
  const subject = mostRelevant(connections.filter((connection) => connection.state === icon));
  const firstLine = subject ? connectionLine(subject, clock) : words.noConnections;
  return {
    icon,
    firstLine,
    tooltip: `${words.appName}: ${firstLine}`,
    entries: [
      { kind: 'text', id: 'status', label: firstLine },
      ...connectionEntries(connections, clock),
      ...needsYouEntries(connections, clock),
      { kind: 'separator', id: 'before-app' },
      connections.length === 0
        ? { kind: 'action', id: 'open', label: words.addConnection, action: { kind: 'show', place: { kind: 'add', id: null } } }
        : { kind: 'action', id: 'open', label: words.open, action: { kind: 'show', place: { kind: 'connections' } } },
      ...(connections.length === 0
        ? []
        : [
            {
              kind: 'action',
              id: 'pause',
              label: paused ? words.resume : words.pause,
              action: { kind: 'pause', paused: !paused },
            } as const,
          ]),
      { kind: 'action', id: 'settings', label: words.settings, action: { kind: 'show', place: { kind: 'settings' } } },
      ...(update === null ? [] : [{ kind: 'action', id: 'update', label: words.update(update), action: { kind: 'update' } } as const]),
      { kind: 'action', id: 'quit', label: words.quit, action: { kind: 'quit' } },
    ],
  };
}

/** Among equally bad ones, the connection whose teardown is the latest. */
function mostRelevant(connections: readonly ConnectionView[]): ConnectionView | undefined {
  const endedAt = (connection: ConnectionView) => connection.lastTeardown?.endedAt ?? '';
  return [...connections].sort((a, b) => (endedAt(a) < endedAt(b) ? 1 : endedAt(a) > endedAt(b) ? -1 : 0))[0];
}

function connectionEntries(connections: readonly ConnectionView[], clock: TrayClock): readonly TrayEntry[] {
  if (connections.length === 0) return [];
  const submenus = connections.map(
    (connection): TrayEntry => ({
      kind: 'submenu',
      id: `connection:${connection.id}`,
      label: `${oneLine(connection.name)} · ${clock.words.states[connection.state]}`,
      entries: submenu(connection, clock),
    }),
  );
  return [{ kind: 'separator', id: 'before-connections' }, ...submenus];
}

function submenu(connection: ConnectionView, clock: TrayClock): readonly TrayEntry[] {
  const { words, locale } = clock;
  const { id, progress, session, needsYou } = connection;
  const run = (name: string, label: string, kind: 'session.start' | 'session.end' | 'run.cancel'): TrayEntry => ({
    ...{ kind: 'action', id: `${name}:${id}`, label },
    action: { kind, connection: id },
  });
  const show = (name: string, label: string, kind: 'connection' | 'inspection'): TrayEntry => ({
    ...{ kind: 'action', id: `${name}:${id}`, label },
    action: { kind: 'show', place: { kind, id } },
  });
  const canStart = progress === null && session === null;
  const canEnd = progress === null && session !== null && session.state !== 'ending' && session.state !== 'starting';
  return [
    { kind: 'text', id: `line:${id}`, label: connectionLine(connection, clock) },
    ...(canStart ? [run('start', words.startSession, 'session.start')] : []),
    ...(canEnd ? [run('end', words.endSession, 'session.end')] : []),
    ...(progress === null ? [] : [run('cancel', words.cancelRun, 'run.cancel')]),
    ...(needsYou > 0 ? [show('review', words.review(new Intl.NumberFormat(locale).format(needsYou)), 'connection')] : []),
    show('inspect', words.inspect, 'inspection'),
    // Restore points and the plan to prune them are on the screen of the connection: a menu click never deletes.
    show('prune', words.prune, 'connection'),
    show('show', words.show, 'connection'),
  ];
}

/** These stay at the top level until the user has decided. */
function needsYouEntries(connections: readonly ConnectionView[], clock: TrayClock): readonly TrayEntry[] {
  const entries = connections
    .filter((connection) => connection.state === 'needs-you' || connection.needsYou > 0)
    .map(
      (connection): TrayEntry => ({
        kind: 'action',
        id: `needs-you:${connection.id}`,
        label: clock.words.needsYou(oneLine(connection.name), whatWaits(connection, clock)),
        action: { kind: 'show', place: { kind: 'connection', id: connection.id } },
      }),
    );
  return entries.length === 0 ? [] : [{ kind: 'separator', id: 'before-needs-you' }, ...entries];
}
