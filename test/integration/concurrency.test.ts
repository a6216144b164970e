import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { connectToOwner, type SocketClient } from '../../electron/ipc/socket-client';
import { ownerSocketPath } from '../../electron/ipc/socket-path';
import type { Connection } from '../../shared/connection';
import type { WireError } from '../../shared/contract';
import type { RunReport } from '../../shared/run-report';
import { type Ended, type KillablePlace, makeKillablePlace, reportOf } from '../support/killable';
import { createRandom, type Random, seedFrom } from '../support/random';
import { box, connectionTo } from '../support/session';
import { ensureBuilt } from '../support/stood-in-app';

const operations = 1000;
const clientCount = 4;

let place: KillablePlace;
beforeAll(() => ensureBuilt());
afterEach(() => place.tearDown());

async function connect(): Promise<SocketClient> {
  const client = await connectToOwner(ownerSocketPath(place.dataDir), 30_000);
  if (client === null) throw new Error('nobody owns the data folder');
  return client;
}

async function ask<T>(client: SocketClient, name: string, params: unknown): Promise<T> {
  const answer = await client.dispatch(name, params);
  if (!answer.ok) throw new Error(`${name}: ${answer.error.code}: ${answer.error.message}`);
  return answer.value as T;
}

interface Worked {
  /** Connections that must be there afterwards. */
  readonly names: readonly string[];
  /** Runs that must be in the history afterwards. */
  readonly runs: readonly string[];
}

/** A sync-back of the one connection all share; its id, or null when another client's is under way. */
async function syncBack(client: SocketClient): Promise<string | null> {
  const answer = await client.dispatch('session.end', { connection: box, allow: ['first-session'] });
  if (answer.ok) return (answer.value as RunReport).id;
  expect(answer.error).toMatchObject({ code: 'run.busy', message: expect.stringContaining(`"${box}"`) });
  return null;
}

/** Adds, removes, looks, and now and then ends a session. */
async function work(client: SocketClient, who: number, count: number, random: Random): Promise<Worked> {
  const mine: string[] = [];
  const runs: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const what = random.next();
    if (what < 0.3) {
      mine.push(`client-${who}-${at}`);
      await ask(client, 'connection.add', connectionTo(place.sshd, { name: `client-${who}-${at}` }));
    } else if (what < 0.45 && mine.length > 0) {
      const [gone = ''] = mine.splice(random.below(mine.length), 1);
      await ask(client, 'connection.remove', { connection: gone });
    } else if (what < 0.46) runs.push(...[await syncBack(client)].flatMap((run) => run ?? []));
    else if (what < 0.6) await ask(client, 'status', {});
    else if (what < 0.75) await ask(client, 'inbox.list', {});
    else if (what < 0.9) await ask(client, 'history.list', {});
    else {
      const { connections } = await ask<{ readonly connections: readonly Connection[] }>(client, 'connection.list', {});
      expect(connections.map(({ name }) => name)).toEqual(expect.arrayContaining([box, ...mine]));
    }
  }
  return { names: mine, runs };
}

const addArguments = (name: string): readonly string[] => [
  'connection',
  'add',
  name,
  '--address',
  'user@nowhere.invalid',
  '--no-ssh-config',
];

/** Two programs, one after the other, over and over: adds three connections and removes one. */
async function shortLived(who: string): Promise<readonly string[]> {
  for (const name of ['one', 'two', 'three']) expect((await place.cli(addArguments(`${who}-${name}`))).stderr).toBe('');
  expect((await place.cli(['connection', 'remove', `${who}-two`])).code).toBe(0);
  return [`${who}-one`, `${who}-three`];
}

const namesIn = (connections: readonly Pick<Connection, 'name'>[]) => connections.map(({ name }) => name).sort();

function savedNames(): readonly string[] {
  const state = JSON.parse(readFileSync(join(place.dataDir, 'state.json'), 'utf8')) as { readonly connections: readonly Connection[] };
  return namesIn(state.connections);
}

