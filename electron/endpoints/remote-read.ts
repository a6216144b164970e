import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { isAppError } from '../../shared/errors';
import type { Basis, IncomingFile, WantedFile } from '../engine/endpoint';
import type { EnginePath } from '../engine/entry';
import type { SshConnection } from '../ssh/ssh-connection';
import { ByteReader } from './byte-reader';
import { type BlocksAnswer, blocksRequest, describeLarge, readBlocks } from './remote-blocks';
import { type Conversation, fact, readFacts } from './remote-conversation';
import { zeroEnded } from './remote-script';
import { unpackTar } from './tar-stream';

/** How one reading reaches the remote. */
export interface ReadingContext {
  readonly connection: SshConnection;
  /** Starts a `pack`. */
  readonly start: () => Promise<Conversation>;
}

/** Reads contents: of large files that the basis has too the blocks that differ, of all others the whole. */
export async function* readFromRemote(
  { connection, start }: ReadingContext,
  files: readonly WantedFile[],
  signal: AbortSignal,
  basis: Basis | null,
): AsyncGenerator<IncomingFile> {
  let missing = files;
  // Ask again while that brings any: a file may be missing because the archiver stored it as a link to another one, or because
  // its blocks did not come out right. By blocks only once.
  for (let known = basis; missing.length > 0; known = null) {
    // Hashed while the request is on its way.
    const describing = known === null ? [] : describeLarge(missing, known, signal).catch(() => []);
    const [talk, large] = await Promise.all([start(), describing]);
    const byBlocks = new Set(large.map(({ path }) => path));
    const whole = new Set(missing.filter(({ path }) => !byBlocks.has(path)).map(({ path }) => path));
    talk.channel.stdin.end(Buffer.concat([blocksRequest(large), zeroEnded([...whole])]));
    const facts = await readFacts(talk, connection);
    const settled = new Set<EnginePath>();
    let archive: AsyncIterable<Uint8Array> = talk.reader.rest();
    if (known !== null && large.length > 0) {
      const reader = new ByteReader(fact(facts, 'gz') === '1' ? unzipped(archive) : archive);
      const answer: BlocksAnswer = { reader, settled, isInStep: true };
      yield* readBlocks(answer, large, known, signal);
      archive = answer.isInStep ? reader.rest() : nothing();
    }
    if (whole.size > 0) yield* readWhole(archive, whole, settled);
    talk.channel.close();
    const isOver = settled.size === 0 && large.length === 0;
    missing = isOver ? [] : missing.filter(({ path }) => !settled.has(path));
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

/** Ends early where the compressed stream is cut or broken; a failure of the connection stays one. */
async function* unzipped(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* pipeline(Readable.from(source), createGunzip(), () => undefined);
  } catch (error) {
    if (isAppError(error)) throw error;
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
