import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ApplicationParts, createHandlers } from '../../../electron/app/application';
import { createConnections } from '../../../electron/app/connections';
import { openHistory } from '../../../electron/app/history';
import { createEventHub, type Handlers } from '../../../electron/ipc/gate';
import { connectionStore } from '../../../electron/store/connections';
import { failedTests } from '../../../electron/store/failed-tests';
import { openSecrets } from '../../../electron/store/secrets';
import { type SessionStore, sessionStore } from '../../../electron/store/sessions';
import { settingsStore } from '../../../electron/store/settings';
import { openStateFile } from '../../../electron/store/state-file';
import { AppError } from '../../../shared/errors';
import type { Guard } from '../../../shared/run-report';
import type { SessionState } from '../../../shared/session';
import { defaultSettings } from '../../../shared/settings';
import { makeTempFolder, removeTempFolder } from '../../support/tree';
import { makeGate, makeRunPlace, type RunPlace } from './run-place';

let folder: string;
let place: RunPlace;
let sessions: SessionStore;
let handlers: Handlers;
let id: string;
let heard: string[];
beforeEach(async () => {
  folder = await makeTempFolder('application');
  place = await makeRunPlace(folder);
  const state = await openStateFile(join(folder, 'state.json'), place.clock.now);
  const events = createEventHub();
  heard = [];
  events.listen(({ event }) => heard.push(event));
  sessions = sessionStore(state);
  const connections = createConnections(connectionStore(state), { localHome: () => '/home/box', now: place.clock.now });
  const history = openHistory(join(folder, 'history.jsonl'));
  const prunes = { emptyOld: async () => undefined };
  const guard = { events: () => [], view: () => ({ watching: false, homes: [], events: [] }) };
  const { runs, records, inbox, clock } = place;
  const parts = {
    ...{
      connections,
      sessions,
      history,
      inbox,
      records,
      runs,
      events,
      prunes,
      guard,
      prompts: { list: () => [] },
      linkOf: () => null,
      now: clock.now,
      notes: ['a file was set aside'],
    },
    ...{ settings: settingsStore(state), texts: { forget: async () => undefined } },
    failedTests: failedTests(state),
    secrets: await openSecrets(join(folder, 'secrets.json'), null),
  };
  // Undo, prune and decisions have parts and tests of their own.
  handlers = createHandlers(parts as unknown as ApplicationParts);
  ({ id } = await handlers['connection.add']({ name: 'box', address: { kind: 'address', user: 'u', host: 'h', port: 22 } }));
});
afterEach(async () => {
  await place.runs.end();
  await removeTempFolder(folder);
});

const start = (...allow: readonly Guard[]) => handlers['session.start']({ connection: 'box', allow });
const end = (...allow: readonly Guard[]) => handlers['session.end']({ connection: 'box', allow });
const stateNow = () => sessions.get(id)?.state ?? null;
const offline = async () => {
  throw new AppError('ssh.refused', { host: 'h', port: 22 });
};
const put = (state: SessionState) => sessions.put({ connection: id, state, startedAt: '2025-12-31T00:00:00.000Z' });

describe('the settings', () => {
  it('tell everybody who listens of a change, and keep what it left out', async () => {
    expect(await handlers['settings.read']({})).toEqual(defaultSettings);
    heard = [];
    await handlers['settings.change']({ language: 'fr' });
    expect(await handlers['settings.change']({ notifications: false })).toEqual({
      ...defaultSettings,
      language: 'fr',
      notifications: false,
    });
    expect(heard).toEqual(['settings', 'settings']);
  });
});

