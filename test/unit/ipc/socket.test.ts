// Over 250 lines: every test needs both ends of the socket and what makes them.
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createConnections } from '../../../electron/app/connections';
import { openHistory } from '../../../electron/app/history';
import { createEventHub, type EventHub, type Handlers, makeHost } from '../../../electron/ipc/gate';
import { connectToOwner, type SocketClient } from '../../../electron/ipc/socket-client';
import { isInSharedFolder, ownerSocketPath } from '../../../electron/ipc/socket-path';
import { type SocketServer, startSocketServer } from '../../../electron/ipc/socket-server';
import { connectionStore } from '../../../electron/store/connections';
import { openStateFile } from '../../../electron/store/state-file';
import type { AppEvent } from '../../../shared/contract';
import { runReport } from '../app/reports';
import { handlersWith } from './handlers';

let folder: string;
let path: string;
let events: EventHub;
const servers: SocketServer[] = [];
const clients: SocketClient[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ebbgate-socket-'));
  path = join(folder, 'owner.sock');
  events = createEventHub();
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  for (const server of servers.splice(0)) await server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function serve(some: Partial<Handlers>): Promise<SocketServer> {
  const server = await startSocketServer(path, makeHost(handlersWith(some), events));
  servers.push(server);
  return server;
}

async function client(): Promise<SocketClient> {
  const connected = await connectToOwner(path);
  if (connected === null) throw new Error('nobody listens');
  clients.push(connected);
  return connected;
}

/** Says hello as an owner does; what it does about a request is up to the test. */
async function listenLikeAnOwner(onRequest: (socket: Socket) => void): Promise<Server> {
  const listener = createServer((socket) => {
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      if (!text.includes('hello')) return void onRequest(socket);
      socket.write('{"id":1,"envelope":{"ok":true,"value":{"protocol":1,"pid":1}}}\n');
    });
  });
  await new Promise<void>((resolve) => listener.listen(path, resolve));
  return listener;
}

