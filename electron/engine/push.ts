import type { PathReport, Tally } from '../../shared/run-report';
import { type Comparison, compare } from './compare';
import type { Applied, Change, IncomingFile } from './endpoint';
import type { EnginePath } from './entry';
import { sameFolder } from './guards';
import { buildLedger } from './ledger';
import { changesFor, checkSize, nextBaseline, nextEntries, pendingBaseline, waitingItems } from './plan';
import { endWithoutWriting, listPaths, outcomeOf, reportPaths } from './report';
import { applyRecorded, type RunInput, type RunResult } from './run';
import { fetchWaiting } from './sync-back';
import { Transfer } from './transfer';

/** Rounds of one push. What changes during the last one as well goes with the next push. */
const mostRounds = 3;

/**
 * Sends what changed here, and removes on the remote what was removed here and is unchanged there. A file that changes while it
 * is read is not agreed on; another round, from the listing on, sends what it is then.
 */
export async function push(input: RunInput, signal: AbortSignal): Promise<RunResult> {
  let round = await pushOnce(input, { lines: [], transferred: { files: 0, bytes: 0 } }, signal);
  for (let number = 2; round.again !== null && number <= mostRounds; number += 1) {
    const { known, done } = round.again;
    try {
      const next = await pushOnce({ ...input, ...known }, done, signal);
      // Stopped by a guard: what the round before did holds, and the next push asks again.
      if (next.result.stop !== null) break;
      round = next;
    } catch (failure) {
      // What this round was about to do, if it came that far, is in the baseline that was prepared for it.
      return { ...round.result, baseline: null, memories: null, failure };
    }
  }
  return round.result;
}

/** What the rounds so far did. */
interface Done {
  readonly lines: readonly PathReport[];
  readonly transferred: Tally;
}

/** One round, and what another one goes on from; null when nothing changed here while it was read. */
interface Round {
  readonly result: RunResult;
  readonly again: { readonly known: Pick<RunInput, 'found' | 'memories'>; readonly done: Done } | null;
}

async function pushOnce(input: RunInput, done: Done, signal: AbortSignal): Promise<Round> {
  const unwritten = async (comparison: Comparison): Promise<Round> => ({ result: await endWithoutWriting(input, comparison), again: null });
  const comparison = await compare(input, 'push', signal);
  if (comparison.stop !== null || input.dryRun) return unwritten(comparison);
  const changes = changesFor(comparison);
  const wanted = changes.flatMap((change) => (change.kind === 'write' ? [{ path: change.path, size: change.content.size }] : []));
  checkSize(wanted, comparison.remote, 'push');
  const transfer = new Transfer(
    wanted.reduce((sum, { size }) => sum + size, 0),
    input.progress,
  );
  const marker = comparison.identity.marker ?? (await input.remote.identify(input.proposedMarker, signal));
  if (comparison.identity.marker === null && (await input.localMarker()) === marker) {
    return unwritten({ ...comparison, stop: sameFolder(comparison.local.home, comparison.remote.home) });
  }
  const waiting = waitingItems(comparison);
  await fetchWaiting(input, waiting, transfer, signal);
  const contents = counted(input.local.read(wanted, signal), transfer);
  const plan = pendingBaseline(comparison, changes, input.rules, marker);
  const applied = changes.length === 0 ? [] : await applyRecorded(input.remote, { changes, contents }, input.prepare(plan), signal);
  input.progress('recording', 0, null, null);
  const token = input.remote.remember(signal).catch(() => null);
  await input.inbox.settle(waiting, ['conflict']);
  return conclude(input, { comparison, changes, marker, transfer, token }, applied, done);
}

interface Sent {
  readonly comparison: Comparison;
  readonly changes: readonly Change[];
  readonly marker: string;
  readonly transfer: Transfer;
  readonly token: Promise<string | null>;
}

async function conclude(
  { rules }: RunInput,
  { comparison, changes, marker, transfer, token }: Sent,
  applied: readonly Applied[],
  done: Done,
): Promise<Round> {
  const results = new Map<EnginePath, Applied>(applied.map((result) => [result.path, result]));
  const lines = withEarlier(done.lines, reportPaths(comparison, results));
  const now = transfer.tally();
  const transferred = { files: done.transferred.files + now.files, bytes: done.transferred.bytes + now.bytes };
  const baseline = nextBaseline(comparison, results, rules, marker);
  const entries = nextEntries(comparison.remote.listed, changes, results);
  const memories = token.then((kept) => ({
    local: { token: null, entries: comparison.local.listed },
    remote: { token: kept, entries },
  }));
  const result: RunResult = {
    outcome: outcomeOf(null, lines),
    stop: null,
    ledger: await buildLedger({ direction: 'push', sender: comparison.local, trees: await comparison.trees(), transferred, paths: lines }),
    ...listPaths(lines),
    alerts: [],
    growth: null,
    notes: comparison.notes,
    remoteHome: comparison.remote.home,
    ...{ baseline, memories, failure: null },
  };
  const isOvertaken = applied.some((one) => !one.ok && one.overtaken === true);
  if (!isOvertaken) return { result, again: null };
  return { result, again: { known: { found: { kind: 'present', baseline }, memories: await memories }, done: { lines, transferred } } };
}

/** What was written or removed in an earlier round, and is as that left it, is told as well; all else is told as it is now. */
function withEarlier(earlier: readonly PathReport[], now: readonly PathReport[]): readonly PathReport[] {
  const named = new Set(now.map(({ path }) => path));
  const done = earlier.filter(({ outcome, path }) => (outcome === 'written' || outcome === 'removed') && !named.has(path));
  return [...done, ...now];
}

async function* counted(files: AsyncIterable<IncomingFile>, transfer: Transfer): AsyncGenerator<IncomingFile> {
  for await (const file of files) yield transfer.count(file);
}
