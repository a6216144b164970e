import { describe, expect, it, vi } from 'vitest';
import { inTurns } from '../../../electron/engine/turns';

describe('work in turns', () => {
  it('takes each value once, in order', async () => {
    const seen: number[] = [];
    await inTurns([3, 1, 2], (value) => seen.push(value));
    expect(seen).toEqual([3, 1, 2]);
  });

  it('lets others run while it lasts', async () => {
    const clock = vi.spyOn(performance, 'now');
    let now = 0;
    clock.mockImplementation(() => now);
    const order: string[] = [];
    setImmediate(() => order.push('someone else'));
    await inTurns(Array(300), () => {
      now += 0.1;
      if (order.at(-1) !== 'work') order.push('work');
    });
    clock.mockRestore();
    expect(order).toEqual(['work', 'someone else', 'work']);
  });

  it('ends with what the work throws', async () => {
    const work = () => {
      throw new Error('this one');
    };
    await expect(inTurns([1], work)).rejects.toThrow('this one');
  });
});
