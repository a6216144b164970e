import { Worker } from 'node:worker_threads';
import { orCancelled, throwIfCancelled } from '../engine/cancel';
import { pathFailure } from '../engine/disk';
import type { IncomingFile, WantedFile } from '../engine/endpoint';
import type { EnginePath, ListedEntry } from '../engine/entry';
import type { FilePiece, ThreadAnswer, ThreadRequest } from './local-thread';
import source from './local-thread?thread';
import type { WalkedRoots } from './local-walk';

type OwnPart<T> = T extends unknown ? Omit<T, 'id' | 'stop'> : never;
type Asked = OwnPart<ThreadRequest>;

let running: FileThread | null = null;
let requests = 0;

/** The thread that reads this computer's files. One for all runs of a process, started when it is first needed. */
class FileThread {
  private readonly worker = new Worker(source, { eval: true });
  private readonly waiting = new Map<number, (answer: ThreadAnswer) => void>();

  constructor() {
    this.worker.unref();
    this.worker.on('message', (answer: ThreadAnswer) => this.waiting.get(answer.id)?.(answer));
    const end = (reason: string): void => {
      if (running === this) running = null;
      for (const [id, tell] of this.waiting) tell({ id, failed: reason });
    };
    this.worker.on('error', (error) => end(error.message));
    this.worker.on('exit', () => end('the thread ended'));
  }

  /** The answers to one request, up to the last. Left early, or when the signal aborts, the thread stops working on it. */
  async *ask(asked: Asked, signal: AbortSignal): AsyncGenerator<Exclude<ThreadAnswer, { failed: string }>> {
    throwIfCancelled(signal);
    requests += 1;
    const id = requests;
    const stop = new SharedArrayBuffer(4);
    const arrived: ThreadAnswer[] = [];
    let wake: () => void = () => undefined;
    this.waiting.set(id, (answer) => {
      arrived.push(answer);
      wake();
    });
    // A process with nothing else to do must not end while it waits for this.
    if (this.waiting.size === 1) this.worker.ref();
    try {
      this.worker.postMessage({ ...asked, id, stop });
      for (;;) {
        const answer = arrived.shift();
        if (answer === undefined) {
          const next = new Promise<void>((resolve) => {
            wake = resolve;
          });
          await orCancelled(next, signal);
          continue;
        }
        if ('failed' in answer) throw pathFailure(asked.kind, '', answer.failed);
        if ('pieces' in answer) this.worker.postMessage({ credit: id });
        yield answer;
        if ('done' in answer) return;
      }
    } finally {
      Atomics.store(new Int32Array(stop), 0, 1);
      // It may wait for the next message to be wanted.
      this.worker.postMessage({ credit: id });
      this.waiting.delete(id);
      if (this.waiting.size === 0) this.worker.unref();
    }
  }
}

function ask(asked: Asked, signal: AbortSignal): AsyncGenerator<Exclude<ThreadAnswer, { failed: string }>> {
  running ??= new FileThread();
  return running.ask(asked, signal);
}

/** Lists roots in the thread. Folders with a skipped name are not entered; stamps count as seen at `lookedAt`. */
export async function listInThread(
  asked: { readonly home: string; readonly roots: readonly string[]; readonly skipped: readonly string[]; readonly lookedAt: number },
  signal: AbortSignal,
): Promise<WalkedRoots> {
  const entries = new Map<EnginePath, ListedEntry>();
  let walked: Omit<WalkedRoots, 'entries'> | null = null;
  for await (const answer of ask({ ...asked, kind: 'list' }, signal)) {
    if ('entries' in answer) for (const [path, entry] of answer.entries) entries.set(path, entry);
    if ('done' in answer) walked = answer.done;
  }
  return { unreadable: [], missingRoots: [], notEntered: [], ...walked, entries };
}

/** Hashes files in the thread; what cannot be read is left out. */
export async function hashInThread(
  home: string,
  paths: readonly EnginePath[],
  signal: AbortSignal,
): Promise<ReadonlyMap<EnginePath, string>> {
  const hashes = new Map<EnginePath, string>();
  for await (const answer of ask({ kind: 'hash', home, paths }, signal)) {
    if ('hashes' in answer) for (const [path, hash] of answer.hashes) hashes.set(path, hash);
  }
  return hashes;
}

/** Reads files in the thread, in the order asked; what cannot be read is left out. */
export async function* readInThread(home: string, files: readonly WantedFile[], signal: AbortSignal): AsyncGenerator<IncomingFile> {
  const pieces = piecesOf(ask({ kind: 'read', home, files }, signal));
  try {
    for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
      const { path, size } = next.value;
      if (path === null) continue;
      let piece: Piece = next.value;
      async function* body(): AsyncGenerator<Uint8Array> {
        for (;;) {
          if (piece.content.length > 0) yield piece.content;
          if (piece.isLast) return;
          const more = await pieces.next();
          if (more.done === true) return;
          piece = more.value;
        }
      }
      yield { path, size, body: body() };
    }
  } finally {
    // Left early, the thread is told to stop.
    await pieces.return(undefined);
  }
}

type Piece = FilePiece & { readonly content: Uint8Array };

async function* piecesOf(answers: AsyncGenerator<Exclude<ThreadAnswer, { failed: string }>>): AsyncGenerator<Piece> {
  for await (const answer of answers) {
    if (!('pieces' in answer)) continue;
    for (const piece of answer.pieces) yield { ...piece, content: new Uint8Array(answer.bytes, piece.from, piece.to - piece.from) };
  }
}
