import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, readdir, readFile, readlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunReport } from '../../shared/run-report';
import { closedEnvironment, type ServingProgram, startServing } from './real-app';
import { box, withoutOwn } from './session';
import { startSshd, type TestSshd } from './sshd';
import { contentsOf, folderHome, makeTempFolder, readTree, removeTempFolder, type TestHome, type Tree, writeTree } from './tree';

const program = resolve(import.meta.dirname, '../../out/main/cli.js');

/** What a command of the built program said before it ended, or was ended. */
export interface Ended {
  /** Null when it was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly milliseconds: number;
}

/** The built program and a real SSH server, in temporary folders, to be killed at any moment. */
export interface KillablePlace {
  /** Temporary folder that holds everything but the server's. */
  readonly folder: string;
  readonly sshd: TestSshd;
  readonly local: TestHome;
  readonly remote: TestHome;
  readonly dataDir: string;
  readonly localHome: string;
  /** Runs a command; `killAfter` ends it with SIGKILL so many milliseconds after its start or at that moment, unless it was quicker. */
  cli(args: readonly string[], options?: CliOptions): Promise<Ended>;
  /** Saves the connection in another data folder as well. */
  addConnection(dataDir: string): Promise<Ended>;
  /** Runs the program that owns the data folder until it is stopped. */
  serve(): Promise<ServingProgram>;
  /** Both trees, without what the app keeps in the homes. */
  contents(side: 'local' | 'remote'): Promise<Readonly<Record<string, string>>>;
  /** What the app may not leave behind: temporary names, and anything but its known folders, by side; and its locks and runs. */
  leftovers(): Promise<readonly string[]>;
  /** Processes of this place that still run although no command does: on the server, and here. Waits a while for them to end. */
  survivors(): Promise<readonly string[]>;
  tearDown(): Promise<void>;
}

export interface CliOptions {
  readonly killAfter?: number | Promise<unknown>;
  /** Another data folder than the place's own. */
  readonly dataDir?: string;
}

/** Starts a server and adds the connection. `remoteTools` stand in front of the remote's own programs. */
export async function makeKillablePlace(remoteTools: Tree = {}): Promise<KillablePlace> {
  const folder = await makeTempFolder('kill');
  await mkdir(join(folder, 'tools'));
  await writeTree(join(folder, 'tools'), remoteTools);
  const sshd = await startSshd({ path: `${join(folder, 'tools')}:${process.env.PATH}` });
  const place = new Place(folder, sshd);
  await mkdir(place.localHome);
  await mkdir(place.temporary);
  const added = await place.addConnection(place.dataDir);
  if (added.code !== 0) throw new Error(`the connection was not added: ${added.stderr}`);
  return place;
}

/** Reads the report that a command printed. */
export function reportOf({ stdout, stderr }: Ended): RunReport {
  try {
    return JSON.parse(stdout) as RunReport;
  } catch {
    throw new Error(`no report: ${stdout} ${stderr}`);
  }
}

class Place implements KillablePlace {
  readonly localHome: string;
  readonly remoteHome: string;
  readonly dataDir: string;
  readonly temporary: string;
  readonly local: TestHome;
  readonly remote: TestHome;

  constructor(
    readonly folder: string,
    readonly sshd: TestSshd,
  ) {
    this.localHome = join(folder, 'hermes');
    this.remoteHome = join(sshd.home, '.hermes');
    this.dataDir = join(folder, 'data');
    this.temporary = join(folder, 'tmp');
    this.local = folderHome(this.localHome);
    this.remote = folderHome(this.remoteHome);
  }

  addConnection(dataDir: string): Promise<Ended> {
    const { username, host, port, identityFile, knownHostsFile } = this.sshd;
    const where = ['--address', `${username}@${host}:${port}`, '--identity', identityFile, '--known-hosts', knownHostsFile];
    return this.cli(['connection', 'add', box, ...where, '--no-ssh-config'], { dataDir });
  }

