import { createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { connectSsh } from '../../electron/ssh/client';
import { firstOutput, never, openConnections } from '../support/ssh-client';
import { startSshd, type TestSshd } from '../support/sshd';

let sshd: TestSshd;
const { open, closeAll } = openConnections();

beforeAll(async () => {
  sshd = await startSshd();
});
afterEach(closeAll);
afterAll(() => sshd.stop());

describe('a link that fails', () => {
  it('fails a running read, its exit and the next command when it drops', async () => {
    const connection = await open(sshd.target());
    const command = await connection.exec('echo started; cat', { signal: never });
    await firstOutput(command);
    const read = text(command.stdout);
    expect(sshd.dropConnections()).toBeGreaterThan(0);
    await expect(read).rejects.toMatchObject({ code: 'ssh.lost' });
    await expect(command.exit).rejects.toMatchObject({ code: 'ssh.lost' });
    expect(await connection.closed).toMatchObject({ code: 'ssh.lost' });
    await expect(connection.exec('true', { signal: never })).rejects.toMatchObject({ code: 'ssh.lost' });
  });

  it('fails a write that waits for the remote when it drops', async () => {
    const connection = await open(sshd.target());
    const command = await connection.exec('echo started; cat', { signal: never });
    await firstOutput(command);
    const write = pipeline(function* () {
      for (;;) yield Buffer.alloc(100_000);
    }, command.stdin);
    const refused = expect(write).rejects.toMatchObject({ code: 'ssh.lost' });
    sshd.dropConnections();
    await refused;
  });

  it('times out when the remote stops answering', async () => {
    const connection = await open(sshd.target(), 50);
    const command = await connection.exec('echo started; cat', { signal: never });
    await firstOutput(command);
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
    const connection = await open(sshd.target());
    const command = await connection.exec('cat', { signal: never });
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
    await expect(connectSsh(target, { signal: never, acceptHostKey: null, connectTimeoutMs: 150 })).rejects.toMatchObject({
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
