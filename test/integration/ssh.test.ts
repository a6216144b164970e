import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { connectSsh } from '../../electron/ssh/client';
import type { ExecChannel } from '../../electron/ssh/exec-channel';
import type { SshConnection } from '../../electron/ssh/ssh-connection';
import type { SshTarget } from '../../electron/ssh/target';
import { keygenFingerprint, lockKey, startAgent } from '../support/keys';
import { startSshd, type TestSshd } from '../support/sshd';

const never = new AbortController().signal;
const plain = { signal: never, acceptHostKey: null };

let sshd: TestSshd;
let home: string;
const opened: SshConnection[] = [];

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'ebbgate-home-'));
  sshd = await startSshd({ home });
});
afterEach(async () => {
  for (const connection of opened.splice(0)) await connection.close();
});
afterAll(async () => {
  await sshd.stop();
  rmSync(home, { recursive: true, force: true });
});

async function open(target: SshTarget = sshd.target(), keepaliveMs?: number): Promise<SshConnection> {
  const connection = await connectSsh(target, { ...plain, keepaliveMs });
  opened.push(connection);
  return connection;
}

async function run(connection: SshConnection, command: string, input = ''): Promise<{ out: string; code: number | null }> {
  const channel = await connection.exec(command, { signal: never });
  channel.stdin.end(input);
  const out = await text(channel.stdout);
  return { out, code: (await channel.exit).code };
}

async function firstBytes(channel: ExecChannel): Promise<void> {
  await once(channel.stdout, 'readable');
  channel.stdout.read();
}

/** How many logins the server has seen since a moment in its log. */
function loginAttempts(server: TestSshd, since: number): readonly string[] {
  return server
    .log()
    .slice(since)
    .split('\n')
    .filter((line) => /publickey|Accepted|Failed|authenticat/i.test(line) && !/reset|closed by/i.test(line));
}

describe('logging in', () => {
  it('connects with a key file and runs a command in the given home', async () => {
    const connection = await open();
    const command = await connection.exec('printf out; printf "err %s" "$HOME" >&2; exit 3', { signal: never });
    expect(await text(command.stdout)).toBe('out');
    expect(await command.exit).toEqual({ code: 3, signal: null });
    expect(command.stderrText()).toBe(`err ${home}`);
    expect(connection.hostKey).toBe(sshd.fingerprint());
  });

  it('lets the agent sign for an encrypted identity file and offers no other of its keys', async () => {
    const key = sshd.makeKey('to-be-locked', { authorized: true });
    const unrelated = sshd.makeKey('unrelated', { authorized: true });
    const agent = await startAgent(mkdtempSync(join(sshd.dir, 'agent-')));
    try {
      agent.add(unrelated);
      agent.add(key);
      lockKey(key, 'secret');
      const since = sshd.log().length;
      const connection = await open(sshd.target({ identityFiles: [key], agentSocket: agent.socket }));
      expect((await run(connection, 'echo in')).out).toBe('in\n');
      expect(sshd.log().slice(since)).toContain(keygenFingerprint(key));
      expect(sshd.log().slice(since)).not.toContain(keygenFingerprint(unrelated));
    } finally {
      await agent.stop();
    }
  });

  it('asks for the passphrase of an encrypted identity file the agent does not hold', async () => {
    const locked = sshd.makeKey('locked', { passphrase: 'secret', authorized: true });
    const agent = await startAgent(mkdtempSync(join(sshd.dir, 'agent-')));
    try {
      agent.add(sshd.identityFile);
      const target = sshd.target({ identityFiles: [locked], agentSocket: agent.socket });
      await expect(open(target)).rejects.toMatchObject({ code: 'ssh.passphrase-needed', details: { file: locked } });
    } finally {
      await agent.stop();
    }
  });

  it('names the keys it offered when the server has seen too many', async () => {
    const strict = await startSshd({ extraConfig: ['MaxAuthTries 2'] });
    const agent = await startAgent(mkdtempSync(join(strict.dir, 'agent-')));
    try {
      for (const name of ['one', 'two', 'three', 'four']) agent.add(strict.makeKey(name, { comment: name }));
      const target = strict.target({ identitiesOnly: false, agentSocket: agent.socket });
      await expect(open(target)).rejects.toMatchObject({
        code: 'ssh.auth-rejected',
        details: { tried: ['agent (one, two, three, four)'] },
      });
    } finally {
      await agent.stop();
      await strict.stop();
    }
  });

  it('offers the keys of the agent when no identity is configured', async () => {
    const agent = await startAgent(mkdtempSync(join(sshd.dir, 'agent-')));
    try {
      agent.add(sshd.identityFile);
      const connection = await open(sshd.target({ identityFiles: [], identitiesOnly: false, agentSocket: agent.socket }));
      expect((await run(connection, 'echo agent')).out).toBe('agent\n');
    } finally {
      await agent.stop();
    }
  });

  it('goes on with key files when the agent cannot be reached', async () => {
    const connection = await open(sshd.target({ identitiesOnly: false, agentSocket: join(sshd.dir, 'absent.sock') }));
    expect((await run(connection, 'echo file')).out).toBe('file\n');
  });

  it('reports what it offered when the server lets none of it in', async () => {
    const wrong = sshd.makeKey('wrong');
    await expect(open(sshd.target({ identityFiles: [wrong] }))).rejects.toMatchObject({
      code: 'ssh.auth-rejected',
      details: { user: sshd.username, host: '127.0.0.1', port: sshd.port, tried: [wrong] },
    });
  });

  it('refuses an encrypted identity file before it connects', async () => {
    const locked = sshd.makeKey('locked-alone', { passphrase: 'secret', authorized: true });
    const target = sshd.target({ identityFiles: [locked], port: 1 });
    await expect(open(target)).rejects.toMatchObject({ code: 'ssh.passphrase-needed', details: { file: locked } });
  });

  it('refuses a missing identity file before it connects', async () => {
    const missing = join(sshd.dir, 'no-such-key');
    await expect(open(sshd.target({ identityFiles: [missing], port: 1 }))).rejects.toMatchObject({
      code: 'ssh.key-unusable',
      details: { file: missing, reason: 'there is no such file' },
    });
  });
});

