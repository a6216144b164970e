import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { SshTarget } from '../../electron/ssh/target';
import { type KeyOptions, keygenFingerprint, makeKey, publicBlob } from './keys';
import { plainTarget } from './target';

/** How the remote account behaves; the machine's own accounts and files stay untouched. */
export interface SshdOptions {
  /** Lines put before the fixture's own, so that they win. */
  readonly extraConfig?: readonly string[];
  /** `$HOME` of every command and the start folder of SFTP; an empty temporary folder when left out. The working folder of a command stays the account's real home. */
  readonly home?: string;
  /** `$PATH` of every command. */
  readonly path?: string;
  /** Every command is answered by SFTP alone. */
  readonly sftpOnly?: boolean;
  /** No SFTP subsystem. */
  readonly noSftp?: boolean;
  /**
   * What stands between the client and its command: another login shell (`fish`, `busybox`), a start-up file that prints text
   * before and after (`noisy`), or an account that ends at once (`closed`).
   */
  readonly login?: 'fish' | 'busybox' | 'noisy' | 'closed';
}

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
  /** Freezes or thaws the processes of every open connection. */
  freeze(frozen: boolean): void;
  stop(): Promise<void>;
}

export type HostKeyType = 'ed25519' | 'ecdsa';

const sshdPath = ['/usr/sbin/sshd', '/usr/local/sbin/sshd', '/usr/local/bin/sshd', '/sbin/sshd'].find((file) => existsSync(file));
const sftpServerPath = ['/usr/lib/openssh/sftp-server', '/usr/libexec/sftp-server', '/usr/lib/ssh/sftp-server'].find((file) =>
  existsSync(file),
);

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
  const { child, port, log } = await launch(dir, { ...options, home });
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
    log,
    dropConnections: () => connectionProcesses(child).filter((pid) => signal(pid, 'SIGKILL')).length,
    freeze: (frozen) => {
      for (const pid of connectionProcesses(child)) signal(pid, frozen ? 'SIGSTOP' : 'SIGCONT');
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

type LaunchOptions = SshdOptions & { readonly home: string };

async function launch(dir: string, options: LaunchOptions): Promise<{ child: ChildProcess; port: number; log: () => string }> {
  if (!sshdPath) throw new Error('sshd is not installed');
  // As root, sshd insists on its separation folder.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const config = join(dir, 'sshd_config');
    writeFileSync(config, configuration(dir, port, options).join('\n'));
    const check = spawnSync(sshdPath, ['-t', '-f', config], { encoding: 'utf8' });
    if (check.status !== 0) throw new Error(`sshd refuses its configuration: ${check.stderr}`);
    const child = spawn(sshdPath, ['-D', '-e', '-f', config], { stdio: ['ignore', 'ignore', 'pipe'] });
    let text = '';
    const listening = await new Promise<boolean>((resolve) => {
      child.once('exit', () => resolve(false));
      child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        if (text.includes('Server listening on')) resolve(true);
      });
    });
    if (listening) return { child, port, log: () => text };
    // Another process may have taken the free port in between.
    if (attempt === 5) throw new Error(`sshd did not start: ${text}`);
  }
}

function configuration(dir: string, port: number, options: LaunchOptions): string[] {
  const setEnv = [`"HOME=${options.home}"`, ...(options.path === undefined ? [] : [`"PATH=${options.path}"`])].join(' ');
  const startFolder = ` -d ${options.home}`;
  const subsystem = options.login === undefined ? 'internal-sftp' : sftpServerPath;
  return [
    ...(options.extraConfig ?? []),
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    'AddressFamily inet',
    `HostKey ${join(dir, 'host_ed25519')}`,
    `HostKey ${join(dir, 'host_ecdsa')}`,
    `PidFile ${join(dir, 'sshd.pid')}`,
    `AuthorizedKeysFile ${join(dir, 'authorized_keys')}`,
    'StrictModes no',
    'UsePAM no',
    'PubkeyAuthentication yes',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'PermitRootLogin prohibit-password',
    'PrintMotd no',
    'PrintLastLog no',
    'UseDNS no',
    'LogLevel VERBOSE',
    'MaxStartups 100:30:200',
    `SetEnv ${setEnv}`,
    ...(options.noSftp ? [] : [`Subsystem sftp ${subsystem}${startFolder}`]),
    ...(options.sftpOnly ? [`ForceCommand internal-sftp${startFolder}`] : []),
    ...(options.login === undefined ? [] : [`ForceCommand ${loginScript(dir, options.login)}`]),
    '',
  ];
}

// A forced command gets the client's command as text and hands it to a shell, which is what sshd does with a login shell.
function loginScript(dir: string, login: NonNullable<SshdOptions['login']>): string {
  const busybox = existsSync('/usr/bin/busybox') ? '/usr/bin/busybox' : '/bin/busybox';
  const bodies = {
    fish: 'exec /usr/bin/fish -c "$SSH_ORIGINAL_COMMAND"',
    busybox: `exec ${busybox} sh -c "$SSH_ORIGINAL_COMMAND"`,
    noisy: 'echo "Welcome. Quota: 40 % used."\n/bin/sh -c "$SSH_ORIGINAL_COMMAND"\nstatus=$?\necho "removing TMPDIR"\nexit $status',
    closed: 'echo "This account is currently not available."\nexit 1',
  } as const;
  const file = join(dir, 'login.sh');
  writeFileSync(file, `#!/bin/sh\n${bodies[login]}\n`);
  chmodSync(file, 0o755);
  return file;
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
