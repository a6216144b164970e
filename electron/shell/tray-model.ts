import type { ConnectionState, ConnectionView, Status } from '../../shared/contract';
import { connectionLine, oneLine, type TrayClock } from './tray-line';
import { trayWords as words } from './tray-words';

/** What a menu entry asks for; a connection is named by its id. */
export type TrayAction =
  | { readonly kind: 'open' }
  | { readonly kind: 'open-connection'; readonly connection: string }
  | { readonly kind: 'session.start'; readonly connection: string }
  | { readonly kind: 'session.end'; readonly connection: string }
  | { readonly kind: 'run.cancel'; readonly connection: string }
  | { readonly kind: 'quit' };

/** One line of the menu. Ids stay the same while their meaning does. */
export type TrayEntry =
  | { readonly kind: 'text'; readonly id: string; readonly label: string }
  | { readonly kind: 'action'; readonly id: string; readonly label: string; readonly action: TrayAction }
  | { readonly kind: 'submenu'; readonly id: string; readonly label: string; readonly entries: readonly TrayEntry[] }
  | { readonly kind: 'separator'; readonly id: string };

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

/** From the application's status to icon, tooltip and menu. Entries that cannot apply are left out, not greyed. */
export function trayModel(status: Status, clock: TrayClock): TrayModel {
  const icon = worstState(status.connections);
  const subject = mostRelevant(status.connections.filter((connection) => connection.state === icon));
  const firstLine = subject ? connectionLine(subject, clock) : words.noConnections;
  const tail: readonly TrayEntry[] = [
    { kind: 'separator', id: 'before-app' },
    { kind: 'action', id: 'open', label: status.connections.length === 0 ? words.addConnection : words.open, action: { kind: 'open' } },
    { kind: 'action', id: 'quit', label: words.quit, action: { kind: 'quit' } },
  ];
  return {
    icon,
    firstLine,
    tooltip: `${words.appName}: ${firstLine}`,
    entries: [
      { kind: 'text', id: 'status', label: firstLine },
      ...connectionEntries(status.connections, clock),
      ...needsYouEntries(status.connections),
      ...tail,
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
      label: `${oneLine(connection.name)} · ${words.states[connection.state]}`,
      entries: submenu(connection, clock),
    }),
  );
  return [{ kind: 'separator', id: 'before-connections' }, ...submenus];
}

function submenu(connection: ConnectionView, clock: TrayClock): readonly TrayEntry[] {
  const { id, progress, session, needsYou } = connection;
  const action = (name: string, label: string, kind: Exclude<TrayAction['kind'], 'open' | 'quit'>): TrayEntry => ({
    kind: 'action',
    id: `${name}:${id}`,
    label,
    action: { kind, connection: id },
  });
  const canStart = progress === null && session === null;
  const canEnd = progress === null && session !== null && session.state !== 'ending' && session.state !== 'starting';
  return [
    { kind: 'text', id: `line:${id}`, label: connectionLine(connection, clock) },
    ...(canStart ? [action('start', words.startSession, 'session.start')] : []),
    ...(canEnd ? [action('end', words.endSession, 'session.end')] : []),
    ...(progress === null ? [] : [action('cancel', words.cancelRun, 'run.cancel')]),
    ...(needsYou > 0 ? [action('review', words.review(needsYou), 'open-connection')] : []),
    action('show', words.show, 'open-connection'),
  ];
}

/** These stay at the top level until the user has decided. */
function needsYouEntries(connections: readonly ConnectionView[]): readonly TrayEntry[] {
  const entries = connections
    .filter((connection) => connection.state === 'needs-you' || connection.needsYou > 0)
    .map(
      (connection): TrayEntry => ({
        kind: 'action',
        id: `needs-you:${connection.id}`,
        label: words.needsYou(oneLine(connection.name), connection.needsYou > 0 ? words.waiting(connection.needsYou) : words.look),
        action: { kind: 'open-connection', connection: connection.id },
      }),
    );
  return entries.length === 0 ? [] : [{ kind: 'separator', id: 'before-needs-you' }, ...entries];
}