/** Something to wait for from outside. */
function gate<T>(): { readonly opened: Promise<T>; readonly open: (value: T) => void } {
  let open: (value: T) => void = () => undefined;
  const opened = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

const status = async () => ({ connections: [], needsYou: 0 });

describe('the owner’s socket', () => {
  it('answers as the host does, over a private socket', async () => {
    await serve({ status });
    const asked = await client();
    expect(asked.pid).toBe(process.pid);
    expect(await asked.dispatch('status', {})).toEqual({ ok: true, value: { connections: [], needsYou: 0 } });
    expect(await asked.dispatch('status', { extra: 1 })).toMatchObject({ ok: false, error: { code: 'usage.invalid' } });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('replaces a socket that a killed owner left', async () => {
    writeFileSync(path, '');
    await serve({ status });
    expect(await (await client()).dispatch('status', {})).toMatchObject({ ok: true });
  });

  it('is nobody when no file, a plain file or a dead socket lies there', async () => {
    expect(await connectToOwner(path)).toBeNull();
    writeFileSync(path, '');
    expect(await connectToOwner(path)).toBeNull();
  });

  it('is nobody when what listens says nothing we understand, or nothing at all', async () => {
    for (const says of ['hello there\n', '{"id":1,"envelope":{"ok":true,"value":{"protocol":99,"pid":1}}}\n', '']) {
      const stranger = createServer((socket) => socket.resume().write(says));
      await new Promise<void>((resolve) => stranger.listen(path, resolve));
      expect(await connectToOwner(path, 50)).toBeNull();
      await new Promise((resolve) => stranger.close(resolve));
    }
  });

  it('pushes events to those who listen, and to nobody else', async () => {
    await serve({ status });
    const [listening, silent] = [await client(), await client()];
    const heard: AppEvent[] = [];
    const first = gate<void>();
    listening.listen((event) => {
      heard.push(event);
      first.open();
    });
    silent.listen(() => heard.push({ event: 'changed', data: {} }))();
    await listening.dispatch('status', {});
    const run: AppEvent = { event: 'run', data: runReport() };
    events.emit(run);
    await first.opened;
    await silent.dispatch('status', {});
    expect(heard).toEqual([run]);
  });

  it('carries large replies whole', async () => {
    const runs = [runReport({ notes: ['äé漢字'.repeat(500_000)] })];
    await serve({ 'history.list': async () => ({ runs }) });
    expect(await (await client()).dispatch('history.list', {})).toEqual({ ok: true, value: { runs } });
  });

  it.each([
    ['garbage', 'garbage\n'],
    ['a request without a name', '{"id":1}\n'],
    ['a line that is no object', '[1]\n'],
    ['a line without end', 'x'.repeat(4_500_000)],
  ])('lets go of a client that sends %s, and of nobody else', async (_, text) => {
    await serve({ status });
    const other = await client();
    const socket = connect(path);
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
    socket.on('error', () => undefined);
    socket.resume();
    socket.write(text);
    await closed;
    expect(await other.dispatch('status', {})).toMatchObject({ ok: true });
  });

  it('fails what waits, clearly, when the owner is lost', async () => {
    const asked = gate<void>();
    const listener = await listenLikeAnOwner((socket) => {
      asked.open();
      socket.destroy();
    });
    const owner = await client();
    const lost = gate<void>();
    owner.onLost(lost.open);
    const reply = owner.dispatch('status', {});
    await asked.opened;
    expect(await reply).toMatchObject({ ok: false, error: { code: 'app.lost', details: { started: true } } });
    await lost.opened;
    expect(await owner.dispatch('status', {})).toMatchObject({ ok: false, error: { code: 'app.lost', details: { started: false } } });
    await new Promise((resolve) => listener.close(resolve));
  });

  it('says goodbye, so that a request which crossed it on the way counts as not begun', async () => {
    const server = await serve({ status });
    const raw = connect(path);
    await once(raw, 'connect');
    raw.setEncoding('utf8');
    const heard = once(raw, 'data');
    await server.close();
    const [said] = (await heard) as [string];
    expect(said).toBe('{"bye":true}\n');

    const listener = await listenLikeAnOwner((socket) => socket.end(said));
    const owner = await client();
    expect(await owner.dispatch('status', {})).toMatchObject({ ok: false, error: { code: 'app.lost', details: { started: false } } });
    await new Promise((resolve) => listener.close(resolve));
  });

  it('answers what began before it closes, and says of the rest that it did not begin', async () => {
    const [began, mayEnd] = [gate<void>(), gate<void>()];
    const slow = async () => {
      began.open();
      await mayEnd.opened;
      return { connections: [], needsYou: 7 };
    };
    const server = await serve({ status: slow });
    const owner = await client();
    const first = owner.dispatch('status', {});
    await began.opened;
    const closed = server.close();
    expect(await owner.dispatch('status', {})).toMatchObject({ ok: false, error: { code: 'app.lost', details: { started: false } } });
    mayEnd.open();
    expect(await first).toEqual({ ok: true, value: { connections: [], needsYou: 7 } });
    await closed;
    expect(await connectToOwner(path)).toBeNull();
  });

  it('loses nothing of a thousand mixed updates from several clients', async () => {
    const state = await openStateFile(join(folder, 'state.json'));
    const connections = createConnections(connectionStore(state), { localHome: () => '/home/u/.hermes' });
    const history = openHistory(join(folder, 'history.jsonl'));
    await serve({
      'connection.add': (params) => connections.add(params),
      'connection.remove': async ({ connection }) => {
        await connections.remove(connection);
        return {};
      },
      'session.start': async ({ connection }) => {
        const report = runReport({ id: connection, startedAt: new Date().toISOString() });
        await history.append(report);
        return report;
      },
    });
    const asking = await Promise.all(Array.from({ length: 5 }, client));
    const address = { kind: 'alias', alias: 'a' };
    const replies = asking.flatMap((owner, who) =>
      Array.from({ length: 200 }, async (_, i) => {
        const name = `${who}-${i}`;
        if (i % 4 === 3) return owner.dispatch('session.start', { connection: name, allow: [] });
        const added = await owner.dispatch('connection.add', { name, address });
        return i % 4 === 2 ? owner.dispatch('connection.remove', { connection: name }) : added;
      }),
    );
    expect((await Promise.all(replies)).filter(({ ok }) => !ok)).toEqual([]);
    const names = (await openStateFile(join(folder, 'state.json'))).state.connections.map(({ name }) => name);
    const all = asking.flatMap((_, who) => Array.from({ length: 200 }, (__, i) => ({ name: `${who}-${i}`, kind: i % 4 })));
    expect(names.sort()).toEqual(all.flatMap(({ name, kind }) => (kind < 2 ? [name] : [])).sort());
    const runs = (await history.list()).map(({ id }) => id);
    expect(runs.sort()).toEqual(all.flatMap(({ name, kind }) => (kind === 3 ? [name] : [])).sort());
  });
});

describe('ownerSocketPath', () => {
  it('lies in the data folder, and under a hashed name elsewhere when that path is too long', async () => {
    expect(ownerSocketPath('/data')).toBe('/data/owner.sock');
    const deep = join(folder, 'd'.repeat(60), 'e'.repeat(60));
    const env = { XDG_RUNTIME_DIR: folder };
    path = ownerSocketPath(deep, env);
    expect(path).toMatch(/\/[0-9a-f]{20}\.sock$/);
    expect(ownerSocketPath(`${deep}2`, env)).not.toBe(path);
    expect([isInSharedFolder(path), isInSharedFolder('/data/owner.sock')]).toEqual([true, false]);
    await serve({ status });
    expect(await (await client()).dispatch('status', {})).toMatchObject({ ok: true });
  });

  it('is a sentence when the folder cannot be made', async () => {
    const inTheWay = join(folder, 'file');
    writeFileSync(inTheWay, '');
    const host = makeHost(handlersWith({}), events);
    await expect(startSocketServer(join(inTheWay, 'owner.sock'), host)).rejects.toMatchObject({ code: 'store.failed' });
    mkdirSync(join(folder, 'taken.sock', 'x'), { recursive: true });
    await expect(startSocketServer(join(folder, 'taken.sock'), host)).rejects.toMatchObject({ code: 'store.failed' });
  });
});
