import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Params, Reply, RequestName } from '../../shared/contract';
import { fromWireError } from '../../shared/errors';
import type { RunReport } from '../../shared/run-report';
import { compose } from '../compose';
import type { Host } from '../ipc/host';
import { makeLocalHome, makeRemoteHome, workOnRemote } from './made-up-homes';
import { startDemoServer } from './server';

export interface DemoSurroundings {
  /** One session from start to end, then leave. */
  readonly once: boolean;
  /** Leaves the made-up folders where they are. */
  readonly keep: boolean;
  /** Says what happens, for people. */
  say(line: string): void;
  /** Shows the window until the user has seen enough. */
  showWindow(host: Host): Promise<void>;
}

const name = 'demo-box';

/**
 * The whole story on this computer: a made-up remote behind a real SSH server on loopback, its own data folder and Hermes home,
 * all in one temporary folder. Nothing of the user's is read or written, whatever the environment says. Returns the sync-back.
 */
export async function playDemo(surroundings: DemoSurroundings): Promise<RunReport> {
  const folder = await mkdtemp(join(tmpdir(), 'ebbgate-demo-'));
  const remove = () => (surroundings.keep ? Promise.resolve() : rm(folder, { recursive: true, force: true }));
  try {
    return await play(folder, surroundings);
  } finally {
    await remove();
    if (surroundings.keep) surroundings.say(`The made-up folders are in ${folder}.`);
  }
}

async function play(folder: string, { once, say, showWindow }: DemoSurroundings): Promise<RunReport> {
  const remoteUser = join(folder, 'remote');
  const remoteHome = join(remoteUser, '.hermes');
  const hermesHome = join(folder, 'local', '.hermes');
  await mkdir(remoteUser, { recursive: true });
  await Promise.all([makeLocalHome(hermesHome), makeRemoteHome(remoteHome)]);
  const server = await startDemoServer({ home: remoteUser });
  const identityFile = join(folder, 'key');
  await writeFile(identityFile, server.privateKey, { mode: 0o600 });
  const app = await compose({ dataDir: join(folder, 'data'), hermesHome });
  try {
    await ask(app, 'connection.add', {
      ...{ name, identityFile, acceptHostKey: server.hostKey, knownHostsFile: join(folder, 'known_hosts'), useSshConfig: false },
      address: { kind: 'address', user: server.username, host: server.host, port: server.port },
    });
    say('Session start: the skills go out.');
    await ask(app, 'session.start', { connection: name, allow: ['first-session'] });
    say('On the remote, the agent edits one skill and makes another.');
    await workOnRemote(remoteHome, 1);
    say('Session end: the work comes home, bookkeeping stays there.');
    const report = await ask(app, 'session.end', { connection: name, allow: [] });
    if (once) return report;
    // One more session is left open, so that there is something to end in the window.
    await ask(app, 'session.start', { connection: name, allow: [] });
    await workOnRemote(remoteHome, 2);
    say('A second session is open, with work to bring home: end it in the window. Ctrl-C ends the demo.');
    await showWindow(app);
    return report;
  } finally {
    await app.dispose();
    await server.stop();
  }
}

async function ask<K extends RequestName>(host: Host, request: K, params: Params<K>): Promise<Reply<K>> {
  const envelope = await host.dispatch(request, params);
  if (!envelope.ok) throw fromWireError(envelope.error);
  return envelope.value as Reply<K>;
}
