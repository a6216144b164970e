import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { throwIfCancelled } from '../engine/cancel';
import type { Basis, IncomingFile, WantedFile } from '../engine/endpoint';
import type { EnginePath } from '../engine/entry';
import { ByteReader } from './byte-reader';
import { zeroEnded } from './remote-script';

const unzip = promisify(gunzip);

/** A file below this size travels whole, in bytes. */
const smallestLarge = 1 << 20;
/** The remote hashes so many bytes in one go, and sends so many in one piece; of either it keeps a copy meanwhile. */
const bytesAtOnce = { hashed: 16 << 20, sent: 2 << 20 } as const;
/** So many hexadecimal digits tell one block from another; the hash of the whole has the last word. */
const sumDigits = 16;

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

/** Whether a file may travel by its blocks. */
export function isLarge({ size, hash }: WantedFile): boolean {
  return size >= smallestLarge && hash !== undefined;
}

/** Hashes what the basis has of the large ones among the files. A file of which it has less than a block is left out. */
export async function describeLarge(files: readonly WantedFile[], basis: Basis, signal: AbortSignal): Promise<readonly LargeFile[]> {
  const large = new Map(files.filter(isLarge).map((file) => [file.path, file]));
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
    const blocksIn = (bytes: number) => String(Math.max(1, bytes / blockBytes));
    return [lines, String(blockBytes), blocksIn(bytesAtOnce.hashed), blocksIn(bytesAtOnce.sent), String(size), path];
  });
  const list = zeroEnded(items);
  return Buffer.concat([Buffer.from(`${known.length} ${list.length}\n`), known, list]);
}

/** The answer to a request for blocks, as far as it was read. */
export interface BlocksAnswer {
  readonly reader: ByteReader;
  readonly isCompressed: boolean;
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
    const pieces = record === null ? null : parsePieces(record, Math.ceil(file.size / file.blockBytes));
    answer.isInStep = false;
    if (pieces === null) return;
    yield { path: file.path, size: file.size, body: compose(answer, file, pieces, contentOf(basis, file, signal)) };
    if (!answer.isInStep) return;
  }
}

/** How many blocks a piece has, by its first block, from pairs of "first count"; null for anything else. */
function parsePieces(record: string, blocks: number): ReadonlyMap<number, number> | null {
  const pieces = new Map<number, number>();
  const numbers = record
    .split(' ')
    .filter((word) => word !== '')
    .map(Number);
  for (let index = 0, next = 0; index < numbers.length; index += 2) {
    const [first = Number.NaN, count = Number.NaN] = numbers.slice(index, index + 2);
    if (!(first >= next && count > 0 && first + count <= blocks && Number.isInteger(first + count))) return null;
    pieces.set(first, count);
    next = first + count;
  }
  return pieces;
}

/** The next piece; null when it is not as long as it should be. */
async function takePiece({ reader, isCompressed }: BlocksAnswer, length: number): Promise<Buffer | null> {
  const packed = Number(await reader.record('//\n'));
  // What cannot be compressed becomes a little longer.
  const bytes = packed > 0 && packed < length * 1.01 + 1000 ? await reader.take(packed) : null;
  if (bytes === null || !isCompressed) return bytes?.length === length ? bytes : null;
  const unpacked = await unzip(bytes, { maxOutputLength: length }).catch(() => null);
  return unpacked?.length === length ? unpacked : null;
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
  pieces: ReadonlyMap<number, number>,
  content: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  const known = new ByteReader(content);
  let isWhole = true;
  try {
    for (let at = 0, end = 0; at < size; at = end) {
      const blocks = pieces.get(at / blockBytes);
      end = Math.min(size, at + (blocks ?? 1) * blockBytes);
      const mine: Buffer | null = isWhole ? await known.take(end - at) : null;
      const theirs: Buffer | null = blocks === undefined ? null : await takePiece(answer, end - at);
      if (blocks !== undefined && theirs === null) return;
      const part: Buffer | null = theirs ?? mine;
      // What the remote still sends is taken all the same.
      isWhole = isWhole && part !== null;
      if (!isWhole || part === null) continue;
      hash.update(part);
      yield part;
    }
  } finally {
    await content.return(undefined);
  }
  answer.isInStep = true;
  if (isWhole && hash.digest('hex') === wanted) answer.settled.add(path);
}
