import { fill } from '../../shared/phrase';
import { notePhrases } from '../../shared/phrases/notes';
import type { Rules } from '../../shared/rules';
import type { Stop } from '../../shared/run-report';
import { type Baseline, type RemoteIdentity, settlePending } from './baseline';
import type { Endpoint, TreeTotals } from './endpoint';
import type { AgreedEntry, EnginePath } from './entry';
import { type GrowthVerdict, nothingHeld } from './growth';
import { noGrowthContext } from './growth-context';
import { checkPlan, checkSides, firstSession, hermesUnfinished, sameFolder } from './guards';
import { detectHolds, leaveHeld, withHolds } from './holds';
import { refusedLedger } from './ledger';
import { type Decision, type Direction, reconcile } from './reconcile';
import type { RunInput } from './run';
import { type MayBeKnown, readHashes, refuseObstructed, refuseTwins, type Scan, scan } from './scan';
import { inTurns } from './turns';

/** Both sides compared, with everything the two runs go on from. */
export interface Comparison {
  readonly direction: Direction;
  readonly local: Scan;
  readonly remote: Scan;
  readonly decisions: readonly Decision[];
  /** What a sync-back would bring far more of than usual. */
  readonly growth: GrowthVerdict;
  /** Baseline entries that still count. */
  readonly agreed: ReadonlyMap<EnginePath, AgreedEntry>;
  readonly identity: RemoteIdentity;
  readonly stop: Stop | null;
  readonly notes: readonly string[];
  /** What was counted in refused trees; waited for only where it is told. */
  readonly trees: () => Promise<TreeTotals>;
}

/** How long a report waits for the walk over refused trees once everything else is done, in milliseconds. */
const totalsPatienceMs = 2000;

/** The side whose files go to the other. */
export function senderOf({ direction, local, remote }: Pick<Comparison, 'direction' | 'local' | 'remote'>): Scan {
  return direction === 'push' ? local : remote;
}

/** The side that is written. */
export function receiverOf({ direction, local, remote }: Pick<Comparison, 'direction' | 'local' | 'remote'>): Scan {
  return direction === 'push' ? remote : local;
}

/** Lists both sides, decides every path and asks the guards. Writes nothing. */
export async function compare(input: RunInput, direction: Direction, signal: AbortSignal): Promise<Comparison> {
  const { roots, rules, found } = input;
  const sender = direction === 'push' ? input.local : input.remote;
  input.progress('listing', 0, null, null);
  const trusted = found.kind === 'unreadable' ? { local: null, remote: null } : input.memories;
  const counts = (endpoint: Endpoint) => endpoint === sender;
  const here = scan(input.local, { roots, rules, memory: trusted.local, counts: counts(input.local) }, signal);
  const known = found.kind === 'present' ? found.baseline : null;
  // Without a record that can be trusted, everything is read.
  const mayBeKnown = here.then((local) => (found.kind === 'unreadable' ? () => true : knownSizes(local, known)));
  // Whoever waits for the listing hears of its failure.
  mayBeKnown.catch(() => undefined);
  const there = scan(input.remote, { roots, rules, memory: trusted.remote, counts: counts(input.remote) }, signal, mayBeKnown);
  const counting = countTrees(sender, input, signal);
  const [localAll, remoteAll] = await Promise.all([here, there]).catch((error: unknown) => {
    counting.stop();
    throw error;
  });
  const storable = refuseTwins(remoteAll, localAll, rules);
  input.progress('comparing', 0, null, null);
  const identity: RemoteIdentity = { marker: remoteAll.identity, hostKey: input.hostKey, home: remoteAll.home };
  const sides = checkSides({ roots, baseline: known, local: localAll.files, remote: storable.files, identity });
  const local = direction === 'push' ? refuseObstructed(localAll, storable, 'on the remote') : localAll;
  const listed = direction === 'push' ? storable : refuseObstructed(storable, localAll, 'on this computer');
  const startOver = sides !== null && input.allow.has(sides.guard);
  const baseline = startOver || known === null ? null : settlePending(known, { local: localAll, remote: storable });
  const agreed = inScope(baseline, rules);
  const { remote, meant, decisions, growth } = await decideAll(input, { direction, local, remote: listed, agreed }, signal);
  const trees = counting.result;
  const partial = { direction, local, remote, decisions: meant, growth, agreed, identity, trees };
  const plan = checkPlan(meant, baseline, direction).find(({ guard }) => !input.allow.has(guard)) ?? null;
  const stop = checkHomes(input, local, remote) ?? (startOver ? null : sides) ?? plan ?? (await askFirst(input, partial));
  return { ...partial, decisions, stop, notes: notesOn(input, baseline) };
}

/** Content of another length than all that is known for its path is different, whatever its hash. */
function knownSizes(local: Scan, baseline: Baseline | null): MayBeKnown {
  const { entries, pending } = baseline ?? { entries: null, pending: null };
  return (path, size) => [local.files.get(path), entries?.get(path), pending?.entries.get(path)].some((known) => known?.size === size);
}

