import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteReader } from '../../../electron/endpoints/byte-reader';

async function* chunked(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (const size of sizes) {
    if (at >= bytes.length) return;
    yield bytes.subarray(at, at + size);
    at += size;
  }
  if (at < bytes.length) yield bytes.subarray(at);
}
const reader = (text: string, ...sizes: readonly number[]) => new ByteReader(chunked(Buffer.from(text), sizes));
const textOf = async (pending: Promise<Buffer | null>) => (await pending)?.toString() ?? null;

async function restOf(from: ByteReader): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const chunk of from.rest()) parts.push(chunk);
  return Buffer.concat(parts).toString();
}

const anySizes = fc.array(fc.nat(5), { maxLength: 40 });
const anyText = fc.array(fc.constantFrom('a', '/', '\n', '//\n', 'ü'), { maxLength: 12 }).map((parts) => parts.join(''));

describe('a reader of bytes', () => {
  it('reads the same however the stream is cut', async () => {
    const property = fc.asyncProperty(anyText, anyText, anyText, anySizes, async (first, second, third, sizes) => {
      fc.pre(`${first}//\n`.indexOf('//\n') === first.length);
      const from = reader(`${first}//\n${second}${third}`, ...sizes);
      expect(await textOf(from.record('//\n'))).toBe(first);
      expect(await textOf(from.take(Buffer.byteLength(second)))).toBe(second);
      expect(await restOf(from)).toBe(third);
      expect(await from.take(1)).toBe(null);
    });
    await fc.assert(property);
  });

  it('reads one record after the other, empty ones too', async () => {
    const from = reader('one//\n//\nthree/\n//\n', 3, 2, 1);
    expect(await textOf(from.record('//\n'))).toBe('one');
    expect(await textOf(from.record('//\n'))).toBe('');
    expect(await textOf(from.record('//\n'))).toBe('three/\n');
    expect(await from.record('//\n')).toBe(null);
  });

  it('gives nothing for what the stream did not bring whole', async () => {
    expect(await reader('no end/').record('//\n')).toBe(null);
    expect(await reader('123', 1).take(4)).toBe(null);
    expect(await textOf(reader('').take(0))).toBe('');
  });

  it('gives up on a record that has no end within the limit', async () => {
    expect(await reader('x'.repeat(100), 10).record('//\n', 50)).toBe(null);
    expect(await textOf(reader(`${'x'.repeat(40)}//\n`, 10).record('//\n', 50))).toBe('x'.repeat(40));
  });

  it('skips to a mark on a line of its own, and keeps the end of what it skipped', async () => {
    const from = reader('Welcome, mark!\n mark\nmark \n\nmark\nafter', 4, 4, 4);
    expect((await from.skipTo('mark')).found).toBe(true);
    expect(await restOf(from)).toBe('after');
    const chatty = reader(`${'noise '.repeat(1000)}last words\nmark\n`, 100);
    const { found, skipped } = await chatty.skipTo('mark');
    expect([found, skipped.length <= 2000, skipped.includes('noise')]).toEqual([true, true, true]);
  });

  it('says what was there instead of the mark', async () => {
    expect(await reader('This account is not available.\n', 7).skipTo('mark')).toEqual({
      found: false,
      skipped: 'This account is not available.\n',
    });
    expect(await reader('').skipTo('mark')).toEqual({ found: false, skipped: '' });
  });
});
