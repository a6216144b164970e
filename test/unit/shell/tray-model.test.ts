import { describe, expect, it } from 'vitest';
import { type TrayEntry, trayModel, worstState } from '../../../electron/shell/tray-model';
import { speechFor } from '../../../electron/shell/words';
import type { ConnectionState, ConnectionView } from '../../../shared/contract';
import { connectionView, teardown } from '../../support/connection-views';

const clock = { now: new Date('2026-03-05T15:00:00Z'), ...speechFor(['en'], null), timeZone: 'UTC' };
const session = { connection: 'c1', state: 'open', startedAt: '2026-03-05T13:10:00Z' } as const;
const progress = { connection: 'c1', kind: 'sync-back', phase: 'listing', done: 0, total: null, unit: null } as const;

const model = (...connections: readonly ConnectionView[]) =>
  trayModel({ connections, needsYou: connections.reduce((sum, { needsYou }) => sum + needsYou, 0) }, clock);

const idsOf = (entries: readonly TrayEntry[]) => entries.map(({ id }) => id);

function submenuOf(connection: ConnectionView): readonly string[] {
  const entry = model(connection).entries.find(({ id }) => id === `connection:${connection.id}`);
  return entry?.kind === 'submenu' ? idsOf(entry.entries) : [];
}

describe('worstState', () => {
  const order: readonly ConnectionState[] = ['ready', 'paused', 'working', 'offline', 'needs-you'];
  it.each(order.map((state, index) => [state, order.slice(0, index + 1)] as const))('is %s among %j in either order', (worst, states) => {
    const views = states.map((state) => connectionView({ state }));
    expect([worstState(views), worstState([...views].reverse())]).toEqual([worst, worst]);
  });

  it('is ready without any connection', () => {
    expect(worstState([])).toBe('ready');
  });
});

