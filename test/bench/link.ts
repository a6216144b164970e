import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import type { TestSshd } from '../support/sshd';

export type LinkName = 'loopback' | 'slow';

/** One way each, in milliseconds, and bits a second. */
export const slowLink = { delayMs: 25, bitsPerSecond: 50e6 } as const;

/** A way to the server, with an OpenSSH connection that is already up for the tools that use one. */
export interface Link {
  readonly name: LinkName;
  readonly port: number;
  /** For `ssh -F`: the host `remote` goes over this link, through the open connection. */
  readonly sshConfig: string;
  /** Bytes both ways so far; null where nobody counts. */
  bytes(): Promise<number | null>;
  close(): Promise<void>;
}

/** A child that answers each line with a line. */
export class LineChild {
  private readonly lines: AsyncIterator<string>;

  constructor(private readonly child: ChildProcess) {
    if (child.stdout === null) throw new Error('the child has no output');
    this.lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  }

  async line(): Promise<string> {
    const next = await this.lines.next();
    if (next.done === true) throw new Error('a helper process ended early');
    return next.value;
  }

  ask(text: string): Promise<string> {
    this.child.stdin?.write(`${text}\n`);
    return this.line();
  }

  async end(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('close', resolve));
    this.child.stdin?.end();
    await ended;
  }
}

/** Starts one of the bundled programs of this folder. */
export function startProgram(name: string, args: readonly string[], flags: readonly string[] = []): LineChild {
  const file = join(import.meta.dirname, `${name}.js`);
  return new LineChild(spawn(process.execPath, [...flags, file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] }));
}

let links = 0;

/** Opens a link to the server and the shared connection over it. */
export async function openLink(name: LinkName, sshd: TestSshd): Promise<Link> {
  const relay = name === 'slow' ? startProgram('relay', [sshd.port, slowLink.delayMs, slowLink.bitsPerSecond].map(String)) : null;
  const port = relay === null ? sshd.port : Number(await relay.line());
  for (const type of ['ed25519', 'ecdsa'] as const) {
    const blob = sshd.hostKey(type);
    const keyType = blob.toString('latin1', 4, 4 + blob.readUInt32BE(0));
    appendFileSync(sshd.knownHostsFile, `[127.0.0.1]:${port} ${keyType} ${blob.toString('base64')}\n`);
  }
  links += 1;
  const sshConfig = join(sshd.dir, `config-${links}`);
  const lines = ['Host remote', 'HostName 127.0.0.1', `Port ${port}`, `User ${sshd.username}`, `IdentityFile ${sshd.identityFile}`];
  const quiet = [
    'IdentitiesOnly yes',
    `UserKnownHostsFile ${sshd.knownHostsFile}`,
    'LogLevel ERROR',
    `ControlPath ${sshd.dir}/mux-${links}`,
  ];
  writeFileSync(sshConfig, [...lines, ...quiet, ''].join('\n'));
  const master = spawn('ssh', ['-F', sshConfig, '-M', '-N', 'remote'], { stdio: 'ignore' });
  while (spawnSync('ssh', ['-F', sshConfig, '-O', 'check', 'remote'], { stdio: 'ignore' }).status !== 0) await pause(50);
  return {
    name,
    port,
    sshConfig,
    bytes: async () => (relay === null ? null : Number(await relay.ask('bytes'))),
    close: async () => {
      master.kill();
      await relay?.end();
    },
  };
}
