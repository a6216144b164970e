import { createHash } from 'node:crypto';
import { appendFile, mkdir, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Baseline } from '../engine/baseline';
import type { Endpoint } from '../engine/endpoint';
import type { AgreedEntry, EnginePath } from '../engine/entry';
import { inTurns } from '../engine/turns';
import { privateFileMode, writeDurably } from '../platform/atomic-file';
import { linesFromEnd } from '../store/lines';

/**
 * Small texts that both sides agreed on, so that a later conflict can show what both came from: by then neither side may hold it
 * any more. Disposable, bounded, and never a reason for a run to fail.
 */
export interface AgreedTexts {
  /** Keeps what `after` agrees on and `before` did not, as far as it still lies on this computer. */
  keep(connection: string, local: Pick<Endpoint, 'read'>, before: Agreed | null, after: Agreed): Promise<void>;
  /** The text with this hash; null when it is not kept. */
  find(connection: string, hash: string): Promise<Buffer | null>;
  forget(connection: string): Promise<void>;
}

type Agreed = Pick<Baseline, 'entries'>;

export interface AgreedTextsBounds {
  /** Of one text, in bytes. */
  readonly text: number;
  /** Of all texts of a connection; twice as much may lie there until they are sorted out. */
  readonly all: number;
}

const usualBounds: AgreedTextsBounds = { text: 64 * 1024, all: 16 * 1024 * 1024 };

interface Kept {
  readonly hash: string;
  readonly text: string;
}

/** `texts/<connection>.jsonl`: one text a line, the newest last. */
export function openAgreedTexts(dataDir: string, bounds: AgreedTextsBounds = usualBounds): AgreedTexts {
  const fileOf = (connection: string) => join(dataDir, 'texts', `${connection}.jsonl`);
  return {
    async keep(connection, local, before, after) {
      if (before?.entries === after.entries) return;
      const wanted: (readonly [EnginePath, AgreedEntry])[] = [];
      await inTurns(after.entries, ([path, entry]) => {
        if (entry.size <= bounds.text && before?.entries.get(path)?.hash !== entry.hash) wanted.push([path, entry]);
      });
      const lines = await readTexts(local, wanted, bounds.all);
      if (lines.length === 0) return;
      await mkdir(join(dataDir, 'texts'), { recursive: true, mode: 0o700 });
      const file = fileOf(connection);
      // A line that a crash cut short spoils itself alone.
      await appendFile(file, `\n${lines.join('\n')}\n`, { mode: privateFileMode });
      if ((await stat(file)).size > 2 * bounds.all) await sortOut(file, after, bounds.all);
    },
    async find(connection, hash) {
      for await (const { text, ...kept } of keptIn(fileOf(connection))) {
        const bytes = kept.hash === hash ? Buffer.from(text) : null;
        if (bytes !== null && hashOf(bytes) === hash) return bytes;
      }
      return null;
    },
    forget: (connection) => rm(fileOf(connection), { force: true }),
  };
}

/** The lines of files that are texts and still what was agreed on; no more bytes than `most`. */
async function readTexts(local: Pick<Endpoint, 'read'>, wanted: readonly (readonly [EnginePath, AgreedEntry])[], most: number) {
  const agreed = new Map(wanted);
  const lines: string[] = [];
  let left = most;
  const files = wanted.flatMap(([path, { size }]) => {
    left -= size;
    return left >= 0 ? [{ path, size }] : [];
  });
  if (files.length === 0) return lines;
  for await (const { path, size, body } of local.read(files, new AbortController().signal)) {
    const entry = agreed.get(path);
    const chunks: Uint8Array[] = [];
    if (size === entry?.size) for await (const chunk of body) chunks.push(chunk);
    const content = Buffer.concat(chunks);
    const text = content.toString('utf8');
    // What is no valid UTF-8 does not come back as it was.
    if (hashOf(content) === entry?.hash && !text.includes('\0') && Buffer.from(text).equals(content))
      lines.push(JSON.stringify({ hash: entry.hash, text } satisfies Kept));
  }
  return lines;
}

/** Leaves what is still agreed on, newest first, once each, up to `most` bytes. */
async function sortOut(file: string, { entries }: Agreed, most: number): Promise<void> {
  const wanted = new Set([...entries.values()].map(({ hash }) => hash));
  const lines: string[] = [];
  let left = most;
  for await (const kept of keptIn(file)) {
    const line = JSON.stringify(kept);
    if (!wanted.delete(kept.hash) || line.length > left) continue;
    left -= line.length;
    lines.unshift(line);
  }
  await writeDurably(file, `${lines.join('\n')}\n`);
}

/** Newest first. Lines that cannot be understood are passed over. */
async function* keptIn(file: string): AsyncGenerator<Kept> {
  const handle = await open(file, 'r').catch(() => null);
  if (handle === null) return;
  try {
    for await (const line of linesFromEnd(handle)) {
      const kept = parse(line);
      if (kept !== null) yield kept;
    }
  } finally {
    await handle.close();
  }
}

function parse(line: string): Kept | null {
  try {
    const value = JSON.parse(line) as Partial<Kept> | null;
    return typeof value?.hash === 'string' && typeof value.text === 'string' ? { hash: value.hash, text: value.text } : null;
  } catch {
    return null;
  }
}

function hashOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
