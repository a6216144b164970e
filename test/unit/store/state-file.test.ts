import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectionStore } from '../../../electron/store/connections';
import { sessionStore } from '../../../electron/store/sessions';
import { openStateFile } from '../../../electron/store/state-file';
import type { Connection } from '../../../shared/connection';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ebbgate-state-'));
  file = join(folder, 'state.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function connection(id: string, name: string): Connection {
  return {
    id,
    name,
    address: { kind: 'address', user: 'u', host: 'h', port: 22 },
    identityFile: null,
    knownHostsFile: null,
    acceptedHostKey: null,
    useSshConfig: true,
    localHome: '/home/u/.hermes',
    remoteHome: null,
    profile: null,
    roots: ['skills'],
    newSkills: 'bring',
    userRules: [],
    lifted: [],
    createdAt: '2026-01-01T00:00:00.000Z',
  };
}

describe('openStateFile', () => {
  it('makes a private file with a client id that stays', async () => {
    const first = await openStateFile(file);
    expect(first.state.clientId).toMatch(/^[0-9a-f]{32}$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await openStateFile(file)).state.clientId).toBe(first.state.clientId);
  });

  it('keeps what was updated', async () => {
    const state = await openStateFile(file);
    await connectionStore(state).add(connection('1', 'box'));
    await sessionStore(state).put({ connection: '1', state: 'open', startedAt: 'x' });
    await sessionStore(state).put({ connection: '1', state: 'ending', startedAt: 'y' });
    const again = await openStateFile(file);
    expect(connectionStore(again).list()).toEqual([connection('1', 'box')]);
    expect(sessionStore(again).get('1')).toEqual({ connection: '1', state: 'ending', startedAt: 'y' });
    expect(sessionStore(again).list()).toHaveLength(1);
  });

  it('loses none of many updates that were asked for at once', async () => {
    const state = await openStateFile(file);
    await Promise.all(Array.from({ length: 300 }, (_, i) => connectionStore(state).add(connection(`${i}`, `box ${i}`))));
    expect(connectionStore(await openStateFile(file)).list()).toHaveLength(300);
  });

  it('resolves an update only when it is on disk', async () => {
    const state = await openStateFile(file);
    await connectionStore(state).add(connection('1', 'box'));
    expect(readFileSync(file, 'utf8')).toContain('"box"');
  });

  it('changes nothing when a change throws or leaves something invalid, and goes on with the others', async () => {
    const state = await openStateFile(file);
    const store = connectionStore(state);
    const results = await Promise.allSettled([
      store.add(connection('1', 'box')),
      store.add(connection('2', 'BOX')),
      state.update((draft) => {
        draft.connections = [];
        throw new Error('no');
      }),
      state.update((draft) => {
        draft.clientId = 'not an id';
      }),
      store.add(connection('3', 'other')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: { code: 'connection.exists' } });
    expect(store.list().map(({ id }) => id)).toEqual(['1', '3']);
    expect(connectionStore(await openStateFile(file)).list()).toEqual(store.list());
  });

  it('forgets the session and decisions of a removed connection', async () => {
    const state = await openStateFile(file);
    const store = connectionStore(state);
    await store.add(connection('1', 'box'));
    await store.add(connection('2', 'other'));
    for (const id of ['1', '2']) await sessionStore(state).put({ connection: id, state: 'open', startedAt: 'x' });
    await state.update((draft) =>
      draft.decisions.push({ id: 'd', connection: '1', path: 'skills/a', choice: 'keep-local', hash: null, createdAt: 'x' }),
    );
    expect(await store.remove('1')).toBe(true);
    expect(await store.remove('1')).toBe(false);
    expect(state.state.sessions).toEqual([{ connection: '2', state: 'open', startedAt: 'x' }]);
    expect(state.state.decisions).toEqual([]);
  });

  it.each([
    ['empty', ''],
    ['cut', '{"version":1,"conn'],
    ['of another shape', '{"version":1,"connections":{}}'],
    ['no object', '[]'],
  ])('sets a file aside that is %s, and says so', async (_, text) => {
    writeFileSync(file, text);
    const state = await openStateFile(file, () => 1234);
    expect(state.state.connections).toEqual([]);
    expect(readFileSync(`${file}.broken-1234`, 'utf8')).toBe(text);
    expect(state.notes).toHaveLength(1);
    expect(state.notes[0]).toContain('state.json.broken-1234');
    expect((await openStateFile(file)).state.clientId).toBe(state.state.clientId);
  });

  it('refuses a newer version and leaves the file as it is', async () => {
    const text = '{"version":2,"anything":true}';
    writeFileSync(file, text);
    await expect(openStateFile(file)).rejects.toMatchObject({ code: 'store.newer', details: { file, version: 2 } });
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(readdirSync(folder)).toEqual(['state.json']);
  });

  it('fails with a sentence when the file cannot be read or written', async () => {
    mkdirSync(file);
    await expect(openStateFile(file)).rejects.toMatchObject({ code: 'store.failed', details: { operation: 'read', file } });
    await expect(openStateFile(join(folder, 'missing', 'state.json'))).rejects.toMatchObject({ code: 'store.failed' });
  });

  it('keeps the old state in memory and on disk when a write fails', async () => {
    const state = await openStateFile(file);
    await connectionStore(state).add(connection('1', 'box'));
    rmSync(file);
    mkdirSync(join(file, 'in-the-way'), { recursive: true });
    await expect(connectionStore(state).add(connection('2', 'other'))).rejects.toMatchObject({ code: 'store.failed' });
    expect(connectionStore(state).list()).toHaveLength(1);
    rmSync(file, { recursive: true });
    await connectionStore(state).add(connection('3', 'third'));
    expect(connectionStore(await openStateFile(file)).list()).toHaveLength(2);
  });
});
