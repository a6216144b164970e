import { describe, expect, it } from 'vitest';
import { packTar, type TarMember, unpackTar } from '../../../electron/endpoints/tar-stream';

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function archive(files: Readonly<Record<string, Buffer>>): Promise<Buffer> {
  async function* members(): AsyncGenerator<TarMember> {
    for (const [path, bytes] of Object.entries(files)) yield { path, size: bytes.length, executable: false, mtime: 0, body: once(bytes) };
  }
  const parts: Uint8Array[] = [];
  for await (const part of packTar(members())) parts.push(part);
  return Buffer.concat(parts);
}

describe('unpackTar', () => {
  it('gives back what was packed, in order', async () => {
    const files = {
      'skills/a.md': Buffer.from('a'),
      'skills/empty.md': Buffer.alloc(0),
      [`skills/${'long/'.repeat(40)}b.md`]: Buffer.alloc(3000, 'b'),
    };
    const found: [string, Buffer][] = [];
    for await (const { path, body } of unpackTar(once(await archive(files)))) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of body) chunks.push(chunk);
      found.push([path, Buffer.concat(chunks)]);
    }
    expect(Object.fromEntries(found)).toEqual(files);
    expect(found.map(([path]) => path)).toEqual(Object.keys(files));
  });

  it('fails the file in the middle of which its source breaks, with the reason of the source', async () => {
    const whole = await archive({ 'skills/small.md': Buffer.from('small'), 'skills/big.bin': Buffer.alloc(200_000, 'x') });
    const lost = new Error('the link is gone');
    async function* breaking(): AsyncGenerator<Uint8Array> {
      yield whole.subarray(0, 100_000);
      throw lost;
    }
    const seen: string[] = [];
    const reading = (async () => {
      for await (const { path, body } of unpackTar(breaking())) {
        seen.push(path);
        for await (const _ of body);
      }
    })();
    await expect(reading).rejects.toBe(lost);
    expect(seen).toEqual(['skills/small.md', 'skills/big.bin']);
  });

  it('ends the last file short where the archive is cut', async () => {
    const whole = await archive({ 'skills/big.bin': Buffer.alloc(200_000, 'x') });
    let bytes = 0;
    for await (const { body } of unpackTar(once(whole.subarray(0, 100_000)))) for await (const chunk of body) bytes += chunk.length;
    expect(bytes).toBe(100_000 - 512);
  });
});
