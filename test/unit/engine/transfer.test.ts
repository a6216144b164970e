import { describe, expect, it } from 'vitest';
import { Transfer } from '../../../electron/engine/transfer';

async function* chunks(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

describe('a transfer', () => {
  it('counts files and bytes as they pass, tells progress, and changes nothing', async () => {
    const told: unknown[] = [];
    const transfer = new Transfer(9, (...progress) => told.push(progress));
    const passed: string[] = [];
    for (const file of [
      { path: 'skills/a', size: 5, body: chunks('abc', 'de') },
      { path: 'skills/b', size: 0, body: chunks() },
      { path: 'skills/c', size: 4, body: chunks('fghi') },
    ]) {
      const counted = transfer.count(file);
      expect([counted.path, counted.size]).toEqual([file.path, file.size]);
      for await (const chunk of counted.body) passed.push(Buffer.from(chunk).toString());
    }
    expect(passed).toEqual(['abc', 'de', 'fghi']);
    expect(transfer.tally()).toEqual({ files: 3, bytes: 9 });
    expect(told).toEqual([3, 5, 9].map((done) => ['transferring', done, 9, 'bytes']));
  });

  it('counts only what arrived of a body that breaks, and passes the break on', async () => {
    const transfer = new Transfer(6, () => undefined);
    const broken = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('ab');
      throw new Error('the line is gone');
    };
    const { body } = transfer.count({ path: 'skills/a', size: 6, body: broken() });
    const read = async () => {
      for await (const _ of body);
    };
    await expect(read()).rejects.toThrow('the line is gone');
    expect(transfer.tally()).toEqual({ files: 1, bytes: 2 });
  });
});
