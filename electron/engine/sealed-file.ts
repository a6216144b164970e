import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';

/** Thrown when bytes are not what `seal` wrote. */
export class DamagedFile extends Error {}

const version = 2;
/** Bytes that are unpacked, read and parsed in one piece of work. */
const chunkBytes = 64 * 1024;

/**
 * Gzip of lines of JSON: a head with the version, the values, and the checksum of all before it. Long contents are many values, so
 * that writing and reading them lets others run in between.
 */
export async function seal(values: Iterable<unknown>): Promise<Buffer> {
  function* lines(): Generator<string> {
    const hash = createHash('sha256');
    const line = (value: unknown): string => {
      const text = `${JSON.stringify(value)}\n`;
      hash.update(text);
      return text;
    };
    yield line({ version });
    for (const value of values) yield line(value);
    yield JSON.stringify({ sha256: hash.digest('hex') });
  }
  const parts: Buffer[] = [];
  const packed = Readable.from(lines(), { objectMode: false, highWaterMark: chunkBytes }).pipe(createGzip({ level: 1 }));
  for await (const part of packed) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** The values of a sealed file. They count only once the last was given: the checksum comes after it. */
export async function* unseal(bytes: Uint8Array): AsyncGenerator<unknown> {
  const hash = createHash('sha256');
  let isHead = true;
  let rest: Buffer = Buffer.alloc(0);
  const gunzip = createGunzip({ chunkSize: chunkBytes });
  gunzip.end(bytes);
  for await (const chunk of gunzip) {
    rest = Buffer.concat([rest, chunk as Buffer]);
    let from = 0;
    for (let at = rest.indexOf(0x0a); at >= 0; at = rest.indexOf(0x0a, from)) {
      const line = rest.subarray(from, at + 1);
      hash.update(line);
      const value: unknown = JSON.parse(line.toString('utf8'));
      if (isHead) checkHead(value);
      else yield value;
      isHead = false;
      from = at + 1;
    }
    rest = rest.subarray(from);
  }
  const { sha256 } = JSON.parse(rest.toString('utf8')) as { sha256?: unknown };
  if (isHead || sha256 !== hash.digest('hex')) throw new DamagedFile('its checksum does not match');
}

function checkHead(head: unknown): void {
  const found = (head as { version?: unknown }).version;
  if (found !== version) throw new DamagedFile(`format ${String(found)}, not ${version}`);
}
