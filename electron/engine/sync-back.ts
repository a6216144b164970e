import { compare } from './compare';
import type { Applied, IncomingFile, WantedFile } from './endpoint';
import type { EnginePath } from './entry';
import { concludeGrowth, heldItems } from './growth-report';
import { buildLedger } from './ledger';
import { changesFor, checkSize, nextBaseline, nextEntries, pendingBaseline, waitingItems } from './plan';
import { endWithoutWriting, listPaths, outcomeOf, reportPaths } from './report';
import { applyRecorded, type RunInput, type RunResult, type WaitingItem } from './run';
import { Transfer } from './transfer';

/** Brings home what changed on the remote; what the user must decide goes to the inbox and leaves the local file alone. */
export async function syncBack(input: RunInput, signal: AbortSignal): Promise<RunResult> {
  const comparison = await compare(input, 'sync-back', signal);
  if (comparison.stop !== null || input.dryRun) return endWithoutWriting(input, comparison);
  const changes = changesFor(comparison);
  const waiting = waitingItems(comparison);
  const toInbox = lacking(input, waiting);
  const writes = changes.flatMap(({ path, ...change }): WantedFile[] =>
    change.kind === 'write' ? [{ path, size: change.content.size, hash: change.content.hash }] : [],
  );
  const wanted = [...versionsOf(toInbox), ...writes];
  checkSize(wanted, comparison.local, 'sync-back');
  const transfer = new Transfer(
    wanted.reduce((sum, { size }) => sum + size, 0),
    input.progress,
  );
  // Asked for as soon as everything has arrived, so that its way and the writing here take the same time.
  let remembering: Promise<string | null> | null = null;
  const remember = () => {
    remembering ??= input.remote.remember(signal).catch(() => null);
    return remembering;
  };
  const source = guard(divert(wanted.length === 0 ? nothing() : input.remote.read(wanted, signal, input.local), toInbox, input, transfer));
  const contents = andThen(source.files, remember);
  let applied: readonly Applied[] = [];
  const plan = pendingBaseline(comparison, changes, input.rules, comparison.identity.marker);
  if (changes.length > 0) applied = await applyRecorded(input.local, { changes, contents }, input.prepare(plan), signal);
  else await drain(contents);
  const results = new Map<EnginePath, Applied>(applied.map((result) => [result.path, result]));
  input.progress('recording', 0, null, null);
  await input.inbox.settle([...waiting, ...heldItems(comparison)], ['conflict', 'guarded', 'review', 'growth']);
  const failure = source.failure();
  const token = failure === null ? remember() : Promise.resolve(null);
  const paths = reportPaths(comparison, results);
  const ledger = await buildLedger({
    direction: 'sync-back',
    sender: comparison.remote,
    trees: await comparison.trees(),
    transferred: transfer.tally(),
    paths,
    inFolderLines: comparison.growth.heldFiles,
    left: comparison.growth.left,
  });
  const entries = nextEntries(comparison.local.listed, changes, results);
  const { alerts, record } = concludeGrowth(input, comparison, ledger, (path) => results.get(path)?.ok !== true);
  return {
    outcome: outcomeOf(null, paths),
    stop: null,
    ledger,
    ...listPaths(paths),
    alerts,
    growth: record,
    notes: comparison.notes,
    remoteHome: comparison.remote.home,
    baseline: nextBaseline(comparison, results, input.rules, comparison.identity.marker),
    memories: token.then((kept) => ({
      local: { token: null, entries },
      remote: { token: kept, entries: comparison.remote.listed },
    })),
    failure,
  };
}

/** Fetches the remote versions of what waits and is not stored yet. */
export async function fetchWaiting(
  input: RunInput,
  waiting: readonly WaitingItem[],
  transfer: Transfer,
  signal: AbortSignal,
): Promise<void> {
  const toInbox = lacking(input, waiting);
  if (toInbox.size === 0) return;
  for await (const _ of divert(input.remote.read(versionsOf(toInbox), signal, input.local), toInbox, input, transfer));
}

function lacking(input: RunInput, waiting: readonly WaitingItem[]): ReadonlyMap<EnginePath, WaitingItem> {
  return new Map(waiting.filter((item) => item.remote !== null && input.inbox.lacks(item)).map((item) => [item.path, item]));
}

function versionsOf(toInbox: ReadonlyMap<EnginePath, WaitingItem>): readonly WantedFile[] {
  return [...toInbox.values()].map(({ path, remote }) => ({ path, size: remote?.size ?? 0, hash: remote?.hash }));
}

/** Stores what belongs to the inbox and passes the rest on. */
async function* divert(
  files: AsyncIterable<IncomingFile>,
  toInbox: ReadonlyMap<EnginePath, WaitingItem>,
  input: RunInput,
  transfer: Transfer,
): AsyncGenerator<IncomingFile> {
  for await (const file of files) {
    const item = toInbox.get(file.path);
    if (item === undefined) yield transfer.count(file);
    else await input.inbox.store(item, transfer.count(file));
  }
}

/** Remembers why a source broke: the receiver places what arrived whole and reports the rest path by path. */
function guard(files: AsyncIterable<IncomingFile>): { readonly files: AsyncIterable<IncomingFile>; failure(): unknown } {
  let failure: unknown = null;
  const fail = (error: unknown): never => {
    failure ??= error;
    throw error;
  };
  async function* body(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* chunks;
    } catch (error) {
      fail(error);
    }
  }
  async function* guarded(): AsyncGenerator<IncomingFile> {
    try {
      for await (const file of files) yield { ...file, body: body(file.body) };
    } catch (error) {
      fail(error);
    }
  }
  return { files: guarded(), failure: () => failure };
}

/** The same files; `then` is called once the last has passed. */
async function* andThen(files: AsyncIterable<IncomingFile>, then: () => unknown): AsyncGenerator<IncomingFile> {
  yield* files;
  then();
}

/** Lets everything pass. Why it broke, when it did, is remembered by the source. */
async function drain(files: AsyncIterable<IncomingFile>): Promise<void> {
  try {
    for await (const _ of files);
  } catch {
    return;
  }
}

async function* nothing(): AsyncGenerator<IncomingFile> {}
