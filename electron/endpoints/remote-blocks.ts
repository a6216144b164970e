import { createHash } from 'node:crypto';
import { throwIfCancelled } from '../engine/cancel';
import type { Basis, IncomingFile, WantedFile } from '../engine/endpoint';
import type { EnginePath } from '../engine/entry';
import { ByteReader } from './byte-reader';
import { zeroEnded } from './remote-script';

/** A file below this size travels whole, in bytes. */
const smallestLarge = 1 << 20;
/** The remote hashes so many bytes in one go, of which it keeps a copy meanwhile. */
const bytesAtOnce = 16 << 20;
/** So many hexadecimal digits tell one block from another; the hash of the whole has the last word. */
const sumDigits = 16;
const pieceBytes = 256 << 10;

/** A large file of which this computer has a content that may be much the same. */
export interface LargeFile extends WantedFile {
  readonly hash: string;
  readonly blockBytes: number;
  /** Hashes of the blocks that lie here, from the first on. */
  readonly sums: readonly string[];
}

/** Bytes of a block: a power of two, near the root of the size, where the hashes and a block that differs cost about the same. */
export function blockBytesFor(size: number): number {
  return 2 ** (5 + Math.round(Math.log2(size) / 2));
}

/** Hashes what the basis has of the large ones among the files. A file of which it has less than a block is left out. */
export async function describeLarge(files: readonly WantedFile[], basis: Basis, signal: AbortSignal): Promise<readonly LargeFile[]> {
  const large = new Map(files.filter(({ size }) => size >= smallestLarge).map((file) => [file.path, file]));
  const described: LargeFile[] = [];
  if (large.size === 0) return described;
  for await (const { path, body } of basis.read([...large.values()], signal)) {
    const file = large.get(path);
    if (file?.hash === undefined) continue;
    const blockBytes = blockBytesFor(file.size);
    const sums = await sumsOf(body, file.size, blockBytes);
    if (sums.length > 0) described.push({ ...file, hash: file.hash, blockBytes, sums });
  }
  return described;
}

/** Hashes the blocks of a content as a file of `size` bytes would have them, up to the first that is not there whole. */
async function sumsOf(body: AsyncIterable<Uint8Array>, size: number, blockBytes: number): Promise<readonly string[]> {
  const sums: string[] = [];
  let hash = createHash('sha256');
  let at = 0;
  for await (const chunk of body) {
    for (let from = 0; from < chunk.length && at < size; ) {
      const end = Math.min(size, (sums.length + 1) * blockBytes);
      const part = chunk.subarray(from, from + end - at);
      hash.update(part);
      from += part.length;
      at += part.length;
      if (at < end) continue;
      sums.push(hash.digest('hex').slice(0, sumDigits));
      hash = createHash('sha256');
    }
  }
  return sums;
}

/** What the remote's `blocks` takes: a line with the lengths of the two parts, the hashes, and the list of files. See remote.sh. */
export function blocksRequest(files: readonly LargeFile[]): Buffer {
  const known = Buffer.from(files.flatMap(({ sums }) => sums.map((sum) => `${sum}\n`)).join(''));
  let from = 0;
  const items = files.flatMap(({ path, size, blockBytes, sums }) => {
    const lines = `${from}:${sums.length}`;
    from += sums.length;
    return [lines, String(blockBytes), String(Math.max(1, bytesAtOnce / blockBytes)), String(size), path];
  });
  const list = zeroEnded(items);
  return Buffer.concat([Buffer.from(`${known.length} ${list.length}\n`), known, list]);
}

/** The answer to a request for blocks, as far as it was read. */
export interface BlocksAnswer {
  readonly reader: ByteReader;
  /** Files that need not be asked for again: what came is right, or nothing is there. */
  readonly settled: Set<EnginePath>;
  /** Whether what follows in the reader is what should. */
  isInStep: boolean;
}

/**
 * Puts each file together from the blocks that differ, as they come, and the basis. The body of one that changes here or there
 * meanwhile is short or wrong, and its path not settled.
 */
export async function* readBlocks(
  answer: BlocksAnswer,
  files: readonly LargeFile[],
  basis: Basis,
  signal: AbortSignal,
): AsyncGenerator<IncomingFile> {
  for (const file of files) {
    const record = (await answer.reader.record('//\n'))?.toString('latin1') ?? null;
    if (record === '-') {
      answer.settled.add(file.path);
      continue;
    }
    const differing = record === null ? null : parseRows(record, Math.ceil(file.size / file.blockBytes));
    answer.isInStep = false;
    if (differing === null) return;
    yield { path: file.path, size: file.size, body: compose(answer, file, differing, contentOf(basis, file, signal)) };
    if (!answer.isInStep) return;
  }
}

/** The numbers of the blocks in rows of "first count"; null for anything else. */
function parseRows(record: string, count: number): ReadonlySet<number> | null {
  const blocks = new Set<number>();
  const numbers = record
    .split(' ')
    .filter((word) => word !== '')
    .map(Number);
  for (let index = 0; index < numbers.length; index += 2) {
    const [first = Number.NaN, length = Number.NaN] = numbers.slice(index, index + 2);
    if (!Number.isSafeInteger(first) || !Number.isSafeInteger(length) || first < 0 || first + length > count) return null;
    for (let block = first; block < first + length; block += 1) blocks.add(block);
  }
  return blocks;
}

/** What the basis has at the path; ends early where it cannot be read. */
async function* contentOf(basis: Basis, file: WantedFile, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    for await (const { body } of basis.read([file], signal)) yield* body;
  } catch {
    throwIfCancelled(signal);
  }
}

async function* compose(
  answer: BlocksAnswer,
  { path, size, hash: wanted, blockBytes }: LargeFile,
  differing: ReadonlySet<number>,
  content: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  const known = new ByteReader(content);
  let isWhole = true;
  try {
    for (let at = 0; at < size; at += blockBytes) {
      const end = Math.min(size, at + blockBytes);
      const mine: Buffer | null = isWhole ? await known.take(end - at) : null;
      if (!differing.has(at / blockBytes)) {
        // What the remote sends must be read to its end all the same.
        isWhole = mine !== null;
        if (mine === null) continue;
        hash.update(mine);
        yield mine;
        continue;
      }
      for (let from = at; from < end; from += pieceBytes) {
        const theirs = await answer.reader.take(Math.min(pieceBytes, end - from));
        if (theirs === null) return;
        hash.update(theirs);
        if (isWhole) yield theirs;
      }
    }
  } finally {
    await content.return(undefined);
  }
  answer.isInStep = true;
  if (isWhole && hash.digest('hex') === wanted) answer.settled.add(path);
}
