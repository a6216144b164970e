import { describe, expect, it } from 'vitest';
import { coalesce } from '../../../renderer/coalesce';

/** A task that waits at a gate each time, and the gates in order. */
function gated() {
  const gates: (() => void)[] = [];
  const task = () => new Promise<void>((resolve) => gates.push(resolve));
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return { gates, task, settle };
}

describe('coalesce', () => {
  it('runs once more, however often it was called while it ran', async () => {
    const { gates, task, settle } = gated();
    const call = coalesce(task);
    call();
    call();
    call();
    expect(gates.length).toBe(1);
    gates[0]?.();
    await settle();
    expect(gates.length).toBe(2);
    gates[1]?.();
    await settle();
    expect(gates.length).toBe(2);
  });

  it('runs anew after it ended', async () => {
    const { gates, task, settle } = gated();
    const call = coalesce(task);
    call();
    gates[0]?.();
    await settle();
    call();
    expect(gates.length).toBe(2);
  });
});
