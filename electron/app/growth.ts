import type { DecidedAmount, Decision, DecisionChoice } from '../../shared/decision';
import type { RunReport } from '../../shared/run-report';
import { bookkeepingOf, nothingAlerted, type PastTeardown, restorePointsOf } from '../engine/alerts';
import type { EnginePath } from '../engine/entry';
import type { GrowthContext, GrowthMark, GrowthRecord } from '../engine/growth-context';
import { growthLimits } from '../engine/growth-figures';
import type { GrowthMemory } from '../store/state';
import type { StateFile } from '../store/state-file';
import { decisionId } from './decisions';
import type { History } from './history';
import type { Inbox } from './inbox';

/** A held subtree, as its inbox item names it. */
export interface HeldItem {
  readonly connection: string;
  readonly path: EnginePath;
  readonly bytes: number;
}

/** What a connection's earlier teardowns, alerts and decisions say about its next one. A connection is named by its id. */
export interface GrowthBook {
  context(connection: string): Promise<GrowthContext>;
  /** Keeps what a teardown found. A connection that is gone is forgotten. */
  record(connection: string, record: GrowthRecord): Promise<void>;
  /** Write anyway: the subtree comes home at the next teardown, unless it grew much again until then. */
  release(item: HeldItem): Promise<void>;
  /** Not wanted: the subtree stays on the remote and is not asked about again until it grew much. */
  decline(item: HeldItem): Promise<void>;
  /** This is expected: the subtree comes home from the next teardown on, and as much may come from anywhere. */
  expect(item: HeldItem): Promise<void>;
}

export interface GrowthBookParts {
  readonly state: StateFile;
  readonly history: History;
  readonly inbox: Inbox;
  readonly now: () => number;
}

/** Runs of a connection among which its last teardowns are looked for. */
const runsLookedAt = 40;

/** A view on the state file and the history. */
export function createGrowthBook({ state, history, inbox, now }: GrowthBookParts): GrowthBook {
  const memoryOf = (connection: string): GrowthMemory => state.state.growth?.[connection] ?? { alerted: nothingAlerted, held: [] };
  const marks = (connection: string, choice: DecisionChoice): readonly GrowthMark[] =>
    state.state.decisions.flatMap((one) =>
      one.connection === connection && one.choice === choice && one.amount !== undefined ? [{ path: one.path, ...one.amount }] : [],
    );
  const decide = async ({ connection, path, bytes }: HeldItem, choice: DecisionChoice): Promise<void> => {
    const held = memoryOf(connection).held.find((one) => one.path === path);
    // An item without figures is from before they were kept; its own length is what the user saw.
    const { newest, ...amount } = held === undefined ? { files: 1, bytes, newest: null } : amountOf(held);
    await keep(state, { connection, path, choice, amount: { ...amount, newest: choice === 'growth-expected' ? null : newest } }, now());
  };
  return {
    async context(connection) {
      const held = inbox.list(connection).flatMap(({ kind, path }) => (kind === 'growth' ? [path] : []));
      return {
        past: await pastTeardowns(history, connection),
        expected: marks(connection, 'growth-expected'),
        released: marks(connection, 'growth-release'),
        declined: marks(connection, 'growth-declined'),
        held,
        alerted: memoryOf(connection).alerted,
      };
    },
    async record(connection, { held, spent, alerted }) {
      const kept = held.map((one) => ({ path: one.path, ...amountOf(one) }));
      const now: GrowthMemory = { alerted: { ...alerted }, held: kept };
      if (spent.length === 0 && JSON.stringify(now) === JSON.stringify(memoryOf(connection))) return;
      const gone = new Set([
        ...spent.map((path) => decisionId(connection, path, 'growth-release')),
        // A subtree that is asked about again is no longer declined.
        ...held.map(({ path }) => decisionId(connection, path, 'growth-declined')),
      ]);
      await state.update((draft) => {
        draft.decisions = draft.decisions.filter(({ id }) => !gone.has(id));
        const known = new Set(draft.connections.map(({ id }) => id));
        const memories = Object.entries({ ...draft.growth, [connection]: structuredClone(now) });
        draft.growth = Object.fromEntries(memories.filter(([id]) => known.has(id)));
      });
    },
    release: (item) => decide(item, 'growth-release'),
    decline: (item) => decide(item, 'growth-declined'),
    expect: (item) => decide(item, 'growth-expected'),
  };
}

function amountOf({ files, bytes, newest }: DecidedAmount): DecidedAmount {
  return { files, bytes, newest };
}

interface NewDecision extends Pick<Decision, 'connection' | 'path' | 'choice'> {
  readonly amount: DecidedAmount;
}

/** One decision about the growth of a path takes the place of another; what is expected stays expected. */
async function keep(state: StateFile, { connection, path, choice, amount }: NewDecision, now: number): Promise<void> {
  const replaced = new Set<DecisionChoice>(choice === 'growth-expected' ? [choice] : ['growth-release', 'growth-declined']);
  const id = decisionId(connection, path, choice);
  await state.update((draft) => {
    if (!draft.connections.some((one) => one.id === connection)) return;
    draft.decisions = [
      ...draft.decisions.filter((one) => one.connection !== connection || one.path !== path || !replaced.has(one.choice)),
      { id, connection, path, choice, hash: null, amount: { ...amount }, createdAt: new Date(now).toISOString() },
    ];
  });
}

/** Teardowns that ended, newest first. Without a readable history the absolute amounts still count. */
async function pastTeardowns(history: History, connection: string): Promise<readonly PastTeardown[]> {
  const runs = await history.list({ connection, limit: runsLookedAt }).catch(() => []);
  return runs.filter(isFinishedTeardown).slice(0, growthLimits.history).map(figuresOf);
}

/** Whether a run brought something home, or found that there was nothing to bring. */
export function isFinishedTeardown({ kind, outcome, remote }: RunReport): boolean {
  return kind === 'sync-back' && remote.home !== null && (outcome === 'done' || outcome === 'held' || outcome === 'partly');
}

function figuresOf({ ledger }: RunReport): PastTeardown {
  return { incoming: ledger.written, removed: ledger.removed, bookkeeping: bookkeepingOf(ledger), restorePoints: restorePointsOf(ledger) };
}
