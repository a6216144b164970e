import { throwIfCancelled } from '../engine/cancel';
import type { Basis, IncomingFile, WantedFile } from '../engine/endpoint';
import type { EnginePath } from '../engine/entry';
import type { SshConnection } from '../ssh/ssh-connection';
import { type BlocksAnswer, blocksRequest, describeLarge, isLarge, type LargeFile, readBlocks } from './remote-blocks';
import { type Conversation, fact, readFacts } from './remote-conversation';
import { zeroEnded } from './remote-script';
import { unpackTar } from './tar-stream';

/** How one reading reaches the remote. */
export interface ReadingContext {
  readonly connection: SshConnection;
  /** Starts a `pack`. */
  readonly start: () => Promise<Conversation>;
  /** A conversation that is there, has nothing to say and knows `blocks`; null when there is none. */
  readonly idle: () => Idle | null;
}

/** A conversation that is used and then left as it was, or given up. */
export interface Idle {
  readonly talk: Conversation;
  readonly isCompressed: boolean;
  giveUp(): void;
}

/** Reads contents: of large files that the basis has too the blocks that differ, of all others the whole. */
export async function* readFromRemote(
  context: ReadingContext,
  files: readonly WantedFile[],
  signal: AbortSignal,
  basis: Basis | null,
): AsyncGenerator<IncomingFile> {
  const settled = new Set<EnginePath>();
  const left = () => files.filter(({ path }) => !settled.has(path));
  const hashOurs = async (): Promise<readonly LargeFile[]> => {
    if (basis === null) return [];
    return describeLarge(files, basis, signal).catch(() => {
      throwIfCancelled(signal);
      return [];
    });
  };
  const idle = basis !== null && files.length > 0 && files.every(isLarge) ? context.idle() : null;
  if (idle !== null && basis !== null) {
    const large = await hashOurs();
    if (large.length > 0) yield* readIdle(idle, large, { basis, settled }, signal);
  }
  // Ask again while that brings any: a file may be missing because the archiver stored it as a link to another one, or because
  // its blocks did not come out right. By blocks only once.
  let known = idle === null ? basis : null;
  for (let brought = true; brought && left().length > 0; known = null) {
    const before = settled.size;
    // Hashed while the request is on its way.
    const [talk, large] = await Promise.all([context.start(), known === null ? [] : hashOurs()]);
    const byBlocks = new Set(large.map(({ path }) => path));
    const whole = new Set(left().flatMap(({ path }) => (byBlocks.has(path) ? [] : path)));
    talk.channel.stdin.end(Buffer.concat([blocksRequest(large), zeroEnded([...whole])]));
    const facts = await readFacts(talk, context.connection);
    const answer: BlocksAnswer = { reader: talk.reader, isCompressed: fact(facts, 'gz') === '1', settled, isInStep: true };
    if (known !== null) yield* readBlocks(answer, large, known, signal);
    if (whole.size > 0 && answer.isInStep) yield* readWhole(talk.reader.rest(), whole, settled);
    talk.channel.close();
    brought = settled.size > before || large.length > 0;
  }
}

/** Reads blocks over a conversation that goes on afterwards. What is left in the middle of an answer cannot. */
async function* readIdle(
  { talk, isCompressed, giveUp }: Idle,
  large: readonly LargeFile[],
  { basis, settled }: { readonly basis: Basis; readonly settled: Set<EnginePath> },
  signal: AbortSignal,
): AsyncGenerator<IncomingFile> {
  const answer: BlocksAnswer = { reader: talk.reader, isCompressed, settled, isInStep: true };
  const cancel = () => talk.channel.close();
  signal.addEventListener('abort', cancel, { once: true });
  let isOver = false;
  try {
    throwIfCancelled(signal);
    talk.channel.stdin.write(Buffer.concat([Buffer.from('blocks '), blocksRequest(large)]));
    yield* readBlocks(answer, large, basis, signal);
    isOver = answer.isInStep && (await talk.reader.record('//\n'))?.length === 0;
  } catch (error) {
    throwIfCancelled(signal);
    throw error;
  } finally {
    signal.removeEventListener('abort', cancel);
    if (!isOver) giveUp();
  }
}

async function* readWhole(
  archive: AsyncIterable<Uint8Array>,
  wanted: ReadonlySet<EnginePath>,
  arrived: Set<EnginePath>,
): AsyncGenerator<IncomingFile> {
  for await (const file of unpackTar(archive)) {
    if (!wanted.has(file.path) || arrived.has(file.path)) continue;
    arrived.add(file.path);
    yield file;
  }
}