interface Decided {
  readonly remote: Scan;
  /** As the table has it, and as the guards see it. */
  readonly meant: readonly Decision[];
  /** With what is held because of its size. */
  readonly decisions: readonly Decision[];
  readonly growth: GrowthVerdict;
}

/** Decides every path. Content that was not read to compare it is read only now, where it is needed and not held. */
async function decideAll(
  input: RunInput,
  sides: Pick<Comparison, 'direction' | 'local' | 'remote' | 'agreed'>,
  signal: AbortSignal,
): Promise<Decided> {
  const { direction } = sides;
  const listed = await decideFor(input, sides);
  const growth = direction === 'push' ? nothingHeld : await detectHolds(input, listed, sides);
  const hold = (decisions: readonly Decision[], remote: Scan) =>
    direction === 'push' ? leaveHeld(decisions, input.growth ?? noGrowthContext) : withHolds(decisions, growth, remote);
  const decisions = hold(listed, sides.remote);
  const needed = decisions.flatMap(({ kind, path }) => (kind === 'write' || kind === 'wait' ? [path] : []));
  const remote = await readHashes(input.remote, sides.remote, needed, signal);
  if (remote === sides.remote) return { remote, meant: listed, decisions, growth };
  const meant = await decideFor(input, { ...sides, remote });
  return { remote, meant, decisions: hold(meant, remote), growth };
}

async function decideFor(
  input: RunInput,
  { direction, local, remote, agreed }: Pick<Comparison, 'direction' | 'local' | 'remote' | 'agreed'>,
): Promise<readonly Decision[]> {
  const decisions: Decision[] = [];
  const deciding = reconcile({
    direction,
    baseline: agreed,
    receiver: (direction === 'push' ? remote : local).files,
    sender: (direction === 'push' ? local : remote).files,
    blocked: [...local.unknown, ...remote.unknown, ...local.refused.map(({ path }) => path), ...remote.refused.map(({ path }) => path)],
    rules: input.rules,
    newSkills: input.newSkills,
    decided: input.decided,
  });
  await inTurns(deciding, (decision) => decisions.push(decision));
  return decisions;
}

/** Stops that have nothing to do with what was compared. */
function checkHomes(input: RunInput, local: Scan, remote: Scan): Stop | null {
  if (local.identity !== null && local.identity === remote.identity) return sameFolder(local.home, remote.home);
  if (input.hermesUnfinished === null || input.allow.has('hermes-unfinished') || input.dryRun) return null;
  return hermesUnfinished(input.hermesUnfinished);
}

async function askFirst(input: RunInput, comparison: Omit<Comparison, 'stop' | 'notes'>): Promise<Stop | null> {
  if (input.found.kind !== 'none' || input.allow.has('first-session') || input.dryRun) return null;
  const { direction, decisions, remote } = comparison;
  const sender = senderOf(comparison);
  const refused = refusedLedger(sender.refused, await comparison.trees());
  return firstSession({
    direction,
    decisions,
    sender: sender.files,
    remoteHomeExists: remote.missingRoots.length < input.roots.length,
    refused,
  });
}

function notesOn(input: RunInput, baseline: Baseline | null): readonly string[] {
  const notes: string[] = [];
  if (input.found.kind === 'unreadable') {
    notes.push(`${fill(notePhrases['record-unreadable'], { problem: input.found.problem })} ${notePhrases['compared-whole']}`);
  }
  if (baseline !== null && baseline.rules !== input.rules.fingerprint)
    notes.push(`${notePhrases['rules-changed']} ${notePhrases['scope-untouched']}`);
  return notes;
}

/** Paths that left the rules' scope drop out of the baseline; nothing happens to the files. */
function inScope(baseline: Baseline | null, rules: Rules): ReadonlyMap<EnginePath, AgreedEntry> {
  if (baseline === null) return new Map();
  if (baseline.rules === rules.fingerprint) return baseline.entries;
  return new Map([...baseline.entries].filter(([path]) => rules.judge(path, 'file').kind !== 'refused'));
}

interface Counting {
  /** The totals, waited for from now on for as long as a report may. */
  result(): Promise<TreeTotals>;
  stop(): void;
}

/** Begins to count. A slow machine is slow at listing too, so patience only begins where the rest is done. */
function countTrees(sender: Endpoint, { roots, rules }: RunInput, signal: AbortSignal): Counting {
  const unknown: TreeTotals = { byTree: new Map(), complete: false };
  const enough = new AbortController();
  const counting = sender.totals({ roots, rules }, AbortSignal.any([signal, enough.signal])).catch(() => unknown);
  const waitFor = () => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<TreeTotals>((resolve) => {
      timer = setTimeout(() => resolve(unknown), totalsPatienceMs);
    });
    return Promise.race([counting, late]).finally(() => {
      clearTimeout(timer);
      enough.abort();
    });
  };
  let waited: Promise<TreeTotals> | null = null;
  const result = () => {
    waited ??= waitFor();
    return waited;
  };
  return { result, stop: () => enough.abort() };
}
