import { lstat } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import type { AppEvent, Envelope } from '../../shared/contract';
import { AppError, toWireError } from '../../shared/errors';
import type { Host } from './host';
import { LineCutter, parseObject, protocolVersion, type ReplyLine, toLine } from './messages';
import { isInSharedFolder } from './socket-path';

/** The application in another process. `dispatch` never rejects: a lost owner is `app.lost`, with whether the request began. */
export interface SocketClient extends Host {
  /** The owner's process id. */
  readonly pid: number;
  close(): void;
  /** Calls back once, when the owner is gone. */
  onLost(callback: () => void): void;
}

/** No reply is longer. */
const longestReply = 500_000_000;

/** Connects to the owner that listens at `path`; null when nobody does, or nobody answers in time. */
export async function connectToOwner(path: string, patienceMs = 3000): Promise<SocketClient | null> {
  if (!(await isOurs(path))) return null;
  const socket = await open(path);
  if (socket === null) return null;
  const client = new Client(socket);
  const impatient = setTimeout(() => client.close(), patienceMs);
  const hello = await client.dispatch('hello', {});
  clearTimeout(impatient);
  const said = hello.ok ? (hello.value as { readonly protocol?: unknown; readonly pid?: unknown }) : {};
  if (said.protocol !== protocolVersion || typeof said.pid !== 'number') {
    client.close();
    return null;
  }
  client.pid = said.pid;
  return client;
}

/** In a shared folder somebody else could have put a socket of that name. */
async function isOurs(path: string): Promise<boolean> {
  if (!isInSharedFolder(path)) return true;
  const found = await lstat(path).catch(() => null);
  return found?.isSocket() === true && found.uid === process.getuid?.();
}

function open(path: string): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => resolve(socket));
    // Nobody there, or nobody any more: the caller looks for itself.
    socket.once('error', () => resolve(null));
  });
}

class Client implements SocketClient {
  pid = 0;
  readonly #socket: Socket;
  readonly #waiting = new Map<number, (envelope: Envelope<unknown>) => void>();
  readonly #listeners = new Set<(event: AppEvent) => void>();
  readonly #lostCallbacks: (() => void)[] = [];
  #lastId = 0;
  #isListening = false;
  #isLost = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    const cutter = new LineCutter(longestReply);
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      const lines = cutter.push(text);
      if (lines === null) return void socket.destroy();
      for (const line of lines) this.#receive(line);
    });
    // 'close' follows and tells everybody.
    socket.on('error', () => undefined);
    socket.on('close', () => this.#lose(lost('the connection to it broke', true)));
  }

  dispatch(name: string, params: unknown): Promise<Envelope<unknown>> {
    return new Promise((resolve) => {
      if (this.#isLost || !this.#socket.writable) return resolve(lost('it closed its end', false));
      const id = ++this.#lastId;
      this.#waiting.set(id, resolve);
      this.#socket.write(toLine({ id, name, params }));
    });
  }

  listen(listener: (event: AppEvent) => void): () => void {
    const own = (event: AppEvent): void => listener(event);
    this.#listeners.add(own);
    if (!this.#isListening) {
      this.#isListening = true;
      void this.dispatch('listen', {});
    }
    return () => this.#listeners.delete(own);
  }

  close(): void {
    this.#socket.destroy();
  }

  onLost(callback: () => void): void {
    if (this.#isLost) callback();
    else this.#lostCallbacks.push(callback);
  }

  #receive(line: string): void {
    const reply = parseObject(line) as ReplyLine | null;
    if (reply === null) return void this.#socket.destroy();
    if ('event' in reply) {
      for (const listener of [...this.#listeners]) listener(reply.event);
      return;
    }
    if ('bye' in reply) return void this.#lose(lost('it was closing', false));
    const resolve = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    resolve?.('closing' in reply ? lost('it was closing', false) : reply.envelope);
  }

  #lose(answer: Envelope<never>): void {
    this.#isLost = true;
    for (const resolve of this.#waiting.values()) resolve(answer);
    this.#waiting.clear();
    for (const callback of this.#lostCallbacks.splice(0)) callback();
  }
}

function lost(reason: string, started: boolean): Envelope<never> {
  return { ok: false, error: toWireError(new AppError('app.lost', { reason, started })) };
}
