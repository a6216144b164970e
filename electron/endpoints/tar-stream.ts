import { Header, Parser, type ReadEntry } from 'tar';
import type { IncomingFile } from '../engine/endpoint';

/** One member of an archive we write. `body` must deliver exactly `size` bytes. */
export interface TarMember {
  readonly path: string;
  readonly size: number;
  readonly executable: boolean;
  /** Milliseconds since 1970; whole seconds travel. */
  readonly mtime: number;
  readonly body: AsyncIterable<Uint8Array>;
}

const block = 512;
const padding = (size: number) => Buffer.alloc((block - (size % block)) % block);

function header(path: string, size: number, mode: number, mtime: number, type: 'File' | 'NextFileHasLongPath'): Buffer {
  const bytes = Buffer.alloc(block);
  const head = new Header({ path, size, mode, mtime: new Date(Math.floor(mtime / 1000) * 1000), type, uid: 0, gid: 0 });
  const plain = !head.encode(bytes, 0);
  if (plain || type !== 'File') return bytes;
  // The long-name entry is what GNU, BSD, busybox and toybox tar all read; extended (pax) headers are not.
  const name = Buffer.from(`${path}\0`);
  const short = header(`long/${mode.toString(8)}`, size, mode, mtime, 'File');
  return Buffer.concat([header('././@LongLink', name.length, 0, 0, 'NextFileHasLongPath'), name, padding(name.length), short]);
}

/** Writes an archive of regular files, mode 0644 or 0755 by the execute bit. */
export async function* packTar(members: AsyncIterable<TarMember>): AsyncGenerator<Uint8Array> {
  for await (const member of members) {
    yield header(member.path, member.size, member.executable ? 0o755 : 0o644, member.mtime, 'File');
    yield* member.body;
    yield padding(member.size);
  }
  yield Buffer.alloc(2 * block);
}

/**
 * Reads the regular files of an archive, compressed or not, up to its end. Links, devices and folders are dropped.
 * Nothing is extracted; the receiver decides about every path. An archive that is cut short ends with a short last file, or fails
 * after it; a source that fails fails the file it was in.
 */
export async function* unpackTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<IncomingFile> {
  const arrived: ReadEntry[] = [];
  let wake: () => void = () => undefined;
  let flow: () => void = () => undefined;
  let breakOff: (error: unknown) => void = () => undefined;
  const progress: { over: boolean; error: unknown } = { over: false, error: null };
  const finish = (error: unknown) => {
    if (!progress.over) progress.error = error;
    progress.over = true;
    wake();
    flow();
    if (progress.error !== null) breakOff(progress.error);
  };
  // The parser knows nothing of a failing source: the entry it is in would wait for more for ever.
  async function* bodyOf(entry: ReadEntry): AsyncGenerator<Uint8Array> {
    const chunks = entry[Symbol.asyncIterator]();
    for (;;) {
      const next = await new Promise<IteratorResult<Uint8Array, unknown>>((resolve, reject) => {
        breakOff = reject;
        if (progress.error !== null) reject(progress.error);
        chunks.next().then(resolve, reject);
      });
      if (next.done === true) return;
      yield next.value;
    }
  }
  const parser = new Parser({
    strict: false,
    onReadEntry: (entry) => {
      arrived.push(entry);
      wake();
    },
  });
  parser.on('drain', () => flow());
  parser.on('end', () => finish(null));
  parser.on('error', (error: unknown) => finish(error));
  void (async () => {
    for await (const chunk of source) {
      if (progress.over) return;
      if (parser.write(Buffer.from(chunk))) continue;
      await new Promise<void>((resolve) => {
        flow = resolve;
      });
    }
    parser.end();
  })().catch((error: unknown) => finish(error));
  try {
    for (;;) {
      const entry = arrived.shift();
      if (entry !== undefined) {
        if (entry.type === 'File' || entry.type === 'OldFile' || entry.type === 'ContiguousFile') {
          yield { path: entry.path, size: entry.size, body: bodyOf(entry) };
        }
        entry.resume();
        continue;
      }
      if (progress.over && progress.error !== null) throw progress.error;
      if (progress.over) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    finish(null);
    for (const entry of arrived) entry.resume();
    parser.abort(new Error('left early'));
  }
}

/** Bytes that are there already, as a stream. */
export async function* inOneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
