import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createConnector } from '../../electron/ssh/connector';
import type { SshConnection } from '../../electron/ssh/ssh-connection';
import { never, runCommand } from '../support/ssh-client';
import { startSshd, type TestSshd } from '../support/sshd';
import { connection } from '../unit/ssh/config-place';

let last: TestSshd;
let first: TestSshd;
let second: TestSshd;
const opened: SshConnection[] = [];

beforeAll(async () => {
  [first, second, last] = await Promise.all([startSshd(), startSshd(), startSshd({ extraConfig: ['LogLevel DEBUG1'] })]);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const one of opened.splice(0)) await one.close();
});
afterAll(() => Promise.all([first.stop(), second.stop(), last.stop()]));

/** Connects to an alias of this configuration, in a home of its own where all servers are known. */
async function connect(config: string, alias = 'box', path = process.env.PATH): Promise<SshConnection> {
  const home = mkdtempSync(join(last.dir, 'home-'));
  execFileSync('mkdir', ['-m', '700', join(home, '.ssh')]);
  const put = (name: string, text: string): void => writeFileSync(join(home, '.ssh', name), text, { mode: 0o600 });
  put('known_hosts', [first, second, last].map((sshd) => readFileSync(sshd.knownHostsFile, 'utf8')).join(''));
  put('config', `Include rest\n${config}`);
  put('rest', [server('first', first), server('second', second), server('box', last), 'Host *\n  IdentityFile none\n'].join(''));
  const open = createConnector({ HOME: home, PATH: path }, { personFor: () => ({ ask: async () => null }), rememberedFor: () => null });
  const made = await open(connection({ kind: 'alias', alias }), { signal: never });
  opened.push(made);
  return made;
}

const server = (name: string, sshd: TestSshd): string =>
  `Host ${name}\n  HostName 127.0.0.1\n  Port ${sshd.port}\n  User ${sshd.username}\n  IdentityFile ${sshd.identityFile}\n`;
const logins = (sshd: TestSshd): number => sshd.log().split('Accepted publickey').length - 1;

describe('a jump chain of two', () => {
  it('arrives through both machines, each with its own host key and login, and ends with the connection', async () => {
    const before = [first, second, last].map(logins);
    const box = await connect('Host box\n  ProxyJump first,second\n');
    expect((await runCommand(box, 'echo there')).out).toBe('there\n');
    expect([first, second, last].map(logins)).toEqual(before.map((count) => count + 1));
    expect(box.hostKey).toBe(last.fingerprint());
    const { sent, received, handshake } = box.wire();
    // Three handshakes crossed the first socket.
    expect([sent > 5000, received > 5000, handshake > 10_000]).toEqual([true, true, true]);
    await box.close();
    await expect.poll(() => first.dropConnections()).toBe(0);
  });

  it('carries more bytes than any window holds, both ways', async () => {
    const box = await connect('Host box\n  ProxyJump first,second\n');
    const big = 'x'.repeat(5_000_000);
    expect((await runCommand(box, 'cat', big)).out).toBe(big);
  });

  it('stops at the unknown host key of a machine on the way, before the next one is reached', async () => {
    const before = logins(last);
    await expect(connect(`Host box\n  ProxyJump strange\n${server('strange', first)}  HostKeyAlias never-seen\n`)).rejects.toMatchObject({
      code: 'ssh.host-key-unknown',
      details: { host: '127.0.0.1', port: first.port },
    });
    expect(logins(last)).toBe(before);
  });

  it('names the machine that could not reach the next', async () => {
    const failing = connect('Host gone\n  HostName 127.0.0.1\n  Port 1\n  ProxyJump first\n', 'gone');
    await expect(failing).rejects.toMatchObject({
      code: 'ssh.unreachable',
      details: { host: '127.0.0.1', port: 1, reason: expect.stringContaining('127.0.0.1 could not reach it') },
    });
  });

  it('is lost when a machine on the way goes', async () => {
    const box = await connect('Host box\n  ProxyJump second\n');
    second.dropConnections();
    expect((await box.closed)?.code).toBe('ssh.lost');
  });
});

