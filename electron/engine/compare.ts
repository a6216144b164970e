import type { Rules } from '../../shared/rules';
import type { Stop } from '../../shared/run-report';
import { type Baseline, type RemoteIdentity, settlePending } from './baseline';
import type { Endpoint, TreeTotals } from './endpoint';
import type { AgreedEntry, EnginePath } from './entry';
import { checkPlan, checkSides, firstSession, hermesUnfinished, sameFolder } from './guards';
import { refusedLedger } from './ledger';
import { type Decision, type Direction, reconcile } from './reconcile';
import type { RunInput } from './run';
import { refuseObstructed, refuseTwins, type Scan, scan } from './scan';

/** Both sides compared, with everything the two runs go on from. */
export interface Comparison {
  readonly direction: Direction;
  readonly local: Scan;
  readonly remote: Scan;
  readonly decisions: readonly Decision[];
  /** Baseline entries that still count. */
  readonly agreed: ReadonlyMap<EnginePath, AgreedEntry>;
  readonly identity: RemoteIdentity;
  readonly stop: Stop | null;
  readonly notes: readonly string[];
  readonly trees: TreeTotals;
}

/** How long a report waits for the walk over refused trees, in milliseconds. */
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
  const counting = countTrees(sender, input, signal);
  input.progress('listing', 0, null, null);
  const trusted = found.kind === 'unreadable' ? { local: null, remote: null } : input.memories;
  const [localAll, remoteAll] = await Promise.all([
    scan(input.local, { roots, rules, memory: trusted.local }, signal),
    scan(input.remote, { roots, rules, memory: trusted.remote }, signal),
  ]);
  const storable = refuseTwins(remoteAll, localAll, rules);
  input.progress('comparing', 0, null, null);
  const identity: RemoteIdentity = { marker: remoteAll.identity, hostKey: input.hostKey, home: remoteAll.home };
  const known = found.kind === 'present' ? found.baseline : null;
  const sides = checkSides({ roots, baseline: known, local: localAll.files, remote: storable.files, identity });
  const local = direction === 'push' ? refuseObstructed(localAll, storable, 'on the remote') : localAll;
  const remote = direction === 'push' ? storable : refuseObstructed(storable, localAll, 'on this computer');
  const startOver = sides !== null && input.allow.has(sides.guard);
  const baseline = startOver || known === null ? null : settlePending(known, { local: localAll.files, remote: storable.files });
  const agreed = inScope(baseline, rules);
  const decisions = reconcile({
    direction,
    baseline: agreed,
    receiver: (direction === 'push' ? remote : local).files,
    sender: (direction === 'push' ? local : remote).files,
    blocked: [...local.unknown, ...remote.unknown, ...local.refused.map(({ path }) => path), ...remote.refused.map(({ path }) => path)],
    rules,
    newSkills: input.newSkills,
    decided: input.decided,
  });
  const trees = await counting;
  const partial = { direction, local, remote, decisions, agreed, identity, trees };
  const plan = checkPlan(decisions, baseline, direction).find(({ guard }) => !input.allow.has(guard)) ?? null;
  const stop = checkHomes(input, local, remote) ?? (startOver ? null : sides) ?? plan ?? askFirst(input, partial);
  return { ...partial, stop, notes: notesOn(input, baseline) };
}

/** Stops that have nothing to do with what was compared. */
function checkHomes(input: RunInput, local: Scan, remote: Scan): Stop | null {
  if (local.identity !== null && local.identity === remote.identity) return sameFolder(local.home, remote.home);
  if (input.hermesUnfinished === null || input.allow.has('hermes-unfinished') || input.dryRun) return null;
  return hermesUnfinished(input.hermesUnfinished);
}

function askFirst(input: RunInput, comparison: Omit<Comparison, 'stop' | 'notes'>): Stop | null {
  if (input.found.kind !== 'none' || input.allow.has('first-session') || input.dryRun) return null;
  const { direction, decisions, remote } = comparison;
  const sender = senderOf(comparison);
  const refused = refusedLedger(sender.refused, comparison.trees);
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
    notes.push(
      `The record of the last session could not be read (${input.found.problem}) and was set aside. Everything was compared by content; nothing was deleted.`,
    );
  }
  if (baseline !== null && baseline.rules !== input.rules.fingerprint)
    notes.push('The rules changed since the last session. Files that left their scope were not touched.');
  return notes;
}

/** Paths that left the rules' scope drop out of the baseline; nothing happens to the files. */
function inScope(baseline: Baseline | null, rules: Rules): ReadonlyMap<EnginePath, AgreedEntry> {
  if (baseline === null) return new Map();
  if (baseline.rules === rules.fingerprint) return baseline.entries;
  return new Map([...baseline.entries].filter(([path]) => rules.judge(path, 'file').kind !== 'refused'));
}

async function countTrees(sender: Endpoint, { roots, rules }: RunInput, signal: AbortSignal): Promise<TreeTotals> {
  const unknown: TreeTotals = { byTree: new Map(), complete: false };
  const enough = new AbortController();
  const counting = sender.totals({ roots, rules }, AbortSignal.any([signal, enough.signal])).catch(() => unknown);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<TreeTotals>((resolve) => {
    timer = setTimeout(() => resolve(unknown), totalsPatienceMs);
  });
  return Promise.race([counting, late]).finally(() => {
    clearTimeout(timer);
    enough.abort();
  });
}
