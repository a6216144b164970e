import type { Tally } from '../../shared/run-report';

/** From where on something is too much, in bytes and files. */
export const growthLimits = {
  /** One file that is new, or that became much larger. */
  fileBytes: 25_000_000,
  /** One folder that is new here. */
  folder: { bytes: 20_000_000, files: 1000 },
  /** Everything together. */
  totalBytes: 200_000_000,
  /** What must at least lie between an amount and the usual one. */
  above: { bytes: 20_000_000, files: 1000 },
  timesUsual: 5,
  robustZ: 3.5,
  /** Teardowns that are compared with, and from how many earlier ones on there is a usual amount. */
  history: 10,
  earliest: 2,
} as const;

/** Something grew much again once it is larger by a step and by this factor. */
const growthFactor = 1.25;

/** Whether an amount that was decided about became so much larger that it must be asked about again. */
export function grewMuch(now: number, before: number, step: number): boolean {
  return now >= before + step && now >= before * growthFactor;
}

/** The same for bytes or files, each by its own step. */
export function tallyGrewMuch(now: Tally, before: Tally): boolean {
  return grewMuch(now.bytes, before.bytes, growthLimits.above.bytes) || grewMuch(now.files, before.files, growthLimits.above.files);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** The usual amount: the medians of the last teardowns, in whole files and bytes; null while there are too few. */
export function usualOf(history: readonly Tally[]): Tally | null {
  const last = history.slice(0, growthLimits.history);
  if (last.length < growthLimits.earliest) return null;
  return { files: Math.round(median(last.map(({ files }) => files))), bytes: Math.round(median(last.map(({ bytes }) => bytes))) };
}

/** Whether an amount stands out from earlier ones: over five times the median or a robust z over 3.5, and clearly above the median. */
export function isUnusual(amount: number, history: readonly number[], above: number): boolean {
  const last = history.slice(0, growthLimits.history);
  if (last.length < growthLimits.earliest) return false;
  const usual = median(last);
  if (amount - usual < above) return false;
  if (amount > growthLimits.timesUsual * usual) return true;
  const distances = last.map((value) => Math.abs(value - usual));
  const mad = 1.4826 * median(distances);
  // More than half of the values are the same: the mean distance still tells a spread, and none at all says nothing.
  const spread = mad > 0 ? mad : (1.2533 * distances.reduce((sum, distance) => sum + distance, 0)) / last.length;
  return spread > 0 && (amount - usual) / spread > growthLimits.robustZ;
}
