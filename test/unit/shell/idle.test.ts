import { describe, expect, it } from 'vitest';
import { createIdleWatch } from '../../../electron/shell/idle';

/** A computer whose clock moves only when the test says so. */
function desk() {
  let now = 0;
  let lastInput = 0;
  let ends = 0;
  let looks = 0;
  const timers = new Set<{ readonly at: number; readonly callback: () => void }>();
  const watch = createIdleWatch({
    idleMs: () => {
      looks += 1;
      return now - lastInput;
    },
    after: (ms, callback) => {
      const timer = { at: now + ms, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    isIdle: () => {
      ends += 1;
    },
  });
  const pass = (ms: number) => {
    const until = now + ms;
    for (;;) {
      const next = [...timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      timers.delete(next);
      now = next.at;
      next.callback();
    }
    now = until;
  };
  return {
    watch,
    pass,
    use: () => {
      lastInput = now;
    },
    facts: () => ({ ends, looks, timers: timers.size }),
  };
}

describe('createIdleWatch', () => {
  it('tells when nobody used the computer for the whole limit', () => {
    const { watch, pass, facts } = desk();
    watch.limit(1000);
    pass(999);
    expect(facts().ends).toBe(0);
    pass(1);
    expect(facts().ends).toBe(1);
  });

  it('counts from the last use, and looks no more often than it must', () => {
    const { watch, pass, use, facts } = desk();
    watch.limit(1000);
    pass(900);
    use();
    pass(999);
    expect(facts()).toEqual({ ends: 0, looks: 1, timers: 1 });
    pass(1);
    expect(facts()).toMatchObject({ ends: 1, looks: 2 });
  });

  it('keeps no timer without a limit', () => {
    const { watch, pass, facts } = desk();
    watch.limit(1000);
    watch.limit(null);
    pass(10_000);
    expect(facts()).toEqual({ ends: 0, looks: 0, timers: 0 });
  });

  it('begins anew with another limit, and does not with the same', () => {
    const { watch, pass, facts } = desk();
    watch.limit(1000);
    pass(500);
    watch.limit(1000);
    pass(500);
    expect(facts().ends).toBe(1);
    watch.limit(5000);
    expect(facts().timers).toBe(1);
  });
});