describe('a session', () => {
  it('is open after a start that arrived, and over after its end', async () => {
    expect((await start('first-session')).outcome).toBe('done');
    expect(sessions.list()).toEqual([{ connection: id, state: 'open', startedAt: '2026-01-02T03:04:05.000Z' }]);
    expect((await end()).outcome).toBe('done');
    expect(sessions.list()).toEqual([]);
  });

  it('is starting, then ending, while a run works on it', async () => {
    for (const [run, state] of [
      [start, 'starting'],
      [end, 'ending'],
    ] as const) {
      const gate = makeGate();
      place.before = gate.wait;
      const running = run('first-session');
      await gate.reached;
      await expect.poll(stateNow).toBe(state);
      gate.open();
      await running;
    }
  });

  it('does not begin with a start that was stopped or failed', async () => {
    await place.local.write({ 'skills/a.md': 'A' });
    expect([(await start()).outcome, stateNow()]).toEqual(['stopped', null]);
    place.before = offline;
    expect([(await start('first-session')).outcome, stateNow()]).toEqual(['failed', null]);
  });

  it('stays as it was when another start fails', async () => {
    await put('pending');
    place.before = offline;
    await start('first-session');
    expect(sessions.list()).toEqual([{ connection: id, state: 'pending', startedAt: '2025-12-31T00:00:00.000Z' }]);
  });

  it('stays pending when its end fails, and keeps the time it began', async () => {
    await start('first-session');
    place.before = offline;
    place.clock.advance(60_000);
    expect([(await end()).outcome, sessions.list()]).toEqual([
      'failed',
      [{ connection: id, state: 'pending', startedAt: '2026-01-02T03:04:05.000Z' }],
    ]);
    place.before = async () => undefined;
    expect([(await end()).outcome, stateNow()]).toEqual(['done', null]);
  });

  it('may be ended without one: the sync-back runs, and leaves none, even when it fails', async () => {
    await place.remote.write({ 'skills/a.md': 'made there' });
    expect((await end('first-session')).ledger.written.files).toBe(1);
    expect(stateNow()).toBe(null);
    place.before = offline;
    expect([(await end()).outcome, stateNow()]).toEqual(['failed', null]);
  });

  it('is over although something waits for a decision', async () => {
    await place.local.write({ 'skills/a.md': 'here' });
    await place.remote.write({ 'skills/a.md': 'there' });
    expect([(await start('first-session')).outcome, stateNow()]).toEqual(['held', 'open']);
    expect([(await end()).outcome, stateNow()]).toEqual(['held', null]);
  });

  it('is left alone by a second request while a run is on, which is refused at once', async () => {
    await put('open');
    const gate = makeGate();
    place.before = gate.wait;
    const first = end('first-session');
    await gate.reached;
    await expect(start()).rejects.toMatchObject({ code: 'run.busy' });
    await expect.poll(stateNow).toBe('ending');
    gate.open();
    expect([(await first).outcome, stateNow()]).toEqual(['done', null]);
  });

  it('is pending when its end was cancelled', async () => {
    await put('open');
    place.before = (signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('closed')));
        void handlers['run.cancel']({ connection: 'box' });
      });
    expect([(await end()).outcome, stateNow()]).toEqual(['interrupted', 'pending']);
  });
});

describe('a run', () => {
  it('brings the remarks of the start-up into the first report alone', async () => {
    expect((await start('first-session')).notes).toEqual(['a file was set aside']);
    expect((await end()).notes).toEqual([]);
  });

  it('is in the history, and everybody who listens is told', async () => {
    const report = await start('first-session');
    expect((await handlers['history.list']({ connection: 'box' })).runs).toEqual([report]);
    expect(heard.filter((event) => event === 'run')).toEqual(['run']);
    expect(heard.at(-1)).toBe('changed');
  });

  it('that is a preview moves no session and is not in the history', async () => {
    await handlers.preview({ connection: 'box', direction: 'push' });
    expect([sessions.list(), (await handlers['history.list']({})).runs]).toEqual([[], []]);
  });
});

describe('the status', () => {
  it('names the last run and the last teardown that reached the remote, read once and kept up to date', async () => {
    const view = async () => (await handlers.status({})).connections[0];
    expect(await view()).toMatchObject({ state: 'ready', lastRun: null, lastTeardown: null, needsYou: 0 });
    await start('first-session');
    const teardown = await end();
    expect(await view()).toMatchObject({ state: 'ready', lastRun: { id: teardown.id }, lastTeardown: { id: teardown.id } });
    place.before = offline;
    const failed = await end();
    expect(await view()).toMatchObject({ state: 'offline', lastRun: { id: failed.id }, lastTeardown: { id: teardown.id } });
  });

  it('counts the connections that need somebody', async () => {
    await place.local.write({ 'skills/a.md': 'here' });
    await place.remote.write({ 'skills/a.md': 'there' });
    await start('first-session');
    const { needsYou, connections } = await handlers.status({});
    expect([needsYou, connections[0]?.needsYou, connections[0]?.state]).toEqual([1, 1, 'needs-you']);
  });
});

describe('a connection that is removed', () => {
  it('takes its records, its inbox and its session along', async () => {
    await place.local.write({ 'skills/a.md': 'here' });
    await place.remote.write({ 'skills/a.md': 'there' });
    await start('first-session');
    await handlers['connection.remove']({ connection: 'box' });
    expect([sessions.list(), place.inbox.list(), (await handlers['connection.list']({})).connections]).toEqual([[], [], []]);
    for (const kind of ['baselines', 'memories']) expect(await readdir(join(folder, kind))).toEqual([]);
  });

  it('leaves no session behind by a run that was still on', async () => {
    await put('open');
    const gate = makeGate();
    place.before = gate.wait;
    const running = end('first-session');
    await gate.reached;
    // Removing waits for the run, so that nothing it still records outlives the connection.
    const removing = handlers['connection.remove']({ connection: 'box' });
    gate.open();
    expect((await running).outcome).toBe('interrupted');
    await removing;
    expect(sessions.list()).toEqual([]);
  });
});
