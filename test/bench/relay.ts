import { connect, createServer, type Socket } from 'node:net';

/**
 * A process of its own that stands for a slow link: bytes of each direction leave no faster than the rate and arrive after the delay.
 * It works on TCP streams, so slow start and loss are not imitated. Arguments: the server's port, the delay one way in milliseconds,
 * the rate in bits a second. Prints its port; for each line on its input, the bytes that have passed so far.
 */
const [serverPort = '', delayMs = '', bitsPerSecond = ''] = process.argv.slice(2);
const delay = Number(delayMs);
const bytesPerMs = Number(bitsPerSecond) / 8000;
/** Bytes that a direction holds back before it stops to read: what a link of this rate and delay has on its way, and a queue. */
const longestQueue = Math.max(64 * 1024, bytesPerMs * delay * 4);
let passed = 0;

/** One direction of one connection. Pieces leave in order, each when its time has come. */
function forward(from: Socket, to: Socket): void {
  const queue: { readonly due: number; readonly piece: Buffer | null }[] = [];
  let freeAt = 0;
  let queued = 0;
  const add = (piece: Buffer | null): void => {
    freeAt = Math.max(freeAt, performance.now()) + (piece?.length ?? 0) / bytesPerMs;
    queued += piece?.length ?? 0;
    queue.push({ due: freeAt + delay, piece });
    if (queue.length === 1) setTimeout(pump, delay);
  };
  const pump = (): void => {
    for (let next = queue[0]; next !== undefined; next = queue[0]) {
      const wait = next.due - performance.now();
      if (wait > 0.5) return void setTimeout(pump, wait);
      queue.shift();
      queued -= next.piece?.length ?? 0;
      if (to.destroyed) continue;
      if (next.piece === null) to.end();
      else to.write(next.piece);
    }
    if (queued < longestQueue) from.resume();
  };
  from.on('data', (chunk: Buffer) => {
    passed += chunk.length;
    // In pieces, so that the first bytes of a long chunk do not wait for its last.
    for (let at = 0; at < chunk.length; at += 8192) add(chunk.subarray(at, at + 8192));
    if (queued >= longestQueue) from.pause();
  });
  from.on('end', () => add(null));
  from.on('error', () => to.destroy());
}

const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
  const upstream = connect({ port: Number(serverPort), host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
  forward(client, upstream);
  forward(upstream, client);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' && address !== null ? address.port : 0}\n`);
});
process.stdin.on('data', () => process.stdout.write(`${passed}\n`)).on('end', () => process.exit(0));
