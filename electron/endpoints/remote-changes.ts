import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { AppError } from '../../shared/errors';
import type { TreeTotals } from '../engine/endpoint';
import type { EnginePath, ListedEntry } from '../engine/entry';
import { inTurns } from '../engine/turns';
import { type Conversation, type Facts, fact } from './remote-conversation';
import { decodeName, parseRecord, type Tier } from './remote-listing';
import { inOneChunk, unpackTar } from './tar-stream';

const unpack = promisify(gunzip);

/** A section larger than this, in bytes, is refused instead of filling memory. */
const longestSection = 512 << 20;

export interface ChangesTarget {
  readonly facts: Facts;
  /** Whether sections come compressed. */
  readonly compressed: boolean;
  /** What is remembered of the remote; becomes what is there now. */
  readonly entries: Map<EnginePath, ListedEntry>;
  /** Receives contents that came with the listing. */
  readonly received: Map<EnginePath, Buffer>;
}

/** Reads what differs from the remembered listing, with hashes or small contents. */
export async function readChanges(talk: Conversation, target: ChangesTarget): Promise<void> {
  const { facts, entries, compressed } = target;
  const tier = (fact(facts, 'tier') ?? 'gnu') as Tier;
  const withContent: EnginePath[] = [];
  const { records, rest } = listAndRest(talk, await section(talk, compressed));
  await inTurns(records, (record) => {
    const sign = record.toString('latin1', 0, 1);
    if (sign === '-') {
      entries.delete(decodeName(record.subarray(1)));
      return;
    }
    const parsed = parseRecord(record.subarray(1), tier);
    // A record we cannot read is not the same as none: it must not look deleted.
    if (parsed === null)
      throw new AppError('remote.failed', {
        operation: 'list its files',
        path: fact(facts, 'home') ?? '',
        said: record.toString('utf8', 0, 200),
      });
    entries.set(parsed.path, parsed.entry);
    if (sign === '+') withContent.push(parsed.path);
  });
  const how = fact(facts, 'contents');
  if (how === 'hashes') {
    const lines = rest.toString('latin1').split('\n').slice(0, -1);
    if (lines.length !== withContent.length) throw talk.endedEarly();
    for (const [index, path] of withContent.entries()) learn(entries, path, lines[index] ?? '');
  }
  if (how === 'contents') await readInline(target, new Set(withContent), rest);
}

/** Reads how much lies in excluded folders; it follows the listing. */
export async function readTrees(talk: Conversation): Promise<TreeTotals> {
  const byTree = new Map<string, { files: number; bytes: number }>();
  let complete = true;
  for (let record = await talk.record(); record !== ''; record = await talk.record()) {
    const [kind, files, bytes, ...name] = record.split(' ');
    if (kind === 'incomplete') complete = false;
    if (kind === 'tree') byTree.set(name.join(' '), { files: Number(files), bytes: Number(bytes) });
  }
  return { byTree, complete };
}

async function section(talk: Conversation, compressed: boolean): Promise<Buffer> {
  const length = Number(await talk.record());
  const bytes = Number.isSafeInteger(length) && length <= longestSection ? await talk.reader.take(length) : null;
  if (bytes === null) throw talk.endedEarly();
  return compressed ? unpack(bytes, { maxOutputLength: longestSection }) : bytes;
}

async function readInline({ entries, received }: ChangesTarget, wanted: ReadonlySet<EnginePath>, archive: Buffer): Promise<void> {
  for await (const file of unpackTar(inOneChunk(archive))) {
    if (!wanted.has(file.path) || received.has(file.path)) continue;
    const parts: Uint8Array[] = [];
    for await (const part of file.body) parts.push(part);
    const body = Buffer.concat(parts);
    if (body.length !== entries.get(file.path)?.size) continue;
    received.set(file.path, body);
    learn(entries, file.path, createHash('sha256').update(body).digest('hex'));
  }
}

function learn(entries: Map<EnginePath, ListedEntry>, path: EnginePath, hash: string): void {
  const entry = entries.get(path);
  if (entry !== undefined && /^[0-9a-f]{64}$/.test(hash)) entries.set(path, { ...entry, hash });
}

/** The records up to the empty one, and what follows it: hashes or contents. */
function listAndRest(talk: Conversation, bytes: Buffer): { readonly records: readonly Buffer[]; readonly rest: Buffer } {
  const records: Buffer[] = [];
  for (let from = 0, at = bytes.indexOf('//\n'); at >= 0; at = bytes.indexOf('//\n', from)) {
    if (at === from) return { records, rest: bytes.subarray(at + 3) };
    records.push(bytes.subarray(from, at));
    from = at + 3;
  }
  throw talk.endedEarly();
}
