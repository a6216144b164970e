import { connect, createServer, type Server, type Socket } from 'node:net';

/** A way to a loopback port that can be shut: then connections are taken, and nothing passes. */
export interface GateProxy {
  readonly port: number;
  /** Holds every connection from now on, as a remote that does not answer would. */
  shut(): void;
  /** Lets through what waits and what comes. */
  open(): void;
  /** Settles when a connection is held. */
  readonly held: () => Promise<void>;
  stop(): Promise<void>;
}

/** Starts one, open. */
export async function startGateProxy(target: number): Promise<GateProxy> {
  const sockets = new Set<Socket>();
  let waiting: Socket[] = [];
  let isShut = false;
  let tell = () => {};
  let held = Promise.resolve();
  const join = (from: Socket) => {
    const to = connect(target, '127.0.0.1');
    sockets.add(to);
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
      one.pipe(other);
    }
  };
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    if (!isShut) return join(socket);
    socket.on('error', () => undefined);
    waiting.push(socket);
    tell();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    port: address.port,
    shut: () => {
      isShut = true;
      held = new Promise((done) => {
        tell = done;
      });
    },
    open: () => {
      isShut = false;
      for (const socket of waiting) join(socket);
      waiting = [];
    },
    held: () => held,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
