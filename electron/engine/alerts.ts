import { restorePointsName } from '../../shared/rules';
import type { GrowthAlert, Tally } from '../../shared/run-report';
import type { EnginePath } from './entry';
import { grewMuch, growthLimits, usualOf } from './growth-figures';
import { GrowthTree } from './growth-tree';
import type { EngineLedger } from './ledger';

/** Bookkeeping is worth a word from so many bytes on. */
export const refusedBytes = 20_000_000;
/** Restore points are too large at so many times the size of the skills; under this size they bother nobody. */
const restorePoints = { times: 10, leastBytes: 1_000_000 } as const;
/** A teardown that removes so many files, and so many times the usual number, is worth a word. */
const manyRemoved = { files: 20, timesUsual: 5 } as const;

/** One finished teardown, as later ones are compared with it. */
export interface PastTeardown {
  /** What came home. */
  readonly incoming: Tally;
  readonly removed: Tally;
  /** Bytes of bookkeeping and of restore points that stayed on the remote; null when they were not counted to the end. */
  readonly bookkeeping: number | null;
  readonly restorePoints: number | null;
}

/** Bytes that were last alerted about; null when nothing was. */
export interface AlertMemory {
  readonly bookkeeping: number | null;
  readonly restorePoints: number | null;
}

export const nothingAlerted: AlertMemory = { bookkeeping: null, restorePoints: null };

export interface TeardownFigures {
  readonly refused: EngineLedger['refused'];
  /** Bytes of the skills in scope on the remote. */
  readonly skills: number;
  /** Everything that wanted to come home, held or not. */
  readonly incoming: Tally;
  readonly removed: readonly { readonly path: EnginePath; readonly bytes: number }[];
  /** Newest first. */
  readonly past: readonly PastTeardown[];
  readonly alerted: AlertMemory;
}

/** The figures of one teardown that later ones are compared with. */
export function bookkeepingOf({ refused }: { readonly refused: EngineLedger['refused'] }): number | null {
  return refused.estimated ? null : (refused.byRule['excluded-name']?.bytes ?? 0);
}

export function restorePointsOf(ledger: { readonly refused: EngineLedger['refused'] }): number | null {
  return ledger.refused.estimated ? null : restorePointsIn(ledger);
}

/** Bytes of restore points that were seen, whether or not all were. */
export function restorePointsIn({ refused }: { readonly refused: EngineLedger['refused'] }): number {
  return refused.byTree[restorePointsName]?.bytes ?? 0;
}

/** Alerts that hold nothing, with what is to be remembered so that they do not come again before it grew much. */
export function teardownAlerts(figures: TeardownFigures): { readonly alerts: readonly GrowthAlert[]; readonly alerted: AlertMemory } {
  const bookkeeping = bookkeepingAlert(figures);
  const points = restorePointsAlert(figures);
  const alerts = [bookkeeping.alert, points.alert, shrinkAlert(figures), removalAlert(figures)].filter((alert) => alert !== null);
  return { alerts, alerted: { bookkeeping: bookkeeping.alerted, restorePoints: points.alerted } };
}

interface Remembered<T> {
  readonly alert: T | null;
  readonly alerted: number | null;
}

/** Lets an alert through the first time, and again only after the amount grew much. `before` is what was last told of. */
export function alertOnce<T>(actual: number, before: number | null, complete: boolean, alert: T | null): Remembered<T> {
  if (alert !== null && (before === null || grewMuch(actual, before, growthLimits.above.bytes))) return { alert, alerted: actual };
  // After a real clean-up the next growth is a new event; a little less is none.
  return { alert: null, alerted: before !== null && complete && actual < before / 2 ? actual : before };
}

function bookkeepingAlert({ refused, past, alerted }: TeardownFigures): Remembered<GrowthAlert> {
  const actual = refused.byRule['excluded-name']?.bytes ?? 0;
  const trees = Object.entries(refused.byTree).toSorted(([, a], [, b]) => b.bytes - a.bytes);
  const usual = usualAmount(past.map(({ bookkeeping }) => bookkeeping));
  const alert = { kind: 'refused-bookkeeping', actual, usual, culprit: trees[0]?.[0] ?? '', holding: false } as const;
  return alertOnce(actual, alerted.bookkeeping, !refused.estimated, actual >= refusedBytes ? alert : null);
}

function restorePointsAlert({ refused, skills, past, alerted }: TeardownFigures): Remembered<GrowthAlert> {
  const actual = restorePointsIn({ refused });
  const [last, earlier] = past.map((one) => one.restorePoints);
  const doubles = (now: number, before: number | null | undefined) => typeof before === 'number' && before > 0 && now >= 2 * before;
  const doubling = doubles(actual, last) && doubles(last ?? 0, earlier);
  const tooLarge = actual >= restorePoints.times * skills;
  const isAlert = actual >= restorePoints.leastBytes && (tooLarge || doubling);
  const alert = { kind: 'restore-points', actual, usual: last ?? 0, culprit: restorePointsName, holding: false } as const;
  const remembered = alertOnce(actual, alerted.restorePoints, !refused.estimated, isAlert ? alert : null);
  // Doubling is news at any size, and stays news as long as it goes on.
  return isAlert && doubling && !tooLarge ? { alert, alerted: actual } : remembered;
}

/** Far less came home than usual: lost work looks like this. */
function shrinkAlert({ incoming, past }: TeardownFigures): GrowthAlert | null {
  const usual = usualOf(past.map((one) => one.incoming))?.bytes ?? 0;
  if (incoming.bytes >= usual / 2 || usual - incoming.bytes < growthLimits.above.bytes) return null;
  return { kind: 'shrink', actual: incoming.bytes, usual, culprit: '', holding: false };
}

/** Many files vanished from the remote, though not so many that a guard stops the run. */
function removalAlert({ removed, past }: TeardownFigures): GrowthAlert | null {
  const usual = usualOf(past.map((one) => one.removed));
  if (usual === null || removed.length < manyRemoved.files || removed.length <= manyRemoved.timesUsual * usual.files) return null;
  const tree = new GrowthTree(removed.map(({ path, bytes }) => ({ path, bytes, before: null, mtime: 0 })));
  let culprit = '';
  for (let next = tree.largestIn('', 'files'); next !== null && tree.amountOf(next).files >= removed.length * 0.9; ) {
    culprit = next;
    next = tree.largestIn(next, 'files');
  }
  return { kind: 'shrink', actual: tree.amountOf('').bytes, usual: usual.bytes, culprit, holding: false };
}

function usualAmount(amounts: readonly (number | null)[]): number {
  const known = amounts.filter((amount) => amount !== null);
  return usualOf(known.map((bytes) => ({ files: 0, bytes })))?.bytes ?? 0;
}
