import { growthPhrases } from '../../shared/phrases/paths';
import type { Tally } from '../../shared/run-report';
import type { EnginePath } from './entry';

/** What found something to be too much; `undecided`: it was held before. */
export type GrowthRule = 'file' | 'folder' | 'total' | 'unusual' | 'undecided';

export interface GrowthFigures {
  readonly rule: GrowthRule;
  readonly path: EnginePath;
  /** What is held. */
  readonly amount: Tally;
  /** What was measured. */
  readonly actual: Tally;
  readonly usual: Tally | null;
  /** Length of the one held file before; null when it is new, or there are several. */
  readonly before: number | null;
}

const units = ['kB', 'MB', 'GB', 'TB'] as const;

/** Bytes in decimal units with at most three digits. */
export function bytesText(bytes: number): string {
  let value = bytes;
  let unit: string = 'bytes';
  for (const next of units) {
    if (value < 999.5) break;
    value /= 1000;
    unit = next;
  }
  return `${Number(value.toPrecision(3))} ${unit}`;
}

function amountText({ files, bytes }: Tally): string {
  return `${bytesText(bytes)} in ${files} ${files === 1 ? 'file' : 'files'}`;
}

/** Too little to be told in figures, or to be compared with. */
function isNothing({ files, bytes }: Tally): boolean {
  return bytes < 1000 && files <= 1;
}

function usualText(usual: Tally | null): string {
  if (usual === null) return growthPhrases['no-usual'];
  return isNothing(usual) ? growthPhrases['almost-nothing'] : `a session usually brings ${amountText(usual)}`;
}

/** Why a subtree is held, in one sentence: what was measured, what is usual, and what grew. */
export function growthReason({ rule, path, amount, actual, usual, before }: GrowthFigures): string {
  const held = growthPhrases['not-downloaded'];
  const times =
    usual === null || usual.bytes === 0 || isNothing(usual)
      ? ''
      : `, about ${Math.round(actual.bytes / usual.bytes)} times the usual amount`;
  const file = before === null ? `new file of ${bytesText(amount.bytes)} at ${path}` : grewText(path, before, amount.bytes);
  switch (rule) {
    case 'file':
      return `${file}; ${usualText(usual)}; ${held}`;
    case 'folder':
      return `${amountText(amount)} are new in ${path}; ${usualText(usual)}; ${held}`;
    case 'total':
    case 'unusual':
      return `${amountText(actual)} want to come home${times}, ${amountText(amount)} of it in ${path}; ${usualText(usual)}; ${held}`;
    case 'undecided': {
      const what = before === null ? `${amountText(amount)} want to come home from ${path}` : file;
      return `${what} and wait for your decision; ${usualText(usual)}; ${held}`;
    }
  }
}

function grewText(path: EnginePath, before: number, now: number): string {
  return `${path} grew from ${bytesText(before)} to ${bytesText(now)}`;
}