  async cli(args: readonly string[], { killAfter, dataDir = this.dataDir }: CliOptions = {}): Promise<Ended> {
    const folders = ['--data-dir', dataDir, '--hermes-home', this.localHome];
    const env = this.#environment();
    const startedAt = performance.now();
    const child = spawn(process.execPath, [program, ...args, ...folders, '--json'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const said = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream].setEncoding('utf8').on('data', (text: string) => {
        said[stream] += text;
      });
    }
    const timer = typeof killAfter === 'number' ? setTimeout(() => child.kill('SIGKILL'), killAfter) : undefined;
    if (killAfter instanceof Promise) void killAfter.then(() => child.kill('SIGKILL'));
    const code = await ending(child);
    clearTimeout(timer);
    return { code, ...said, milliseconds: performance.now() - startedAt };
  }

  serve(): Promise<ServingProgram> {
    return startServing(['serve', '--port', '0', '--data-dir', this.dataDir, '--hermes-home', this.localHome], this.#environment());
  }

  #environment(): NodeJS.ProcessEnv {
    return { ...closedEnvironment(this.folder), TMPDIR: this.temporary };
  }

  async contents(side: 'local' | 'remote'): Promise<Readonly<Record<string, string>>> {
    const images = withoutOwn(await this[side].read());
    // Names of our own are looked at by `leftovers`.
    return contentsOf(new Map([...images].filter(([path]) => !isOurs(path))));
  }

  async leftovers(): Promise<readonly string[]> {
    const found: string[] = [];
    for (const side of ['local', 'remote'] as const) {
      for (const path of (await this[side].read()).keys()) {
        const known = /^\.ebbgate(\/(id|cache|trash)(\/|$)|$)/.test(path);
        if (isOurs(path) && !known) found.push(`${side}: ${path}`);
      }
    }
    for (const path of (await readTree(this.temporary)).keys()) if (path.includes('owner.lock')) found.push(`lock: ${path}`);
    for (const name of await readdir(join(this.dataDir, 'runs')).catch(() => [])) found.push(`run: ${name}`);
    for (const name of await readdir(this.dataDir)) if (name.startsWith('owner.')) found.push(`lock: ${name}`);
    return found;
  }

  async survivors(): Promise<readonly string[]> {
    const listener = Number(await readFile(join(this.sshd.dir, 'sshd.pid'), 'utf8'));
    const look = async (): Promise<readonly string[]> => [
      ...(await descendants(listener)).map((command) => `remote: ${command}`),
      // A script outlives the server process that started it for as long as it tidies up.
      ...(await processesIn(this.sshd.home)).map((command) => `remote: ${command}`),
      ...(await processesIn(this.folder)).map((command) => `local: ${command}`),
    ];
    let found = await look();
    for (let tries = 0; found.length > 0 && tries < 1000; tries += 1) {
      await delay(10);
      found = await look();
    }
    return found;
  }

  async tearDown(): Promise<void> {
    await this.sshd.stop();
    await removeTempFolder(this.folder);
  }
}

function isOurs(path: string): boolean {
  return path.split('/').some((name) => name.startsWith('.ebbgate'));
}

function ending(child: ChildProcess): Promise<number | null> {
  return new Promise((done) => child.once('close', (code) => done(code)));
}

async function descendants(pid: number): Promise<readonly string[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const found: string[] = [];
  for (const kid of children.trim().split(' ').filter(Boolean).map(Number)) {
    found.push(await commandOf(kid), ...(await descendants(kid)));
  }
  return found;
}

async function commandOf(pid: number): Promise<string> {
  return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ');
}

/** Processes, other than this one, that name the folder or work in it. */
async function processesIn(folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    const command = await commandOf(Number(name));
    const workingFolder = await readlink(`/proc/${name}/cwd`).catch(() => '');
    if (command.includes(folder) || workingFolder.startsWith(folder)) found.push(command);
  }
  return found;
}
