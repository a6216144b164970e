import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { SshTarget } from '../../electron/ssh/target';
import { type KeyOptions, keygenFingerprint, makeKey, publicBlob } from './keys';
import { configuration, type LaunchOptions, type SshdOptions } from './sshd-config';
import { plainTarget } from './target';

/** A running OpenSSH server on a loopback port with everything a client needs to get in. */
export interface TestSshd {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  /** Temporary folder of this server; removed by `stop`. */
  readonly dir: string;
  /** `$HOME` of every command. */
  readonly home: string;
  readonly identityFile: string;
  /** Lists both host keys. */
  readonly knownHostsFile: string;
  readonly authorizedKeysFile: string;
  hostKey(type?: HostKeyType): Buffer;
  fingerprint(type?: HostKeyType): string;
  /** A target that gets in; parts may be replaced. */
  target(changes?: Partial<SshTarget>): SshTarget;
  /** A new key pair; `authorized` also lets it in. */
  makeKey(name: string, options?: KeyOptions & { readonly authorized?: boolean }): string;
  /** What the server logged so far (verbose level). */
  log(): string;
  /** Cuts every open connection, keeping the listener; returns how many processes were ended. */
  dropConnections(): number;
  /** Freezes or thaws the processes of every open connection, and what they run. */
  freeze(frozen: boolean): void;
  /** Ids of all processes of open connections that have not ended. */
  processes(): readonly number[];
  /** Kills the server with all its connections. `revive` starts it again, on the same port and with the same keys. */
  crash(): Promise<void>;
  revive(): Promise<void>;
  stop(): Promise<void>;
}

export type HostKeyType = 'ed25519' | 'ecdsa';

const sshdPath = ['/usr/sbin/sshd', '/usr/local/sbin/sshd', '/usr/local/bin/sshd', '/sbin/sshd'].find((file) => existsSync(file));

/** Starts an OpenSSH server with keys and configuration of its own in one temporary folder. */
export async function startSshd(options: SshdOptions = {}): Promise<TestSshd> {
  const dir = mkdtempSync(join(tmpdir(), 'ebbgate-sshd-'));
  const hostKeys = { ed25519: makeKey(dir, 'host_ed25519', { type: 'ed25519' }), ecdsa: makeKey(dir, 'host_ecdsa', { type: 'ecdsa' }) };
  const identityFile = makeKey(dir, 'client_ed25519');
  const authorizedKeysFile = join(dir, 'authorized_keys');
  copyFileSync(`${identityFile}.pub`, authorizedKeysFile);
  chmodSync(authorizedKeysFile, 0o600);
  // The account's real start-up files must neither run nor slow anything down.
  const home = options.home ?? join(dir, 'home');
  mkdirSync(home, { recursive: true });
  const { child: first, port, said } = await launch(dir, { ...options, home });
  let child = first;
  const knownHostsFile = join(dir, 'known_hosts');
  for (const file of Object.values(hostKeys)) {
    const [type, key] = readFileSync(`${file}.pub`, 'utf8').split(' ');
    appendFileSync(knownHostsFile, `[127.0.0.1]:${port} ${type} ${key}\n`);
  }
  const kill = (): void => {
    for (const pid of [...descendants(child.pid ?? 0), child.pid ?? 0]) signal(pid, 'SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  };
  // A crashed test must leave no server behind.
  process.once('exit', kill);
  const username = userInfo().username;
  return {
    host: '127.0.0.1',
    port,
    username,
    dir,
    home,
    identityFile,
    knownHostsFile,
    authorizedKeysFile,
    hostKey: (type = 'ed25519') => publicBlob(hostKeys[type]),
    fingerprint: (type = 'ed25519') => keygenFingerprint(hostKeys[type]),
    target: (changes = {}) => ({
      host: '127.0.0.1',
      port,
      user: username,
      identityFiles: [identityFile],
      knownHostsFiles: [knownHostsFile],
      ...plainTarget,
      ...changes,
    }),
    makeKey: (name, keyOptions = {}) => {
      const file = makeKey(dir, name, keyOptions);
      if (keyOptions.authorized) appendFileSync(authorizedKeysFile, readFileSync(`${file}.pub`));
      return file;
    },
    log: () => said.text,
    dropConnections: () => connectionProcesses(child).filter((pid) => signal(pid, 'SIGKILL')).length,
    freeze: (frozen) => {
      for (const pid of descendants(child.pid ?? 0)) signal(pid, frozen ? 'SIGSTOP' : 'SIGCONT');
    },
    processes: () => descendants(child.pid ?? 0).filter((pid) => !isZombie(pid)),
    crash: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      for (const pid of [...descendants(child.pid ?? 0), child.pid ?? 0]) signal(pid, 'SIGKILL');
      await ended;
    },
    revive: async () => {
      const again = await listen(join(dir, 'sshd_config'), said);
      if (again === null) throw new Error(`sshd did not start again: ${said.text}`);
      child = again;
    },
    stop: async () => {
      process.off('exit', kill);
      const ended = new Promise((resolve) => child.once('exit', resolve));
      const running = child.exitCode === null && child.signalCode === null;
      kill();
      if (running) await ended;
    },
  };
}

async function launch(dir: string, options: LaunchOptions): Promise<{ child: ChildProcess; port: number; said: { text: string } }> {
  if (!sshdPath) throw new Error('sshd is not installed');
  // As root, sshd insists on its separation folder.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const config = join(dir, 'sshd_config');
    writeFileSync(config, configuration(dir, port, options).join('\n'));
    const check = spawnSync(sshdPath, ['-t', '-f', config], { encoding: 'utf8' });
    if (check.status !== 0) throw new Error(`sshd refuses its configuration: ${check.stderr}`);
    const said = { text: '' };
    const child = await listen(config, said);
    if (child !== null) return { child, port, said };
    // Another process may have taken the free port in between.
    if (attempt === 5) throw new Error(`sshd did not start: ${said.text}`);
  }
}

/** Starts a server and waits until it listens; null when it does not. What it logs is added to `said`. */
function listen(config: string, said: { text: string }): Promise<ChildProcess | null> {
  const child = spawn(sshdPath ?? 'sshd', ['-D', '-e', '-f', config], { stdio: ['ignore', 'ignore', 'pipe'] });
  const from = said.text.length;
  return new Promise((resolve) => {
    child.once('exit', () => resolve(null));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      said.text += chunk;
      if (said.text.slice(from).includes('Server listening on')) resolve(child);
    });
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => (typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port'))));
    });
  });
}

function connectionProcesses(child: ChildProcess): number[] {
  return descendants(child.pid ?? 0).filter((pid) => processName(pid).startsWith('sshd'));
}

function descendants(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
    return children.flatMap((kid) => [...descendants(kid), kid]);
  } catch {
    // The process ended in between.
    return [];
  }
}

function isZombie(pid: number): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    // The process ended in between.
    return true;
  }
}

function processName(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8');
  } catch {
    // The process ended in between.
    return '';
  }
}

function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return pid > 0 && process.kill(pid, name);
  } catch {
    // The process ended in between.
    return false;
  }
}
