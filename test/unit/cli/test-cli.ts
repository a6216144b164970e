import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createConnections } from '../../../electron/app/connections';
import { openHistory } from '../../../electron/app/history';
import { openInbox } from '../../../electron/app/inbox';
import type { CliDeps } from '../../../electron/cli/deps';
import { runCli } from '../../../electron/cli/run';
import { createEventHub, type Handlers, makeHost } from '../../../electron/ipc/gate';
import type { ComposedApp } from '../../../electron/ipc/host';
import { connectToOwner } from '../../../electron/ipc/socket-client';
import { ownerSocketPath } from '../../../electron/ipc/socket-path';
import { startSocketServer } from '../../../electron/ipc/socket-server';
import { makePrivateFolder } from '../../../electron/platform/app-paths';
import { connectionStore } from '../../../electron/store/connections';
import { takeOwnerLock } from '../../../electron/store/owner-lock';
import { sessionStore } from '../../../electron/store/sessions';
import { openStateFile } from '../../../electron/store/state-file';
import { storeFailure } from '../../../electron/store/store-errors';
import { handlersWith } from '../ipc/handlers';

/** An application with the real store, lock and socket, and the given handlers in place of runs. */
export async function composeApp(
  options: { readonly dataDir: string; readonly hermesHome: string },
  some: Partial<Handlers>,
): Promise<ComposedApp> {
  const { dataDir, hermesHome } = options;
  await makePrivateFolder(dataDir).catch((error: unknown) => {
    throw storeFailure('make', dataDir, error);
  });
  const lock = await takeOwnerLock(dataDir);
  try {
    const state = await openStateFile(join(dataDir, 'state.json'));
    const connections = createConnections(connectionStore(state), { localHome: () => hermesHome });
    const inbox = await openInbox(join(dataDir, 'inbox'));
    const history = openHistory(join(dataDir, 'history.jsonl'));
    const idOf = (name: string | undefined): string | undefined => (name === undefined ? undefined : connections.find(name).id);
    const handlers = handlersWith({
      'connection.list': async () => ({ connections: connections.list() }),
      'connection.add': (params) => connections.add(params),
      'connection.remove': async ({ connection }) => {
        await connections.remove(connection);
        return {};
      },
      'session.list': async () => ({ sessions: sessionStore(state).list() }),
      'inbox.list': async ({ connection }) => ({ items: inbox.list(idOf(connection)), bytes: 0 }),
      'history.list': async ({ connection, limit }) => ({ runs: await history.list({ connection: idOf(connection), limit }) }),
      status: async () => ({ connections: [], needsYou: inbox.list().length }),
      ...some,
    });
    const host = makeHost(handlers, createEventHub());
    const socket = await startSocketServer(ownerSocketPath(dataDir), host);
    return {
      ...host,
      resumed: () => undefined,
      async dispose() {
        await socket.close();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

export interface TestCli {
  readonly dataDir: string;
  readonly hermesHome: string;
  /** How often an application was composed. */
  readonly composed: () => number;
  run(...args: string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }>;
  /** What SIGINT would do. */
  stop(): void;
  readonly exits: readonly number[];
}

/** The command line over the real store in `folder`; `some` and `changes` replace handlers and surroundings. */
export function testCli(folder: string, some: Partial<Handlers> = {}, changes: Partial<CliDeps> = {}): TestCli {
  const dataDir = join(folder, 'data');
  const hermesHome = join(folder, 'hermes');
  mkdirSync(hermesHome, { recursive: true });
  const stops = new Set<() => void>();
  const exits: number[] = [];
  let composed = 0;
  const never = async (): Promise<never> => {
    throw new Error('not expected');
  };
  return {
    dataDir,
    hermesHome,
    composed: () => composed,
    exits,
    stop: () => {
      for (const callback of [...stops]) callback();
    },
    async run(...args) {
      const said = { out: '', err: '' };
      const deps: CliDeps = {
        env: { EBBGATE_DATA_DIR: dataDir, HERMES_HOME: hermesHome },
        stdout: async (text) => {
          said.out += text;
        },
        stderr: (text) => {
          said.err += text;
        },
        showsProgress: false,
        readAnswer: null,
        connect: (dir) => connectToOwner(ownerSocketPath(dir)),
        compose: (options) => {
          composed += 1;
          return composeApp(options, some);
        },
        startWebHost: never,
        playDemo: never,
        onStop(callback) {
          stops.add(callback);
          return () => stops.delete(callback);
        },
        exitNow: (code) => void exits.push(code),
        openBrowser: () => undefined,
        busyWaitMs: 300,
        ...changes,
      };
      const code = await runCli(args, deps);
      return { code, ...said };
    },
  };
}
