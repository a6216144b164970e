import { compare } from './compare';
import type { Applied, IncomingFile } from './endpoint';
import type { EnginePath } from './entry';
import { sameFolder } from './guards';
import { buildLedger } from './ledger';
import { changesFor, checkSize, nextBaseline, nextEntries, pendingBaseline, waitingItems } from './plan';
import { endWithoutWriting, listPaths, outcomeOf, reportPaths } from './report';
import type { RunInput, RunResult } from './run';
import { fetchWaiting } from './sync-back';
import { Transfer } from './transfer';

/** Sends what changed here, and removes on the remote what was removed here and is unchanged there. */
export async function push(input: RunInput, signal: AbortSignal): Promise<RunResult> {
  const comparison = await compare(input, 'push', signal);
  if (comparison.stop !== null || input.dryRun) return endWithoutWriting(input, comparison);
  const changes = changesFor(comparison);
  const wanted = changes.flatMap((change) => (change.kind === 'write' ? [{ path: change.path, size: change.content.size }] : []));
  checkSize(wanted, comparison.remote, 'push');
  const transfer = new Transfer(
    wanted.reduce((sum, { size }) => sum + size, 0),
    input.progress,
  );
  const marker = comparison.identity.marker ?? (await input.remote.identify(input.proposedMarker, signal));
  if (comparison.identity.marker === null && (await input.localMarker()) === marker) {
    return endWithoutWriting(input, { ...comparison, stop: sameFolder(comparison.local.home, comparison.remote.home) });
  }
  const waiting = waitingItems(comparison);
  await fetchWaiting(input, waiting, transfer, signal);
  if (changes.length > 0) await input.prepare(pendingBaseline(comparison, changes, input.rules, marker));
  const applied =
    changes.length === 0
      ? []
      : await input.remote.apply({ changes, contents: counted(input.local.read(wanted, signal), transfer) }, signal);
  const results = new Map<EnginePath, Applied>(applied.map((result) => [result.path, result]));
  input.progress('recording', 0, null, null);
  const token = await input.remote.remember(signal);
  await input.inbox.settle(waiting, ['conflict']);
  const paths = reportPaths(comparison, results);
  return {
    outcome: outcomeOf(null, paths),
    stop: null,
    ledger: buildLedger({ direction: 'push', sender: comparison.local, trees: comparison.trees, transferred: transfer.tally(), paths }),
    ...listPaths(paths),
    alerts: [],
    growth: null,
    notes: comparison.notes,
    remoteHome: comparison.remote.home,
    baseline: nextBaseline(comparison, results, input.rules, marker),
    memories: {
      local: { token: null, entries: comparison.local.listed },
      remote: { token, entries: nextEntries(comparison.remote.listed, changes, results) },
    },
    failure: null,
  };
}

async function* counted(files: AsyncIterable<IncomingFile>, transfer: Transfer): AsyncGenerator<IncomingFile> {
  for await (const file of files) yield transfer.count(file);
}
