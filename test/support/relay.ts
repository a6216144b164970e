import { connect, createServer, type Socket } from 'node:net';

/** A stretch of network between the app and a server, which the test can spoil. */
export interface Relay {
  readonly port: number;
  /** How many connections were asked for so far. */
  asked(): number;
  /** Nothing passes any more on connections that exist, as with a pulled cable; new ones are turned away. */
  cut(): void;
  /** New connections pass again; the old ones are gone for good. */
  mend(): void;
  /** Every packet from now on takes so many milliseconds longer, in both directions. */
  slowDown(ms: number): void;
  close(): Promise<void>;
}

/** Listens on a loopback port and passes everything on to another one. */
export async function startRelay(to: number): Promise<Relay> {
  const ends = new Set<Socket>();
  let isCut = false;
  let delayMs = 0;
  let count = 0;
  const pass = (from: Socket, into: Socket): void => {
    from.on('data', (chunk) => {
      if (isCut) return;
      if (delayMs === 0) into.write(chunk);
      else setTimeout(() => !isCut && into.write(chunk), delayMs);
    });
    from.on('error', () => undefined);
    from.on('close', () => {
      ends.delete(from);
      if (!isCut) setTimeout(() => into.destroy(), delayMs);
    });
    ends.add(from);
  };
  const server = createServer((near) => {
    count += 1;
    if (isCut) {
      near.on('error', () => undefined);
      near.resetAndDestroy();
      return;
    }
    const far = connect(to, '127.0.0.1');
    pass(near, far);
    pass(far, near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  const drop = (): void => {
    for (const end of ends) end.destroy();
  };
  return {
    port: address.port,
    asked: () => count,
    cut: () => {
      isCut = true;
    },
    mend: () => {
      drop();
      isCut = false;
    },
    slowDown: (ms) => {
      delayMs = ms;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        drop();
      }),
  };
}