describe('one data folder', () => {
  it('loses no update while long-lived clients and commands use it beside a serving program', { timeout: 300_000 }, async () => {
    const seed = seedFrom('EBBGATE_CONCURRENCY_SEED', 5);
    console.log(`EBBGATE_CONCURRENCY_SEED=${seed}`);
    place = await makeKillablePlace();
    const serving = await place.serve();
    const clients = await Promise.all(Array.from({ length: clientCount }, connect));
    const [worked, ...kept] = await Promise.all([
      Promise.all(clients.map((client, who) => work(client, who, operations / clientCount, createRandom(seed + who)))),
      shortLived('first'),
      shortLived('second'),
    ]);
    const expected = [box, ...worked.flatMap(({ names }) => names), ...kept.flat()].sort();
    const runs = worked.flatMap((one) => one.runs);
    expect(runs.length).toBeGreaterThan(3);
    const past = JSON.parse((await place.cli(['history'])).stdout) as { readonly runs: readonly RunReport[] };
    expect(past.runs.map(({ id, outcome }) => [id, outcome]).sort()).toEqual(runs.map((id) => [id, 'done']).sort());
    for (const client of clients) {
      expect(namesIn((await ask<{ readonly connections: readonly Connection[] }>(client, 'connection.list', {})).connections)).toEqual(
        expected,
      );
      client.close();
    }
    expect(savedNames()).toEqual(expected);
    expect(await serving.stop()).toBe(0);
    const { connections } = JSON.parse((await place.cli(['connection', 'list'])).stdout) as { readonly connections: readonly Connection[] };
    expect(namesIn(connections)).toEqual(expected);
  });

  it('loses no update of commands that hand it to each other', { timeout: 300_000 }, async () => {
    place = await makeKillablePlace();
    const names = Array.from({ length: 6 }, (_, index) => `command-${index}`);
    const ended = await Promise.all(names.map((name) => place.cli(addArguments(name))));
    expect(ended.map(({ code, stderr }) => ({ code, stderr }))).toEqual(names.map(() => ({ code: 0, stderr: '' })));
    expect(savedNames()).toEqual([box, ...names].sort());
  });
});

/** A remote whose listing waits until a file appears, and tells that it waits. */
const slowFind = (folder: string) => `#!/bin/sh
case " $* " in *" / "*) ;; *) : >"${folder}/waiting"; while [ ! -e "${folder}/open" ]; do sleep 0.1; done ;; esac
exec /usr/bin/find "$@"
`;

function errorOf({ stdout }: Ended): WireError {
  return (JSON.parse(stdout) as { readonly error: WireError }).error;
}

describe('two runs at once', () => {
  /** A session whose first run hangs in the middle, with the way to let it go on. */
  async function hang(): Promise<{ readonly running: Promise<Ended>; letGo(): Promise<Ended> }> {
    place = await makeKillablePlace();
    const gate = join(place.folder, 'gate');
    await place.local.write({ 'skills/a/SKILL.md': 'here\n' });
    await writeFile(join(place.folder, 'tools', 'find'), slowFind(gate), { mode: 0o755 });
    await mkdir(gate);
    const running = place.cli(['session', 'start', box, '--allow', 'first-session']);
    while (!existsSync(join(gate, 'waiting'))) await delay(20);
    return {
      running,
      letGo: async () => {
        await writeFile(join(gate, 'open'), '');
        return running;
      },
    };
  }

  it('are refused on one connection, saying who holds it', { timeout: 120_000 }, async () => {
    const { letGo } = await hang();
    const second = await place.cli(['session', 'end', box]);
    expect(second.code).toBe(5);
    expect(errorOf(second)).toMatchObject({ code: 'run.busy', message: expect.stringContaining(`"${box}"`) });
    expect((await letGo()).code).toBe(0);
    expect((await place.cli(['session', 'end', box])).code).toBe(0);
  });

  it('in one Hermes home from two data folders wait, and then say who holds it', { timeout: 180_000 }, async () => {
    const { letGo } = await hang();
    const dataDir = join(place.folder, 'other data');
    expect((await place.addConnection(dataDir)).code).toBe(0);
    const second = await place.cli(['session', 'end', box, '--allow', 'first-session'], { dataDir });
    expect(second.code).toBe(5);
    expect(second.stdout).toMatch(/another Ebbgate \(process \d+\) works in this Hermes home/);
    expect((await letGo()).code).toBe(0);
    const again = await place.cli(['session', 'end', box, '--allow', 'first-session'], { dataDir });
    expect(reportOf(again).outcome).toBe('done');
  });
});
