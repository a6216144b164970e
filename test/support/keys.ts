import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Options of a generated key pair. */
export interface KeyOptions {
  readonly type?: 'ed25519' | 'ecdsa' | 'rsa';
  readonly passphrase?: string;
  readonly format?: 'PEM' | 'PKCS8' | 'RFC4716';
  readonly comment?: string;
}

/** Makes a key pair with ssh-keygen and returns the private file's path. */
export function makeKey(dir: string, name: string, options: KeyOptions = {}): string {
  const file = join(dir, name);
  const format = options.format ? ['-m', options.format] : [];
  const args = [
    '-q',
    '-t',
    options.type ?? 'ed25519',
    '-N',
    options.passphrase ?? '',
    '-C',
    options.comment ?? name,
    ...format,
    '-f',
    file,
  ];
  execFileSync('ssh-keygen', args, { stdio: 'pipe' });
  return file;
}

/** Protects an existing private key with a passphrase. */
export function lockKey(file: string, passphrase: string): void {
  execFileSync('ssh-keygen', ['-q', '-p', '-P', '', '-N', passphrase, '-f', file], { stdio: 'pipe' });
}

/** The public key blob of a key file. */
export function publicBlob(file: string): Buffer {
  return Buffer.from(readFileSync(`${file}.pub`, 'utf8').split(' ')[1] ?? '', 'base64');
}

/** The fingerprint as ssh-keygen prints it. */
export function keygenFingerprint(file: string): string {
  return execFileSync('ssh-keygen', ['-lf', `${file}.pub`], { encoding: 'utf8' }).split(' ')[1] ?? '';
}

/** A private SSH agent. */
export interface TestAgent {
  readonly socket: string;
  add(keyFile: string): void;
  stop(): Promise<void>;
}

/** Starts an SSH agent of its own in a folder. */
export async function startAgent(dir: string): Promise<TestAgent> {
  const socket = join(dir, 'agent.sock');
  const child = spawn('ssh-agent', ['-D', '-a', socket], { stdio: 'ignore' });
  const kill = (): void => {
    child.kill('SIGKILL');
  };
  process.once('exit', kill);
  for (let round = 0; !existsSync(socket); round += 1) {
    if (round > 500 || child.exitCode !== null) throw new Error('ssh-agent did not start');
    await pause(10);
  }
  return {
    socket,
    add: (keyFile) => void execFileSync('ssh-add', ['-q', keyFile], { env: { ...process.env, SSH_AUTH_SOCK: socket }, stdio: 'pipe' }),
    stop: async () => {
      process.off('exit', kill);
      const ended = new Promise((resolve) => child.once('exit', resolve));
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await ended;
      }
    },
  };
}