describe('a configured algorithm', () => {
  /** What both sides agreed on last, in the words of the server. */
  const agreed = () =>
    last
      .log()
      .match(/kex: client->server cipher: .*? compression/g)
      ?.at(-1);

  it.each([
    ['with OpenSSH', 'Ciphers aes192-ctr', process.env.PATH],
    ['without OpenSSH', 'Ciphers aes192-ctr', ''],
    ['put first, without OpenSSH', 'Ciphers ^aes192-ctr', ''],
    ['as all that is left, without OpenSSH', 'Ciphers -*gcm*,chacha*,aes128*,aes256*', ''],
  ])('is the one that protects the connection, %s', async (_how, line, path) => {
    const box = await connect(`Host box\n  ${line}\n  MACs hmac-sha2-512\n`, 'box', path);
    expect((await runCommand(box, 'echo there')).out).toBe('there\n');
    await expect.poll(agreed).toBe('kex: client->server cipher: aes192-ctr MAC: hmac-sha2-512 compression');
    await (await connect('Host box\n  Ciphers aes256-ctr\n', 'box', path)).close();
    await expect.poll(agreed).toContain('aes256-ctr');
  });

  it('needs no MAC that it has where the cipher authenticates by itself', async () => {
    const box = await connect('Host box\n  Ciphers aes256-gcm@openssh.com\n  MACs umac-128-etm@openssh.com\n');
    expect((await runCommand(box, 'echo there')).out).toBe('there\n');
    await expect.poll(agreed).toBe('kex: client->server cipher: aes256-gcm@openssh.com MAC: <implicit> compression');
  });
});

describe('a ProxyCommand', () => {
  it('carries the connection, and ends with it, with everything it started', async () => {
    const pids = join(last.dir, 'pids');
    const script = join(last.dir, 'proxy.sh');
    // The relay is a child of the command, as with many wrappers; a second child merely lingers.
    const relay = `node -e 'const s=require("net").connect(+process.argv[1],"127.0.0.1");process.stdin.pipe(s).pipe(process.stdout)' "$1"`;
    writeFileSync(script, `echo started >&2\nsleep 600 </dev/null >/dev/null 2>&1 &\necho $! >> ${pids}\necho $$ >> ${pids}\n${relay}\n`);
    const box = await connect(`Host box\n  ProxyCommand sh ${script} %p\n`);
    const big = 'y'.repeat(1_000_000);
    expect((await runCommand(box, 'cat', big)).out).toBe(big);
    expect(box.wire().sent).toBeGreaterThan(big.length);
    await box.close();
    await expect.poll(() => readFileSync(pids, 'utf8').trim().split('\n').filter(isRunning)).toEqual([]);
  });

  it('is not stopped by a start-up file of the shell, under a desktop that is no shell itself', async () => {
    writeFileSync(join(last.dir, '.bashrc'), 'exit 5\n');
    const nc = `${process.execPath} -e 'const s=require("net").connect(+process.argv[1],"127.0.0.1");process.stdin.pipe(s).pipe(process.stdout)'`;
    for (const [name, value] of Object.entries({ HOME: last.dir, SHELL: '/bin/bash', SHLVL: undefined })) vi.stubEnv(name, value);
    const box = await connect(`Host box\n  ProxyCommand ${nc} %p\n`);
    expect((await runCommand(box, 'echo there')).out).toBe('there\n');
  });

  it('that fails is quoted', async () => {
    await expect(connect('Host box\n  ProxyCommand sh -c "echo no tunnel today >&2; exit 3"\n')).rejects.toMatchObject({
      code: 'ssh.unreachable',
      details: { reason: 'the ProxyCommand ended (exit code 3): no tunnel today' },
    });
  });

  it('that is killed loses the connection', async () => {
    const pid = join(last.dir, 'pid');
    const relay = join(last.dir, 'relay.cjs');
    writeFileSync(
      relay,
      `require('fs').writeFileSync(${JSON.stringify(pid)}, String(process.pid));
       const s = require('net').connect(+process.argv[2], '127.0.0.1'); process.stdin.pipe(s).pipe(process.stdout);`,
    );
    const box = await connect(`Host box\n  ProxyCommand ${process.execPath} ${relay} %p\n`);
    process.kill(Number(readFileSync(pid, 'utf8')), 'SIGKILL');
    expect(await box.closed).toMatchObject({ code: 'ssh.lost', details: { reason: expect.stringContaining('SIGKILL') } });
  });
});

function isRunning(pid: string): boolean {
  try {
    // A zombie that nobody reaped yet has ended all the same.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
