/** A clock that moves only when told to. */
export interface FixedClock {
  now(): number;
  advance(milliseconds: number): void;
}

/** Starts a fixed clock, by default at a moment that is obviously made up. */
export function createClock(start = Date.UTC(2026, 0, 2, 3, 4, 5)): FixedClock {
  let time = start;
  return {
    now: () => time,
    advance: (milliseconds) => {
      time += milliseconds;
    },
  };
}
