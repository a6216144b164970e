import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

const newline = 0x0a;
const blockBytes = 64 * 1024;

/** The complete and incomplete lines of an open file from its end to its start, without reading further back than the caller does. */
export async function* linesFromEnd(handle: FileHandle): AsyncGenerator<string> {
  let position = (await handle.stat()).size;
  // Pieces of the line that is being gathered, later pieces first.
  let pieces: Buffer[] = [];
  while (position > 0) {
    const length = Math.min(blockBytes, position);
    position -= length;
    let block = await readBlock(handle, position, length);
    for (let at = block.lastIndexOf(newline); at >= 0; at = block.lastIndexOf(newline)) {
      pieces.push(block.subarray(at + 1));
      yield* whole(pieces);
      pieces = [];
      block = block.subarray(0, at);
    }
    pieces.push(block);
  }
  yield* whole(pieces);
}

function* whole(pieces: readonly Buffer[]): Generator<string> {
  const line = Buffer.concat(pieces.toReversed()).toString('utf8');
  if (line.length > 0) yield line;
}

async function readBlock(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const block = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(block, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return block.subarray(0, filled);
}

/** A line from the start of a file, with the offset where it begins. */
export interface LineAt {
  readonly offset: number;
  readonly text: string;
}

/** The lines of a file from its start, a last one without a newline included. */
export async function* linesFromStart(file: string): AsyncGenerator<LineAt> {
  let pieces: Buffer[] = [];
  let lineStart = 0;
  let blockStart = 0;
  for await (const chunk of createReadStream(file)) {
    const block = chunk as Buffer;
    let from = 0;
    for (let at = block.indexOf(newline); at >= 0; at = block.indexOf(newline, from)) {
      pieces.push(block.subarray(from, at));
      yield { offset: lineStart, text: Buffer.concat(pieces).toString('utf8') };
      pieces = [];
      from = at + 1;
      lineStart = blockStart + from;
    }
    pieces.push(block.subarray(from));
    blockStart += block.length;
  }
  const last = Buffer.concat(pieces);
  if (last.length > 0) yield { offset: lineStart, text: last.toString('utf8') };
}