describe('host keys', () => {
  const knownHosts = (name: string): string => join(mkdtempSync(join(sshd.dir, 'known-')), 'deep', name);

  it('stops at an unknown host key before any login', async () => {
    const since = sshd.log().length;
    const file = knownHosts('unknown');
    await expect(open(sshd.target({ knownHostsFiles: [file] }))).rejects.toMatchObject({
      code: 'ssh.host-key-unknown',
      details: { host: '127.0.0.1', port: sshd.port, keyType: 'ssh-ed25519', fingerprint: sshd.fingerprint() },
    });
    expect(loginAttempts(sshd, since)).toEqual([]);
    expect(() => readFileSync(file)).toThrow(/ENOENT/);
  });

  it('adds an accepted key to the first file and knows it from then on', async () => {
    const file = knownHosts('accepted');
    const target = sshd.target({ knownHostsFiles: [file, sshd.authorizedKeysFile] });
    const connection = await connectSsh(target, { signal: never, acceptHostKey: sshd.fingerprint() });
    await connection.close();
    const line = `[127.0.0.1]:${sshd.port} ssh-ed25519 ${sshd.hostKey().toString('base64')}\n`;
    expect(readFileSync(file, 'utf8')).toBe(line);
    expect((await open(target)).hostKey).toBe(sshd.fingerprint());
    expect(readFileSync(file, 'utf8')).toBe(line);
  });

  it('does not take consent to another key for consent', async () => {
    const target = sshd.target({ knownHostsFiles: [knownHosts('other')] });
    const attempt = connectSsh(target, { signal: never, acceptHostKey: sshd.fingerprint('ecdsa') });
    await expect(attempt).rejects.toMatchObject({ code: 'ssh.host-key-unknown' });
  });

  it('stops at a changed host key before any login, even with consent', async () => {
    const other = await startSshd();
    try {
      const stale = readFileSync(other.knownHostsFile, 'utf8').replaceAll(`:${other.port} `, `:${sshd.port} `);
      const target = sshd.target({ knownHostsFiles: [writeKnownHosts(stale)] });
      const since = sshd.log().length;
      await expect(connectSsh(target, { signal: never, acceptHostKey: sshd.fingerprint() })).rejects.toMatchObject({
        code: 'ssh.host-key-changed',
        details: {
          fingerprint: sshd.fingerprint(),
          expected: [other.fingerprint(), other.fingerprint('ecdsa')],
          file: target.knownHostsFiles[0],
          line: 1,
        },
      });
      expect(loginAttempts(sshd, since)).toEqual([]);
    } finally {
      await other.stop();
    }
  });

  it('stops at a revoked host key', async () => {
    const file = writeKnownHosts(`# old\n@revoked * ssh-ed25519 ${sshd.hostKey().toString('base64')}\n`);
    await expect(open(sshd.target({ knownHostsFiles: [file] }))).rejects.toMatchObject({
      code: 'ssh.host-key-revoked',
      details: { fingerprint: sshd.fingerprint(), file, line: 2 },
    });
  });

  it('asks for the key type that is known instead of calling the host changed', async () => {
    const file = writeKnownHosts(`[127.0.0.1]:${sshd.port} ecdsa-sha2-nistp256 ${sshd.hostKey('ecdsa').toString('base64')}\n`);
    expect((await open(sshd.target({ knownHostsFiles: [file] }))).hostKey).toBe(sshd.fingerprint('ecdsa'));
  });

  function writeKnownHosts(content: string): string {
    const file = join(mkdtempSync(join(sshd.dir, 'known-')), 'known_hosts');
    writeFileSync(file, content);
    return file;
  }
});

