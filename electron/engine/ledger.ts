import type { ByteLedger, PathReport, Tally } from '../../shared/run-report';
import type { TreeTotals } from './endpoint';
import type { Scan } from './scan';
import { inTurns } from './turns';

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

interface CountedRefusal {
  readonly refusal: { readonly rule: string; readonly match: string };
  readonly bytes: number;
}

/** Not refused by a rule: the user wants it to stay where it is. */
const byDecision = { rule: 'declined', match: '' };

/** Everything refused on one side: single entries by their rule, and the trees nobody looked into. */
export function refusedLedger(entries: readonly CountedRefusal[], trees: TreeTotals): EngineLedger['refused'] {
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
  /** Files that are counted in the line of their folder. */
  readonly inFolderLines?: ReadonlyMap<string, unknown>;
  /** Files that stay on the sender because the user decided so; they count as refused. */
  readonly left?: ReadonlyMap<string, unknown>;
}

/**
 * The numbers add up: what is in scope on the sender is unchanged, or has its own line among the paths; and what is on the remote is
 * in scope or refused. In a push the refused part describes this computer, and `onRemote` stays empty.
 */
export async function buildLedger(input: LedgerInput): Promise<EngineLedger> {
  const { sender, paths } = input;
  const named = new Set(paths.filter(({ outcome }) => outcome !== 'refused').map(({ path }) => path));
  const left: CountedRefusal[] = [];
  const inScope = { files: 0, bytes: 0 };
  const unchanged = { files: 0, bytes: 0 };
  await inTurns(sender.files, ([path, { size }]) => {
    if (input.left?.has(path)) {
      left.push({ bytes: size, refusal: byDecision });
      return;
    }
    inScope.files += 1;
    inScope.bytes += size;
    if (named.has(path) || input.inFolderLines?.has(path)) return;
    unchanged.files += 1;
    unchanged.bytes += size;
  });
  const refused = refusedLedger([...sender.refused, ...left], input.trees);
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
