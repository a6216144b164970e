import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import ssh2, { type Connection, type ServerChannel } from 'ssh2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeKeyPair } from '../../electron/demo/keys';
import { connectSsh } from '../../electron/ssh/client';
import { fingerprintOf } from '../../electron/ssh/host-keys';
import type { SshConnection } from '../../electron/ssh/ssh-connection';
import { plainTarget } from '../support/target';

const never = new AbortController().signal;

describe('a server that answers in an unusual order', () => {
  let dir: string;
  let stop: (() => Promise<void>) | undefined;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'ebbgate-quirks-'));
  });
  afterEach(async () => {
    await stop?.();
    stop = undefined;
    rmSync(dir, { recursive: true, force: true });
  });

  /** A server that lets everybody in and answers every command with `answer`. */
  async function connectTo(answer: (channel: ServerChannel, connection: Connection) => void): Promise<SshConnection> {
    const hostKey = makeKeyPair();
    writeFileSync(join(dir, 'key'), makeKeyPair().privateKey, { mode: 0o600 });
    const connections = new Set<Connection>();
    const server = new ssh2.Server({ hostKeys: [hostKey.privateKey] }, (connection) => {
      connections.add(connection);
      connection.on('error', () => undefined);
      connection.on('authentication', (context) => context.accept());
      connection.on('session', (accept) => accept().on('exec', (acceptExec) => answer(acceptExec(), connection)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    stop = () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const connection of connections) connection.end();
      });
    const address = server.address();
    if (typeof address !== 'object' || address === null) throw new Error('no server');
    const target = {
      host: '127.0.0.1',
      port: address.port,
      user: 'anyone',
      identityFiles: [join(dir, 'key')],
      knownHostsFiles: [join(dir, 'known_hosts')],
      ...plainTarget,
    };
    return connectSsh(target, { signal: never, acceptHostKey: fingerprintOf(hostKey.publicKey.getPublicSSH()) });
  }

  const late = Buffer.alloc(3_000_000, 'late\n');

  it('loses nothing that follows the exit status', async () => {
    const connection = await connectTo((channel) => {
      channel.exit(0);
      channel.write(Buffer.from('early\n'));
      channel.end(late);
    });
    const command = await connection.exec('anything', { signal: never });
    expect((await buffer(command.stdout)).equals(Buffer.concat([Buffer.from('early\n'), late]))).toBe(true);
    expect(await command.exit).toEqual({ code: 0, signal: null });
    await connection.close();
  });

  it('loses nothing to a slow reader', async () => {
    const connection = await connectTo((channel) => {
      channel.exit(0);
      channel.end(late);
    });
    const command = await connection.exec('anything', { signal: never });
    let received = 0;
    for await (const chunk of command.stdout) {
      received += (chunk as Buffer).length;
      await pause(1);
    }
    expect(received).toBe(late.length);
    await connection.close();
  });

  it('keeps what a command completed readable after the link dropped', async () => {
    const whole = Buffer.alloc(200_000, 'whole\n');
    const connection = await connectTo((channel, peer) => {
      channel.on('close', () => peer.end()).resume();
      channel.exit(0);
      channel.end(whole);
    });
    const command = await connection.exec('anything', { signal: never });
    expect(await connection.closed).toMatchObject({ code: 'ssh.lost' });
    expect(await command.exit).toEqual({ code: 0, signal: null });
    expect((await buffer(command.stdout)).equals(whole)).toBe(true);
  });

  it('reports neither status nor signal when the server closes without one', async () => {
    const connection = await connectTo((channel) => channel.end('text'));
    const command = await connection.exec('anything', { signal: never });
    expect((await buffer(command.stdout)).toString()).toBe('text');
    expect(await command.exit).toEqual({ code: null, signal: null });
    await connection.close();
  });
});
