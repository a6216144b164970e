import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { copyFile, mkdir, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { RunReport } from '../../shared/run-report';
import { startSshd, type TestSshd } from './sshd';
import { makeTempFolder, removeTempFolder, type Tree, writeTree } from './tree';

const program = resolve(import.meta.dirname, '../../out/main/cli.js');

/** What a command of the built program said. */
export interface CliAnswer {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program that serves the window until it is stopped. */
export interface ServingProgram {
  /** The address after READY; works once. */
  readonly url: string;
  readonly origin: string;
  readonly pid: number;
  /** Asks it to end, as Ctrl-C does, and waits for it. Returns its exit code. */
  stop(): Promise<number | null>;
}

/** The built program against a real SSH server, with folders of its own on both sides. */
export interface RealApp extends ServingProgram {
  /** Name of its only connection; there is none yet when `sshFolder` was given. */
  readonly connection: string;
  readonly sshd: TestSshd;
  /** The user's home on this computer, and the key in it that gets in. */
  readonly userHome: string;
  readonly identityFile: string;
  /** Hermes homes of this computer and of the remote. */
  readonly localHome: string;
  readonly remoteHome: string;
  /** Runs a command over the same data folder, beside the serving program. */
  cli(args: readonly string[]): CliAnswer;
  /** Past runs as the command line tells them, newest first. */
  history(): readonly RunReport[];
}

export interface RealAppOptions {
  /** Fills both Hermes homes before anything connects. */
  readonly fill?: (homes: { readonly localHome: string; readonly remoteHome: string }) => Promise<void>;
  /** Fills the data folder, once the connection is in it and before the window is served. */
  readonly prepare?: (dataDir: string) => Promise<void>;
  /** Text of the connection's known-hosts file; the server's keys when left out. */
  readonly knownHosts?: (sshd: TestSshd) => string;
  /** Files of the user's SSH folder on this computer. With it, no connection is added. */
  readonly sshFolder?: (login: { readonly sshd: TestSshd; readonly identityFile: string }) => Tree;
  /** Programs that stand in front of the remote's own. */
  readonly remoteTools?: Tree;
}

/** The environment of a program that must know nothing of the user's. */
export function closedEnvironment(home: string, changes: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LANG: 'C.UTF-8', HOME: home, TMPDIR: tmpdir(), ...changes };
}

/** Starts the built program with these arguments and waits for its READY line. */
export async function startServing(args: readonly string[], env: NodeJS.ProcessEnv): Promise<ServingProgram> {
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = (): void => void child.kill('SIGKILL');
  // A crashed test must leave no program behind.
  process.once('exit', kill);
  const ended = new Promise<number | null>((done) => child.once('exit', (code) => done(code)));
  const url = await readyAddress(child);
  return {
    url,
    origin: new URL(url).origin,
    pid: child.pid ?? 0,
    stop: async () => {
      process.off('exit', kill);
      child.kill('SIGINT');
      return ended;
    },
  };
}

function readyAddress(child: ChildProcess): Promise<string> {
  return new Promise((found, failed) => {
    let said = '';
    const listen = (text: string): void => {
      said += text;
      const url = /^READY (\S+)$/m.exec(said)?.[1];
      if (url !== undefined) found(url);
    };
    child.stdout?.setEncoding('utf8').on('data', listen);
    child.stderr?.setEncoding('utf8').on('data', listen);
    child.once('exit', (code) => failed(new Error(`the program ended with ${code} before it was ready: ${said}`)));
  });
}

/** Starts a server, adds a connection to it on the command line, and serves the window over both. */
export async function startRealApp(options: RealAppOptions = {}): Promise<RealApp> {
  const folder = await realpath(await makeTempFolder('real-app'));
  const remoteUser = join(folder, 'remote');
  const localHome = join(folder, 'local', '.hermes');
  const remoteHome = join(remoteUser, '.hermes');
  await mkdir(remoteUser, { recursive: true });
  await mkdir(localHome, { recursive: true });
  await options.fill?.({ localHome, remoteHome });
  await writeTree(folder, { tools: { folder: true } });
  await writeTree(join(folder, 'tools'), options.remoteTools ?? {});
  const sshd = await startSshd({ home: remoteUser, path: `${join(folder, 'tools')}:${process.env.PATH}` });
  // The server's own folder goes when it stops; the user's files stay.
  const identityFile = join(folder, 'key');
  const knownHostsFile = join(folder, 'known_hosts');
  await copyFile(sshd.identityFile, identityFile);
  if (options.knownHosts === undefined) await copyFile(sshd.knownHostsFile, knownHostsFile);
  else await writeFile(knownHostsFile, options.knownHosts(sshd));
  const env = closedEnvironment(folder);
  const dataDir = join(folder, 'data');
  const folders = ['--data-dir', dataDir, '--hermes-home', localHome];
  const cli = (args: readonly string[]): CliAnswer => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args, ...folders], {
      env,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    return { code: status, stdout, stderr };
  };
  const connection = 'build-box';
  if (options.sshFolder !== undefined) await writeTree(folder, { '.ssh': { folder: true } });
  if (options.sshFolder !== undefined) await writeTree(join(folder, '.ssh'), options.sshFolder({ sshd, identityFile }));
  else {
    const address = ['--address', `${sshd.username}@${sshd.host}:${sshd.port}`, '--identity', identityFile];
    const added = cli(['connection', 'add', connection, ...address, '--known-hosts', knownHostsFile, '--no-ssh-config']);
    if (added.code !== 0) throw new Error(`the connection was not added: ${added.stderr}`);
  }
  await options.prepare?.(dataDir);
  const serving = await startServing(['serve', '--port', '0', ...folders], env);
  return {
    ...serving,
    ...{ connection, sshd, userHome: folder, identityFile, localHome, remoteHome, cli },
    history: () => (JSON.parse(cli(['history', '--json']).stdout) as { readonly runs: readonly RunReport[] }).runs,
    stop: async () => {
      const code = await serving.stop();
      await sshd.stop();
      await removeTempFolder(folder);
      return code;
    },
  };
}