describe('running commands', () => {
  it('carries input and 5 MB of output unharmed', async () => {
    const input = Buffer.alloc(5_000_000, 'abcdefg\n');
    const command = await (await open()).exec('cat', { signal: never });
    command.stdin.end(input);
    expect((await buffer(command.stdout)).equals(input)).toBe(true);
    expect(await command.exit).toEqual({ code: 0, signal: null });
  });

  it('waits for output that arrives after the command ended', async () => {
    const command = await (await open()).exec('( sleep 0.3; head -c 300000 /dev/zero; echo end ) & echo start; exit 4', { signal: never });
    const output = await buffer(command.stdout);
    expect(output.length).toBe('start\n'.length + 300_000 + 'end\n'.length);
    expect(await command.exit).toEqual({ code: 4, signal: null });
  });

  it('delivers all output to a reader that starts only after the command ended', async () => {
    const command = await (await open()).exec('head -c 1000000 /dev/zero; echo end >&2', { signal: never });
    expect(await command.exit).toEqual({ code: 0, signal: null });
    expect((await buffer(command.stdout)).length).toBe(1_000_000);
    expect(command.stderrText()).toBe('end\n');
  });

  it('keeps the end of a long stderr and is not held up by it', async () => {
    const command = await (await open()).exec('head -c 4000000 /dev/zero | tr "\\0" x >&2; printf last >&2', { signal: never });
    expect(await text(command.stdout)).toBe('');
    await command.exit;
    expect(command.stderrText()).toBe(`${'x'.repeat(8188)}last`);
  });

  it('reports the signal that ended a command', async () => {
    const command = await (await open()).exec('kill -KILL $$', { signal: never });
    command.stdout.resume();
    expect(await command.exit).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('finishes writing to a command that reads nothing', async () => {
    const command = await (await open()).exec('echo full >&2; exit 9', { signal: never });
    await pipeline(function* () {
      for (let chunk = 0; chunk < 100; chunk += 1) yield Buffer.alloc(100_000);
    }, command.stdin);
    command.stdout.resume();
    expect(await command.exit).toEqual({ code: 9, signal: null });
    expect(command.stderrText()).toBe('full\n');
  });

  it('never opens more than two channels, and serves every request in turn', async () => {
    const limited = await startSshd({ extraConfig: ['MaxSessions 2'] });
    try {
      const connection = await open(limited.target());
      const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => run(connection, `echo ${index}`)));
      expect(answers.map((answer) => answer.out)).toEqual(Array.from({ length: 12 }, (_, index) => `${index}\n`));
    } finally {
      await limited.stop();
    }
  });

  it('reports a server that refuses channels', async () => {
    const limited = await startSshd({ extraConfig: ['MaxSessions 0'] });
    try {
      const connection = await open(limited.target());
      await expect(connection.exec('true', { signal: never })).rejects.toMatchObject({ code: 'ssh.protocol' });
    } finally {
      await limited.stop();
    }
  });

  it('gives the slot of an abandoned command to the next one', async () => {
    const connection = await open();
    const endless = [await connection.exec('cat /dev/zero', { signal: never }), await connection.exec('cat /dev/zero', { signal: never })];
    const waiting = run(connection, 'echo next');
    for (const command of endless) command.close();
    expect((await waiting).out).toBe('next\n');
  });

  it('fails a cancelled command and leaves the connection usable', async () => {
    const connection = await open();
    const cancel = new AbortController();
    const command = await connection.exec('echo started; sleep 60', { signal: cancel.signal });
    await firstBytes(command);
    cancel.abort();
    await expect(text(command.stdout)).rejects.toMatchObject({ code: 'run.cancelled' });
    await expect(command.exit).rejects.toMatchObject({ code: 'run.cancelled' });
    expect((await run(connection, 'echo on')).out).toBe('on\n');
  });

  it('fails a command that stays silent for too long', async () => {
    const command = await (await open()).exec('echo started; sleep 60', { signal: never, stallMs: 200 });
    await expect(text(command.stdout)).rejects.toMatchObject({ code: 'ssh.timed-out' });
    await expect(command.exit).rejects.toMatchObject({ code: 'ssh.timed-out' });
  });
});

