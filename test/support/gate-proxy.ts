import { connect, createServer, type Server, type Socket } from 'node:net';

/** A way to a loopback port that can be shut: then connections are taken and stay, and nothing passes. */
export interface GateProxy {
  readonly port: number;
  /** Holds everything from now on, as a remote that does not answer would. */
  shut(): void;
  /** Lets through what waits and what comes. */
  open(): void;
  /** Settles when something is held: a connection, or what is said on one. */
  readonly held: () => Promise<void>;
  stop(): Promise<void>;
}

/** Starts one, open. */
export async function startGateProxy(target: number): Promise<GateProxy> {
  const sockets = new Set<Socket>();
  let waiting: (() => void)[] = [];
  let isShut = false;
  let tell = () => {};
  let held = Promise.resolve();
  /** Passes now, or when the way is open again. What waits keeps its order. */
  const pass = (work: () => void) => {
    if (!isShut) return work();
    waiting.push(work);
    tell();
  };
  const forward = (from: Socket, to: Socket) => {
    from.on('data', (data) => pass(() => to.write(data)));
    from.on('end', () => pass(() => to.end()));
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
  };
  const join = (from: Socket) => {
    const to = connect(target, '127.0.0.1');
    sockets.add(to);
    forward(from, to);
    forward(to, from);
  };
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    pass(() => join(socket));
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
      const held = waiting;
      waiting = [];
      for (const work of held) work();
    },
    held: () => held,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
