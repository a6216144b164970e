import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchForWake } from '../../../electron/platform/wake';

let wall: number;
let steady: number;
let addresses: string;
let woke: number;
let stop: () => void;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  [wall, steady, addresses, woke] = [1_000_000, 500, '192.0.2.7', 0];
  const onWake = () => {
    woke += 1;
  };
  stop = watchForWake({ onWake, everyMs: 4000, now: () => wall, steady: () => steady, addresses: () => addresses });
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

/** Time passes on both clocks, then the next look comes. */
function pass(onTheWall: number, onTheSteadyOne = onTheWall): void {
  wall += onTheWall;
  steady += onTheSteadyOne;
  vi.advanceTimersByTime(4000);
}

describe('watchForWake', () => {
  it('stays silent while time passes, however unevenly, and while the clock is corrected', () => {
    for (const ms of [4000, 4100, 6000, 3900]) pass(ms);
    pass(7000, 4000);
    pass(-3_600_000, 4000);
    expect(woke).toBe(0);
  });

  it('notices a sleep during which the steady clock stood still', () => {
    pass(4000);
    pass(600_000, 4000);
    expect(woke).toBe(1);
    pass(4000);
    expect(woke).toBe(1);
  });

  it('notices a sleep during which both clocks went on', () => {
    pass(600_000);
    expect(woke).toBe(1);
  });

  it('notices another network, and one that went away', () => {
    addresses = '198.51.100.9';
    pass(4000);
    addresses = '';
    pass(4000);
    pass(4000);
    expect(woke).toBe(2);
  });
});
