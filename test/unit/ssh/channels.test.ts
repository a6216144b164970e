import { describe, expect, it } from 'vitest';
import { ChannelSlots } from '../../../electron/ssh/channels';
import { AppError } from '../../../shared/errors';

const never = new AbortController().signal;

describe('ChannelSlots', () => {
  it('hands out two slots and passes a released one to whoever asked first', async () => {
    const slots = new ChannelSlots();
    const first = await slots.acquire(never);
    await slots.acquire(never);
    const order: string[] = [];
    const third = slots.acquire(never).then((release) => {
      order.push('third');
      return release;
    });
    const fourth = slots.acquire(never).then(() => order.push('fourth'));
    await Promise.resolve();
    expect(order).toEqual([]);
    first();
    (await third)();
    await fourth;
    expect(order).toEqual(['third', 'fourth']);
  });

  it('frees a slot once, however often it is released', async () => {
    const slots = new ChannelSlots(1);
    const release = await slots.acquire(never);
    release();
    release();
    await slots.acquire(never);
    const stop = new AbortController();
    const waiting = slots.acquire(stop.signal);
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'run.cancelled' });
  });

  it('hands out one slot fewer once the server refused the second channel', async () => {
    const slots = new ChannelSlots();
    const first = await slots.acquire(never);
    const second = await slots.acquire(never);
    expect(slots.shrink()).toBe(true);
    second();
    const order: string[] = [];
    const third = slots.acquire(never).then((release) => {
      order.push('third');
      return release;
    });
    const fourth = slots.acquire(never).then(() => order.push('fourth'));
    await Promise.resolve();
    expect(order).toEqual([]);
    first();
    const release = await third;
    await Promise.resolve();
    expect(order).toEqual(['third']);
    release();
    await fourth;
  });

  it('keeps the last slot, whatever the server refuses', async () => {
    const slots = new ChannelSlots();
    const only = await slots.acquire(never);
    expect(slots.shrink()).toBe(false);
    only();
    await slots.acquire(never);
    await slots.acquire(never);
  });

  it('lets a waiting request go with the reason it was stopped for, and serves the next', async () => {
    const slots = new ChannelSlots(1);
    const release = await slots.acquire(never);
    const stop = new AbortController();
    const leaving = slots.acquire(stop.signal);
    const staying = slots.acquire(never);
    stop.abort(new AppError('ssh.lost', { host: 'box', port: 22, reason: 'gone' }));
    await expect(leaving).rejects.toMatchObject({ code: 'ssh.lost' });
    release();
    expect(await staying).toBeTypeOf('function');
  });
});
