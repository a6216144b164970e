import { writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { firstOutput, never, openConnections, runCommand } from '../support/ssh-client';
import { startSshd, type TestSshd } from '../support/sshd';

let sshd: TestSshd;
const { open, closeAll } = openConnections();

beforeAll(async () => {
  sshd = await startSshd();
});
afterEach(closeAll);
afterAll(() => sshd.stop());

describe('running commands', () => {
  it('carries input and 5 MB of output unharmed', async () => {
    const input = Buffer.alloc(5_000_000, 'abcdefg\n');
    const command = await (await open(sshd.target())).exec('cat', { signal: never });
    command.stdin.end(input);
    expect((await buffer(command.stdout)).equals(input)).toBe(true);
    expect(await command.exit).toEqual({ code: 0, signal: null });
  });

  it('waits for output that arrives after the command ended', async () => {
    const command = await (await open(sshd.target())).exec('( sleep 0.3; head -c 300000 /dev/zero; echo end ) & echo start; exit 4', {
      signal: never,
    });
    const output = await buffer(command.stdout);
    expect(output.length).toBe('start\n'.length + 300_000 + 'end\n'.length);
    expect(await command.exit).toEqual({ code: 4, signal: null });
  });

  it('delivers all output to a reader that starts only after the command ended', async () => {
    const command = await (await open(sshd.target())).exec('head -c 1000000 /dev/zero; echo end >&2', { signal: never });
    expect(await command.exit).toEqual({ code: 0, signal: null });
    expect((await buffer(command.stdout)).length).toBe(1_000_000);
    expect(command.stderrText()).toBe('end\n');
  });

  it('keeps the end of a long stderr and is not held up by it', async () => {
    const command = await (await open(sshd.target())).exec('head -c 4000000 /dev/zero | tr "\\0" x >&2; printf last >&2', {
      signal: never,
    });
    expect(await text(command.stdout)).toBe('');
    await command.exit;
    expect(command.stderrText()).toBe(`${'x'.repeat(8188)}last`);
  });

  it('reports the signal that ended a command', async () => {
    const command = await (await open(sshd.target())).exec('kill -KILL $$', { signal: never });
    command.stdout.resume();
    expect(await command.exit).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('finishes writing to a command that reads nothing', async () => {
    const command = await (await open(sshd.target())).exec('echo full >&2; exit 9', { signal: never });
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
      const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => runCommand(connection, `echo ${index}`)));
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
    const connection = await open(sshd.target());
    const endless = [await connection.exec('cat /dev/zero', { signal: never }), await connection.exec('cat /dev/zero', { signal: never })];
    const waiting = runCommand(connection, 'echo next');
    for (const command of endless) command.close();
    expect((await waiting).out).toBe('next\n');
  });

  it('fails a cancelled command and leaves the connection usable', async () => {
    const connection = await open(sshd.target());
    const cancel = new AbortController();
    const command = await connection.exec('echo started; cat', { signal: cancel.signal });
    await firstOutput(command);
    cancel.abort();
    await expect(text(command.stdout)).rejects.toMatchObject({ code: 'run.cancelled' });
    await expect(command.exit).rejects.toMatchObject({ code: 'run.cancelled' });
    expect((await runCommand(connection, 'echo on')).out).toBe('on\n');
  });

  it('fails a command that stays silent for too long', async () => {
    const command = await (await open(sshd.target())).exec('echo started; cat', { signal: never, stallMs: 200 });
    await expect(text(command.stdout)).rejects.toMatchObject({ code: 'ssh.timed-out' });
    await expect(command.exit).rejects.toMatchObject({ code: 'ssh.timed-out' });
  });
});

describe('SFTP', () => {
  it('starts in the given home on an account that offers nothing else', async () => {
    const only = await startSshd({ sftpOnly: true });
    try {
      const connection = await open(only.target());
      const sftp = await connection.sftp(never);
      expect(await new Promise((resolve, reject) => sftp.realpath('.', (error, path) => (error ? reject(error) : resolve(path))))).toBe(
        only.home,
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
      expect(await runCommand(connection, 'echo never')).toEqual({ out: 'This account is currently not available.\n', code: 1 });
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
    const connection = await open(sshd.target());
    const sftp = await connection.sftp(never);
    sshd.freeze(true);
    const pending = new Promise((resolve) => sftp.realpath('.', (error) => resolve(error)));
    sshd.dropConnections();
    expect(await pending).toBeInstanceOf(Error);
    expect(connection.failure()).toMatchObject({ code: 'ssh.lost' });
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
    await runCommand(connection, 'head -c 200000 /dev/zero | tr "\\0" x');
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