describe('trayModel', () => {
  it('offers to add a connection when there is none', () => {
    const { firstLine, tooltip, entries, icon } = model();
    expect({ firstLine, tooltip, icon }).toEqual({ firstLine: 'No connection yet', tooltip: 'Ebbgate: No connection yet', icon: 'ready' });
    expect(entries.map((entry) => ('label' in entry ? entry.label : entry.kind))).toEqual([
      'No connection yet',
      'separator',
      'Add connection…',
      'Settings…',
      'Quit Ebbgate',
    ]);
  });

  it('orders its menu: status, connections, what needs the user, application', () => {
    const { entries } = model(connectionView(), connectionView({ id: 'c2', name: 'lab', state: 'needs-you', needsYou: 2 }));
    expect(idsOf(entries)).toEqual([
      'status',
      'before-connections',
      'connection:c1',
      'connection:c2',
      'before-needs-you',
      'needs-you:c2',
      'before-app',
      'open',
      'pause',
      'settings',
      'quit',
    ]);
  });

  it('speaks of the worst connection in its first line and icon', () => {
    const { firstLine, icon, tooltip } = model(
      connectionView({ lastTeardown: teardown() }),
      connectionView({ id: 'c2', name: 'lab', state: 'offline' }),
    );
    expect({ firstLine, icon, tooltip }).toEqual({
      firstLine: 'lab · offline · no session ended yet',
      icon: 'offline',
      tooltip: 'Ebbgate: lab · offline · no session ended yet',
    });
  });

  it('speaks of the latest teardown among equals', () => {
    const { firstLine } = model(
      connectionView({ lastTeardown: teardown() }),
      connectionView({ id: 'c2', name: 'lab', lastTeardown: teardown({ endedAt: '2026-03-05T14:30:00Z' }, 1) }),
      connectionView({ id: 'c3', name: 'new' }),
    );
    expect(firstLine).toBe('lab · ended 14:30 · 1 byte written, 0 bytes refused');
  });

  it('keeps an entry for waiting items even while the connection is in another state', () => {
    const { entries } = model(connectionView({ state: 'working', progress, needsYou: 1 }));
    expect(entries).toContainEqual({
      kind: 'action',
      id: 'needs-you:c1',
      label: 'build-box needs you: 1 item to review',
      action: { kind: 'show', place: { kind: 'connection', id: 'c1' } },
    });
  });

  it('uses each id once', () => {
    const flat = (entries: readonly TrayEntry[]): readonly string[] =>
      entries.flatMap((entry) => [entry.id, ...(entry.kind === 'submenu' ? flat(entry.entries) : [])]);
    const ids = flat(model(connectionView({ needsYou: 1 }), connectionView({ id: 'c2', needsYou: 1 })).entries);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('says the same for the same status, so that nothing is redrawn', () => {
    const views = [connectionView({ lastTeardown: teardown({}, 3, 4) })];
    expect(model(...views)).toEqual(model(...views));
  });
});

describe('an entry of the menu', () => {
  it('that is about a newer version is there only when there is one', () => {
    const status = { connections: [], needsYou: 0 };
    expect(idsOf(trayModel(status, clock, { update: '0.2.0' }).entries)).toContain('update');
    expect(idsOf(trayModel(status, clock).entries)).not.toContain('update');
  });

  it('that pauses says what it would do, and is there once there is something to pause', () => {
    const status = { connections: [connectionView()], needsYou: 0 };
    const pauseOf = (paused: boolean) => trayModel(status, clock, { paused }).entries.find(({ id }) => id === 'pause');
    expect(pauseOf(false)).toMatchObject({ label: 'Pause', action: { kind: 'pause', paused: true } });
    expect(pauseOf(true)).toMatchObject({ label: 'Resume', action: { kind: 'pause', paused: false } });
    expect(idsOf(trayModel({ connections: [], needsYou: 0 }, clock).entries)).not.toContain('pause');
  });

  it('that prunes only opens the window: a click in a menu deletes nothing', () => {
    const [, , entry] = model(connectionView()).entries;
    const prune = entry?.kind === 'submenu' ? entry.entries.find(({ id }) => id === 'prune:c1') : undefined;
    expect(prune).toMatchObject({ label: 'Prune restore points…', action: { kind: 'show', place: { kind: 'connection', id: 'c1' } } });
  });
});

describe('the submenu of a connection', () => {
  const rows: readonly (readonly [string, Partial<ConnectionView>, readonly string[]])[] = [
    ['offers to start while there is no session', {}, ['line:c1', 'start:c1', 'inspect:c1', 'prune:c1', 'show:c1']],
    ['offers to end an open session', { session }, ['line:c1', 'end:c1', 'inspect:c1', 'prune:c1', 'show:c1']],
    [
      'offers to end a pending one',
      { session: { ...session, state: 'pending' }, state: 'offline' },
      ['line:c1', 'end:c1', 'inspect:c1', 'prune:c1', 'show:c1'],
    ],
    [
      'offers only to stop a run under way',
      { session: { ...session, state: 'ending' }, state: 'working', progress },
      ['line:c1', 'cancel:c1', 'inspect:c1', 'prune:c1', 'show:c1'],
    ],
    [
      'offers no second start while one begins',
      { session: { ...session, state: 'starting' } },
      ['line:c1', 'inspect:c1', 'prune:c1', 'show:c1'],
    ],
    [
      'offers what waits for review',
      { state: 'needs-you', needsYou: 2 },
      ['line:c1', 'start:c1', 'review:c1', 'inspect:c1', 'prune:c1', 'show:c1'],
    ],
  ];
  it.each(rows)('%s', (_behaviour, view, ids) => {
    expect(submenuOf(connectionView(view))).toEqual(ids);
  });

  it('names the state beside the connection', () => {
    expect(model(connectionView({ name: 'a & b', state: 'needs-you', needsYou: 1 })).entries).toContainEqual(
      expect.objectContaining({ id: 'connection:c1', label: 'a & b · Needs you' }),
    );
  });
});
