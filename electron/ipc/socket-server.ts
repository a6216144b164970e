import { chmod, lstat, mkdir, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { AppError, toWireError } from '../../shared/errors';
import type { Host } from './host';
import { LineCutter, parseObject, protocolVersion, type ReplyLine, type RequestLine, toLine } from './messages';
import { isInSharedFolder } from './socket-path';

/** The owner's ear for other processes of the same user. */
export interface SocketServer {
  readonly path: string;
  /** Takes no new requests, answers those that began, then lets every client go. Idempotent. */
  close(): Promise<void>;
}

/** No request is longer. */
const longestRequest = 4_000_000;
/** A client that does not read its events is let go when this much waits for it. */
const longestBacklog = 64_000_000;

/** Listens at `path`. The caller owns the data folder, so a socket that lies there is left over and is removed. */
export async function startSocketServer(path: string, host: Host): Promise<SocketServer> {
  const running = new RunningServer(path, host);
  try {
    if (process.platform !== 'win32') await clearWay(path);
    await running.listen();
    if (process.platform !== 'win32') await chmod(path, 0o600);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError('store.failed', { operation: 'listen at', file: path, reason }, { cause: error });
  }
  return running;
}

async function clearWay(path: string): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (isInSharedFolder(path) && (await lstat(folder)).uid !== process.getuid?.()) throw new Error(`${folder} belongs to somebody else`);
  await rm(path, { force: true });
}

class RunningServer implements SocketServer {
  readonly path: string;
  readonly #host: Host;
  readonly #server: Server;
  readonly #clients = new Set<Socket>();
  readonly #running = new Set<Promise<void>>();
  #closing: Promise<void> | null = null;

  constructor(path: string, host: Host) {
    this.path = path;
    this.#host = host;
    this.#server = createServer((socket) => this.#welcome(socket));
  }

  listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(this.path, () => {
        this.#server.off('error', reject);
        // Accepting one client failed; the others are served on.
        this.#server.on('error', () => undefined);
        resolve();
      });
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    while (this.#running.size > 0) await Promise.allSettled([...this.#running]);
    // A request on its way now finds nobody, and its client has to know that it was not begun.
    for (const socket of this.#clients) {
      send(socket, { bye: true });
      socket.end();
    }
    // A client that does not hang up in return is not waited for.
    const impatient = setTimeout(() => {
      for (const socket of this.#clients) socket.destroy();
    }, 500);
    await closed;
    clearTimeout(impatient);
  }

  #welcome(socket: Socket): void {
    const cutter = new LineCutter(longestRequest);
    let stopListening: (() => void) | null = null;
    this.#clients.add(socket);
    socket.setEncoding('utf8');
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.#clients.delete(socket);
      stopListening?.();
    });
    const startListening = (): void => {
      stopListening ??= this.#host.listen((event) => send(socket, { event }));
    };
    socket.on('data', (text: string) => {
      for (const line of cutter.push(text) ?? ['']) {
        const request = parseRequest(line);
        if (request === null) return void socket.destroy();
        this.#begin(socket, request, startListening);
      }
    });
  }

  #begin(socket: Socket, request: RequestLine, startListening: () => void): void {
    const own = this.#ownReply(request, startListening);
    if (own !== null) {
      send(socket, own);
      return;
    }
    const run = this.#answer(socket, request);
    this.#running.add(run);
    void run.finally(() => this.#running.delete(run));
  }

  /** What the socket answers itself; null when the application has to. */
  #ownReply({ id, name }: RequestLine, startListening: () => void): ReplyLine | null {
    if (this.#closing !== null) return { id, closing: true };
    if (name === 'hello') return { id, envelope: { ok: true, value: { protocol: protocolVersion, pid: process.pid } } };
    if (name !== 'listen') return null;
    startListening();
    return { id, envelope: { ok: true, value: {} } };
  }

  async #answer(socket: Socket, { id, name, params }: RequestLine): Promise<void> {
    // dispatch never rejects by contract; were it to, the client must not wait for ever.
    const envelope = await this.#host.dispatch(name, params).catch((error: unknown) => ({ ok: false as const, error: toWireError(error) }));
    send(socket, { id, envelope });
  }
}

function send(socket: Socket, line: ReplyLine): void {
  if (socket.destroyed || !socket.writable) return;
  if ('event' in line && socket.writableLength > longestBacklog) socket.destroy();
  else socket.write(toLine(line));
}

function parseRequest(line: string): RequestLine | null {
  const value = parseObject(line);
  if (value === null || typeof value.id !== 'number' || typeof value.name !== 'string') return null;
  return { id: value.id, name: value.name, params: value.params };
}