describe('SFTP', () => {
  it('starts in the given home on an account that offers nothing else', async () => {
    const only = await startSshd({ home, sftpOnly: true });
    try {
      const connection = await open(only.target());
      const sftp = await connection.sftp(never);
      expect(await new Promise((resolve, reject) => sftp.realpath('.', (error, path) => (error ? reject(error) : resolve(path))))).toBe(
        home,
      );
      sftp.end();
    } finally {
      await only.stop();
    }
  });

  it('says so when an account prints text where SFTP belongs', async () => {
    const noisy = await startSshd({ login: 'noisy' });
    try {
      const connection = await open(noisy.target());
      await expect(connection.sftp(never)).rejects.toMatchObject({
        code: 'ssh.no-shell',
        details: { detail: expect.stringMatching(/prints text on login \("Welc…"\)/) },
      });
    } finally {
      await noisy.stop();
    }
  });

  it('says so when an account ends at once', async () => {
    const closed = await startSshd({ login: 'closed' });
    try {
      const connection = await open(closed.target());
      expect(await run(connection, 'echo never')).toEqual({ out: 'This account is currently not available.\n', code: 1 });
      await expect(connection.sftp(never)).rejects.toMatchObject({ code: 'ssh.no-shell' });
    } finally {
      await closed.stop();
    }
  });

  it('says so when there is no SFTP', async () => {
    const without = await startSshd({ noSftp: true });
    try {
      await expect((await open(without.target())).sftp(never)).rejects.toMatchObject({ code: 'ssh.no-shell' });
    } finally {
      await without.stop();
    }
  });

  it('fails a pending request when the link drops', async () => {
    const connection = await open();
    const sftp = await connection.sftp(never);
    sshd.freeze(true);
    const pending = new Promise((resolve) => sftp.realpath('.', (error) => resolve(error)));
    sshd.dropConnections();
    expect(await pending).toBeInstanceOf(Error);
    expect(connection.failure()).toMatchObject({ code: 'ssh.lost' });
  });
});

describe('a link that fails', () => {
  it('fails a running read, its exit and the next command when it drops', async () => {
    const connection = await open();
    const command = await connection.exec('echo started; cat', { signal: never });
    await firstBytes(command);
    const read = text(command.stdout);
    expect(sshd.dropConnections()).toBeGreaterThan(0);
    await expect(read).rejects.toMatchObject({ code: 'ssh.lost' });
    await expect(command.exit).rejects.toMatchObject({ code: 'ssh.lost' });
    expect(await connection.closed).toMatchObject({ code: 'ssh.lost' });
    await expect(connection.exec('true', { signal: never })).rejects.toMatchObject({ code: 'ssh.lost' });
  });

  it('fails a write that waits for the remote when it drops', async () => {
    const connection = await open();
    const command = await connection.exec('echo started; sleep 60', { signal: never });
    await firstBytes(command);
    const write = pipeline(function* () {
      for (;;) yield Buffer.alloc(100_000);
    }, command.stdin);
    const refused = expect(write).rejects.toMatchObject({ code: 'ssh.lost' });
    sshd.dropConnections();
    await refused;
  });

  it('times out when the remote stops answering', async () => {
    const connection = await open(sshd.target(), 50);
    const command = await connection.exec('echo started; sleep 60', { signal: never });
    await firstBytes(command);
    sshd.freeze(true);
    try {
      await expect(text(command.stdout)).rejects.toMatchObject({ code: 'ssh.timed-out', details: { seconds: 1 } });
      expect(await connection.closed).toMatchObject({ code: 'ssh.timed-out' });
    } finally {
      sshd.freeze(false);
      sshd.dropConnections();
    }
  });

  it('ends without an error when closed here, and fails what still runs', async () => {
    const connection = await open();
    const command = await connection.exec('sleep 60', { signal: never });
    await connection.close();
    expect(await connection.closed).toBeNull();
    await expect(text(command.stdout)).rejects.toMatchObject({ code: 'ssh.lost' });
  });
});

