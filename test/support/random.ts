/** Random numbers that a seed repeats. */
export interface Random {
  /** At least 0 and below 1. */
  next(): number;
  /** A whole number, at least 0 and below `limit`. */
  below(limit: number): number;
  pick<T>(from: readonly T[]): T;
}

/** A seed for this run: the one that the variable names, else the usual one. */
export function seedFrom(variable: string, usual: number): number {
  const given = process.env[variable];
  return given === undefined || given === '' ? usual : Number(given);
}

/** The count that the variable names, or the usual one. */
export function countFrom(variable: string, usual: number): number {
  const given = Number(process.env[variable] ?? '');
  return Number.isInteger(given) && given > 0 ? given : usual;
}

/** A small generator (mulberry32); good enough to choose moments and contents. */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    pick: (from) => {
      const picked = from[below(from.length)];
      if (picked === undefined) throw new Error('nothing to pick from');
      return picked;
    },
  };
}
