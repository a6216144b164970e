import type { ByteLedger, PathReport, RunOutcome, Stop, Tally } from '../../shared/run-report';
import { type Comparison, receiverOf, senderOf } from './compare';
import type { Applied, TreeTotals } from './endpoint';
import type { EnginePath } from './entry';
import type { RunResult } from './run';
import type { RefusedEntry, Scan } from './scan';

/** Most paths that a report lists; the rest is a number. */
const longestPathList = 5000;

/** A run's ledger before the socket's bytes are known. */
export type EngineLedger = Omit<ByteLedger, 'wire'>;

export const noFiles: Tally = { files: 0, bytes: 0 };

/** Number and sum of lengths. */
export function tally(sizes: Iterable<number>): Tally {
  let files = 0;
  let bytes = 0;
  for (const size of sizes) {
    files += 1;
    bytes += size;
  }
  return { files, bytes };
}

function plus(a: Tally, b: Tally): Tally {
  return { files: a.files + b.files, bytes: a.bytes + b.bytes };
}

function collect(into: Map<string, Tally>, key: string, amount: Tally): void {
  into.set(key, plus(into.get(key) ?? noFiles, amount));
}

/** Everything refused on one side: single entries by their rule, and the trees nobody looked into. */
export function refusedLedger(entries: readonly RefusedEntry[], trees: TreeTotals): EngineLedger['refused'] {
  const byTree = new Map<string, Tally>();
  const byRule = new Map<string, Tally>();
  for (const { refusal, bytes } of entries) {
    collect(byRule, refusal.rule, { files: 1, bytes });
    if (refusal.rule === 'excluded-name') collect(byTree, refusal.match, { files: 1, bytes });
  }
  for (const [name, amount] of trees.byTree) {
    collect(byTree, name, amount);
    collect(byRule, 'excluded-name', amount);
  }
  const total = [...byRule.values()].reduce(plus, noFiles);
  return { ...total, estimated: !trees.complete, byTree: Object.fromEntries(byTree), byRule: Object.fromEntries(byRule) };
}

export interface LedgerInput {
  readonly direction: 'push' | 'sync-back';
  readonly sender: Scan;
  readonly trees: TreeTotals;
  readonly transferred: Tally;
  readonly paths: readonly PathReport[];
}

/**
 * The numbers add up: what is in scope on the sender is unchanged, or has its own line among the paths; and what is on the remote is
 * in scope or refused. In a push the refused part describes this computer, and `onRemote` stays empty.
 */
export function buildLedger(input: LedgerInput): EngineLedger {
  const { sender, paths } = input;
  const refused = refusedLedger(sender.refused, input.trees);
  const inScope = tally([...sender.files.values()].map(({ size }) => size));
  const named = new Set(paths.filter(({ outcome }) => outcome !== 'refused').map(({ path }) => path));
  const unchanged = tally([...sender.files].flatMap(([path, { size }]) => (named.has(path) ? [] : [size])));
  const sum = (outcome: PathReport['outcome']) => tally(paths.flatMap((path) => (path.outcome === outcome ? [path.bytes] : [])));
  return {
    onRemote: input.direction === 'push' ? noFiles : plus(inScope, refused),
    refused,
    transferred: input.transferred,
    written: sum('written'),
    removed: sum('removed'),
    unchanged,
  };
}

/** The ledger of a run that did not get far enough to count anything. */
export const emptyLedger: EngineLedger = {
  onRemote: noFiles,
  refused: { ...noFiles, estimated: true, byTree: {}, byRule: {} },
  transferred: noFiles,
  written: noFiles,
  removed: noFiles,
  unchanged: noFiles,
};

/** The word for the whole run. Refused paths change nothing. */
export function outcomeOf(stop: Stop | null, paths: readonly PathReport[]): RunOutcome {
  if (stop !== null) return 'stopped';
  if (paths.some(({ outcome }) => outcome === 'failed')) return 'partly';
  return paths.some(({ outcome }) => outcome === 'conflict' || outcome === 'held') ? 'held' : 'done';
}

const order: Readonly<Record<PathReport['outcome'], number>> = { failed: 0, conflict: 1, held: 2, written: 3, removed: 4, refused: 5 };

/** Paths by need for attention, then by name, cut to what a report may list. */
export function listPaths(paths: readonly PathReport[]): { readonly paths: readonly PathReport[]; readonly pathsOmitted: number } {
  const sorted = [...paths].sort((a, b) => order[a.outcome] - order[b.outcome] || (a.path < b.path ? -1 : 1));
  return { paths: sorted.slice(0, longestPathList), pathsOmitted: Math.max(0, sorted.length - longestPathList) };
}

/** One line for each path that did not stay unchanged. With no results, what would happen. */
export function reportPaths(comparison: Comparison, results: ReadonlyMap<EnginePath, Applied> | null): readonly PathReport[] {
  const sender = senderOf(comparison);
  const receiver = receiverOf(comparison);
  const refused = sender.refused.map(({ path, refusal, bytes }): PathReport => {
    return {
      path,
      outcome: 'refused',
      change: receiver.listed.has(path) ? 'update' : 'create',
      bytes,
      reason: `${refusal.rule}: ${refusal.match}`,
    };
  });
  const unknown = [...new Set([...comparison.local.unknown, ...comparison.remote.unknown])].map((path): PathReport => {
    return { path, outcome: 'failed', change: 'update', bytes: 0, reason: 'could not be read; nothing below it was changed' };
  });
  const decided = comparison.decisions.flatMap((decision): PathReport[] => {
    const { path } = decision;
    if (decision.kind === 'wait') {
      const bytes = sender.files.get(path)?.size ?? 0;
      return [
        { path, outcome: decision.why === 'conflict' ? 'conflict' : 'held', change: decision.change, bytes, reason: decision.reason },
      ];
    }
    if (decision.kind !== 'write' && decision.kind !== 'remove') return [];
    const bytes = decision.kind === 'write' ? decision.entry.size : decision.size;
    const change = decision.kind === 'write' ? decision.change : 'delete';
    const result = results?.get(path);
    if (result?.ok === false) return [{ path, outcome: 'failed', change, bytes, reason: result.reason }];
    const outcome = decision.kind === 'write' ? 'written' : 'removed';
    const reason =
      decision.kind === 'remove'
        ? `removed ${sideName(comparison, 'sender')}`
        : change === 'create'
          ? `new ${sideName(comparison, 'sender')}`
          : `changed ${sideName(comparison, 'sender')}`;
    return [{ path, outcome, change, bytes, reason }];
  });
  return [...decided, ...unknown, ...refused];
}

function sideName({ direction }: Comparison, role: 'sender'): string {
  return (direction === 'push') === (role === 'sender') ? 'on this computer' : 'on the remote';
}

/** A run that ends before its first write: stopped by a guard, or only asked what would happen. */
export function endWithoutWriting(comparison: Comparison): RunResult {
  const paths = comparison.stop === null ? reportPaths(comparison, null) : [];
  const counted = buildLedger({ ...comparison, sender: senderOf(comparison), transferred: { files: 0, bytes: 0 }, paths });
  const ledger = { ...counted, written: { files: 0, bytes: 0 }, removed: { files: 0, bytes: 0 } };
  return {
    outcome: outcomeOf(comparison.stop, paths),
    stop: comparison.stop,
    ledger,
    ...listPaths(paths),
    notes: comparison.notes,
    remoteHome: comparison.remote.home,
    baseline: null,
    memories: null,
    failure: null,
  };
}