describe('a server that is not there', () => {
  const servers: { server: Server; sockets: Set<Socket> }[] = [];
  afterEach(() => {
    for (const { server, sockets } of servers.splice(0)) {
      for (const socket of sockets) socket.destroy();
      server.close();
    }
  });

  async function listen(onConnection: (socket: Socket) => void): Promise<number> {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket.on('error', () => undefined));
      onConnection(socket);
    });
    servers.push({ server, sockets });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (typeof address !== 'object' || address === null) throw new Error('no port');
    return address.port;
  }

  it('is refused on a closed port', async () => {
    const port = await listen(() => undefined);
    const gone = servers.pop();
    await new Promise((resolve) => gone?.server.close(resolve));
    await expect(open(sshd.target({ port }))).rejects.toMatchObject({ code: 'ssh.refused', details: { host: '127.0.0.1', port } });
  });

  it('times out on a port that accepts and stays silent', async () => {
    const target = sshd.target({ port: await listen(() => undefined) });
    await expect(connectSsh(target, { ...plain, connectTimeoutMs: 150 })).rejects.toMatchObject({
      code: 'ssh.timed-out',
      details: { seconds: 1 },
    });
  });

  it('does not speak SSH on a web server’s port', async () => {
    const port = await listen((socket) => socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n'));
    await expect(open(sshd.target({ port }))).rejects.toMatchObject({ code: 'ssh.protocol' });
  });

  it('is cut off in the middle of the handshake', async () => {
    const port = await listen((socket) => {
      socket.write('SSH-2.0-test\r\n');
      socket.once('data', () => socket.end());
    });
    await expect(open(sshd.target({ port }))).rejects.toMatchObject({ code: 'ssh.protocol' });
  });

  it('cannot be reached under a name nobody knows', async () => {
    await expect(open(sshd.target({ host: 'no-such-machine.invalid' }))).rejects.toMatchObject({ code: 'ssh.unreachable' });
  });

  it('gives up at once when cancelled', async () => {
    const cancel = new AbortController();
    const port = await listen(() => cancel.abort());
    await expect(connectSsh(sshd.target({ port }), { signal: cancel.signal, acceptHostKey: null })).rejects.toMatchObject({
      code: 'run.cancelled',
    });
  });
});

describe('wire', () => {
  it('counts what crossed the socket, the handshake being part of it', async () => {
    const received: number[] = [];
    const proxy = createServer((local) => {
      const remote = connect(sshd.port, '127.0.0.1');
      remote.on('data', (chunk) => received.push(chunk.length)).on('error', () => undefined);
      local
        .on('error', () => undefined)
        .pipe(remote)
        .pipe(local);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const address = proxy.address();
    if (typeof address !== 'object' || address === null) throw new Error('no port');
    const name = `[127.0.0.1]:${address.port} ssh-ed25519 ${sshd.hostKey().toString('base64')}\n`;
    const file = join(sshd.dir, 'wire-known-hosts');
    writeFileSync(file, name);
    const connection = await open(sshd.target({ port: address.port, knownHostsFiles: [file] }));
    const before = connection.wire();
    await run(connection, 'head -c 200000 /dev/zero | tr "\\0" x');
    await connection.close();
    const after = connection.wire();
    proxy.close();
    expect(after.received).toBe(received.reduce((sum, length) => sum + length, 0));
    expect(after.received - before.received).toBeGreaterThan(200_000);
    expect(after.sent).toBeGreaterThan(before.sent);
    expect(after.handshake).toBe(before.handshake);
    expect(before.handshake).toBeGreaterThan(1000);
    expect(before.handshake).toBeLessThanOrEqual(before.sent + before.received);
  });
});
