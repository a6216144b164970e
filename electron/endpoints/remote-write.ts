import { createHash, randomBytes } from 'node:crypto';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { isAppError } from '../../shared/errors';
import { pathPhrases } from '../../shared/phrases/paths';
import type { Applied, ApplyRequest, Change, IncomingFile } from '../engine/endpoint';
import type { EnginePath } from '../engine/entry';
import { isWithin } from '../engine/entry';
import { overtaken } from './overtaken';
import { changedMeanwhile } from './remote-again';
import type { Conversation } from './remote-conversation';
import { writeError } from './remote-conversation';
import { packTar, type TarMember } from './tar-stream';

type Write = Extract<Change, { kind: 'write' }>;

export interface WriteContext {
  readonly talk: Conversation;
  readonly home: string;
  readonly roots: readonly string[];
  /** Roots on another volume than the home; they are staged inside themselves. */
  readonly apart: readonly string[];
  readonly compress: boolean;
  readonly clientId: string;
}

const reasons: Readonly<Record<string, string>> = {
  changed: changedMeanwhile,
  failed: pathPhrases['not-placed'],
};

/** Sends every change in one stream and reads what became of each. What the remote keeps of it follows on the conversation. */
export async function writeToRemote(context: WriteContext, request: ApplyRequest, signal: AbortSignal): Promise<readonly Applied[]> {
  const { talk } = context;
  const batch = new Batch(context, request);
  talk.channel.stdin.write(`write ${context.compress ? 1 : 0} ${batch.stage} ${context.apart.join(' ')}\n`);
  // When what is to be sent fails here, nobody sends the rest that the remote waits for.
  let broken: unknown = null;
  const source = endingWith(packTar(batch.members()), (error) => {
    broken = error;
    talk.channel.close();
  });
  const tar = Readable.from(source, { objectMode: false });
  const squeeze = context.compress ? [createGzip({ level: 6 })] : [];
  // The remote may give up midway (a full disk): its answer says why, so a broken pipe is not the error to show.
  const sent = pipeline([tar, ...squeeze, passThrough(), talk.channel.stdin], { signal }).catch((error: unknown) => error);
  const answer = await readAnswer(talk, context.home).catch(async (error: unknown) => {
    talk.channel.close();
    await sent;
    throw broken ?? error;
  });
  await sent;
  return batch.results(answer.bad, answer.said);
}

async function* endingWith<T>(values: AsyncIterable<T>, failed: (error: unknown) => void): AsyncGenerator<T> {
  try {
    yield* values;
  } catch (error) {
    failed(error);
    throw error;
  }
}

function passThrough(): Transform {
  return new Transform({ transform: (chunk, _encoding, done) => done(null, chunk) });
}

interface Answer {
  readonly bad: readonly { readonly path: EnginePath; readonly why: string }[];
  readonly said: string;
}

async function readAnswer(talk: Conversation, home: string): Promise<Answer> {
  const bad: { path: EnginePath; why: string }[] = [];
  let said = '';
  for (;;) {
    const record = await talk.record();
    if (record === '') return { bad, said };
    const [name = '', ...rest] = record.split(' ');
    const value = rest.join(' ');
    if (name === 'failed') throw writeError(value, home);
    if (name === 'said') said = value.trim().slice(0, 300);
    if (name === 'bad') bad.push({ why: rest[0] ?? '', path: rest.slice(1).join(' ') });
  }
}

class Batch {
  readonly stage: string;
  private readonly writes: ReadonlyMap<EnginePath, Write>;
  private readonly lines: string[] = [];
  private readonly sent = new Map<EnginePath, 'ok' | 'changed'>();
  private files = 0;
  private bytes = 0;

  constructor(
    private readonly context: WriteContext,
    private readonly request: ApplyRequest,
  ) {
    this.stage = `in-${context.clientId}-${randomBytes(6).toString('hex')}`;
    this.writes = new Map(request.changes.flatMap((change) => (change.kind === 'write' ? [[change.path, change] as const] : [])));
    for (const change of request.changes) if (change.kind === 'remove') this.lines.push(`R -//${change.path}`);
  }

  async *members(): AsyncGenerator<TarMember> {
    for await (const file of this.request.contents) {
      const write = this.writes.get(file.path);
      if (write !== undefined) yield this.member(write, file);
    }
    await this.request.recorded;
    yield this.list('names', this.request.changes.map(({ path }) => `${path}\0`).join(''));
    yield this.list('ops', [`= ${this.files} ${this.bytes}`, ...this.lines].map((line) => `${line}//\n`).join(''));
  }

  private list(name: string, text: string): TarMember {
    const bytes = Buffer.from(text);
    return { path: `.ebbgate/${this.stage}/${name}`, size: bytes.length, executable: false, mtime: 0, body: Readable.from([bytes]) };
  }

  results(bad: Answer['bad'], said: string): readonly Applied[] {
    return this.request.changes.map((change): Applied => {
      const { path } = change;
      const problem = bad.find((item) => isWithin(path, item.path));
      if (problem !== undefined) return { path, ok: false, reason: [reasons[problem.why] ?? problem.why, said].filter(Boolean).join(': ') };
      if (change.kind === 'remove') return { path, ok: true, entry: null };
      const sent = this.sent.get(path);
      if (sent === 'changed') return overtaken(path);
      if (sent !== 'ok') return { path, ok: false, reason: pathPhrases['content-unreadable'] };
      const { size, hash, mtime, executable } = change.content;
      return { path, ok: true, entry: { kind: 'file', size, hash, executable, mtime: Math.floor(mtime / 1000) * 1000, stamp: '' } };
    });
  }

  private member(write: Write, file: IncomingFile): TarMember {
    const { path, content } = write;
    const staged = `${this.folderFor(path)}/${path}`;
    this.files += 1;
    this.bytes += content.size;
    return { path: staged, size: content.size, executable: content.executable, mtime: content.mtime, body: this.body(write, staged, file) };
  }

  /** Exactly the announced number of bytes, whatever the file does meanwhile; what differs is told to the remote as void. */
  private async *body(write: Write, staged: string, file: IncomingFile): AsyncGenerator<Uint8Array> {
    const { size, hash } = write.content;
    const digest = createHash('sha256');
    let left = size;
    let extra = false;
    try {
      for await (const chunk of file.body) {
        const part = chunk.subarray(0, left);
        extra ||= part.length < chunk.length;
        digest.update(part);
        left -= part.length;
        if (part.length > 0) yield part;
        if (extra) break;
      }
    } catch (error) {
      // A read error of one file must not take the others with it; a cancel or a lost link must.
      if (isAppError(error)) throw error;
    }
    const intact = left === 0 && !extra && digest.digest('hex') === hash;
    for (; left > 0; left -= Math.min(left, 65_536)) yield Buffer.alloc(Math.min(left, 65_536));
    this.sent.set(write.path, intact ? 'ok' : 'changed');
    const kind = intact ? (write.expected === null ? 'C' : 'U') : 'X';
    this.lines.push(`${kind} ${staged}//${write.path}`);
    this.request.onProgress?.(this.bytes);
  }

  private folderFor(path: EnginePath): string {
    const root = this.context.apart.find((name) => isWithin(path, name));
    return root === undefined ? `.ebbgate/${this.stage}` : `${root}/.ebbgate-${this.stage}`;
  }
}
