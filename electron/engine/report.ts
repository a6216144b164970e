import { pathPhrases } from '../../shared/phrases/paths';
import type { PathReport, RunOutcome, Stop } from '../../shared/run-report';
import { type Comparison, receiverOf, senderOf } from './compare';
import type { Applied } from './endpoint';
import type { EnginePath } from './entry';
import { concludeGrowth, heldLines, leftLines } from './growth-report';
import { buildLedger } from './ledger';
import type { RunInput, RunResult } from './run';

/** Most paths that a report lists; the rest is a number. */
const longestPathList = 5000;

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
    const bytes = sender.files.get(path)?.size ?? 0;
    return { path, outcome: 'failed', change: 'update', bytes, reason: pathPhrases['path-unreadable'] };
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
  return [...decided, ...heldLines(comparison), ...leftLines(comparison), ...unknown, ...refused];
}

function sideName({ direction }: Comparison, role: 'sender'): string {
  return (direction === 'push') === (role === 'sender') ? 'on this computer' : 'on the remote';
}

/** A run that ends before its first write: stopped by a guard, or only asked what would happen. */
export async function endWithoutWriting(input: RunInput, comparison: Comparison): Promise<RunResult> {
  const paths = comparison.stop === null ? reportPaths(comparison, null) : [];
  const { heldFiles: inFolderLines, left } = comparison.growth;
  const counted = await buildLedger({
    direction: comparison.direction,
    sender: senderOf(comparison),
    trees: await comparison.trees(),
    transferred: { files: 0, bytes: 0 },
    paths,
    inFolderLines,
    left,
  });
  const ledger = { ...counted, written: { files: 0, bytes: 0 }, removed: { files: 0, bytes: 0 } };
  return {
    outcome: outcomeOf(comparison.stop, paths),
    stop: comparison.stop,
    ledger,
    ...listPaths(paths),
    ...(input.dryRun && comparison.stop === null ? { planned: { written: counted.written, removed: counted.removed } } : {}),
    alerts:
      comparison.stop === null && comparison.direction === 'sync-back'
        ? concludeGrowth(input, comparison, counted, () => false).alerts
        : [],
    growth: null,
    notes: comparison.notes,
    remoteHome: comparison.remote.home,
    baseline: null,
    memories: null,
    failure: null,
  };
}
