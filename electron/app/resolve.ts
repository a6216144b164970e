import { createReadStream } from 'node:fs';
import type { Connection } from '../../shared/connection';
import { AppError } from '../../shared/errors';
import { type InboxItem, type Resolution, resolutionsFor } from '../../shared/inbox';
import { pathPhrases } from '../../shared/phrases/paths';
import type { PathReport, RunReport } from '../../shared/run-report';
import type { Baseline } from '../engine/baseline';
import type { Applied, IncomingFile } from '../engine/endpoint';
import { type EnginePath, isWithin } from '../engine/entry';
import { checkSize } from '../engine/plan';
import type { Decisions } from './decisions';
import type { GrowthBook } from './growth';
import type { Inbox } from './inbox';
import { freeCopyPath, reviewedSkill, type Step, stepsFor, withWholeSkills } from './resolve-steps';
import type { RunRecords } from './run-records';
import { localResult, type ReportedResult } from './run-report';
import type { Runs } from './runs';
import type { LocalSide, OpenLocalSide } from './sides';

export interface ResolveDeps {
  readonly inbox: Inbox;
  readonly decisions: Decisions;
  readonly growth: Pick<GrowthBook, 'release' | 'decline' | 'expect'>;
  readonly records: RunRecords;
  readonly runs: Runs;
  readonly openLocal: OpenLocalSide;
  /** A connection by its id. */
  connection(id: string): Connection;
  readonly now: () => number;
}

/** Carries out the user's decisions about what waits. Each call is one run; the remote is not contacted. */
export interface Resolver {
  /**
   * Does the same with several items of one connection. Throws before anything is done when an id is unknown, the choice does
   * not fit, content is missing or the connection is busy; what fails later fails its path, and that item stays.
   */
  resolve(ids: readonly string[], choice: Resolution): Promise<RunReport>;
}

/** Decisions that change files here, or what both sides agree on. */
const settling: ReadonlySet<Resolution> = new Set(['keep-local', 'keep-remote', 'keep-both', 'release']);
/** Decisions for which the remote's version must be at hand. */
const placing: ReadonlySet<Resolution> = new Set(['keep-remote', 'keep-both', 'release']);

const noRecord = 'the record of the last session is missing; "session end" makes a new one and shows what still differs';

export function createResolver(deps: ResolveDeps): Resolver {
  return {
    async resolve(ids, choice) {
      const items = checkedItems(deps.inbox, ids, choice);
      const connection = deps.connection(items[0]?.connection ?? '');
      const task: Task = { deps, connection, items, choice };
      return deps.runs.runOwn(connection, 'resolve', (runId, signal) => carryOut(task, runId, signal));
    },
  };
}

interface Task {
  readonly deps: ResolveDeps;
  readonly connection: Connection;
  readonly items: readonly InboxItem[];
  readonly choice: Resolution;
}

function checkedItems(inbox: Inbox, ids: readonly string[], choice: Resolution): readonly InboxItem[] {
  const named = [...new Set(ids)].map((id) => {
    const item = inbox.get(id);
    if (item === null) throw new AppError('inbox.unknown', { id });
    return item;
  });
  if (new Set(named.map(({ connection }) => connection)).size > 1) throw new AppError('inbox.several-connections', {});
  for (const { path, kind } of named) {
    const possible = resolutionsFor[kind];
    if (!possible.includes(choice)) throw new AppError('inbox.not-allowed', { path, kind, choice, possible });
  }
  const items = withWholeSkills(named, choice, inbox.list());
  const lacking = placing.has(choice)
    ? items.find(({ id, kind, remote }) => kind !== 'growth' && remote !== null && inbox.contentFile(id) === null)
    : undefined;
  if (lacking !== undefined) throw new AppError('inbox.not-stored', { path: lacking.path });
  return items;
}

async function carryOut(task: Task, runId: string, signal: AbortSignal): Promise<ReportedResult> {
  // What was held for its size was never fetched: the next teardown brings it, or not, as decided.
  if (task.items.every(({ kind }) => kind === 'growth') || !settling.has(task.choice)) return decide(task);
  const { deps, connection, choice } = task;
  const found = await deps.records.baseline(connection.id);
  const notes = found.kind === 'unreadable' ? [`The record of the last session could not be read (${found.problem}).`] : [];
  if (found.kind !== 'present') {
    const steps = stepsFor(task.items, { choice, now: deps.now(), copyPath: (path) => path, groupOf: () => null });
    return localResult(
      steps.map(({ line }) => failed(line, noRecord)),
      notes,
    );
  }
  const { steps, problems } = placing.has(choice) ? await place(task, runId, signal) : { steps: keepSteps(task), problems: nothing };
  const done = steps.filter(({ item }) => !problems.has(item.id));
  // Before the items go: a process that ends in between leaves items that the next sync-back settles.
  if (done.length > 0) await deps.records.saveBaseline(connection.id, advanced(found.baseline, done));
  await deps.decisions.forget(
    connection.id,
    done.map(({ item }) => item.path),
  );
  for (const { item } of done) await deps.inbox.remove(item.id);
  const lines = steps.map(({ item, line }) => {
    const problem = problems.get(item.id);
    return problem === undefined ? line : failed(line, problem);
  });
  return localResult(lines, notes);
}

/** The baseline with what was decided; a run whose end was not recorded has nothing more to say about these paths. */
function advanced(baseline: Baseline, done: readonly Step[]): Baseline {
  const entries = new Map(baseline.entries);
  const pending = baseline.pending === null ? null : { ...baseline.pending, entries: new Map(baseline.pending.entries) };
  for (const { item, agreed } of done) {
    pending?.entries.delete(item.path);
    if (agreed === null) entries.delete(item.path);
    else if (agreed !== undefined) entries.set(item.path, agreed);
  }
  return { ...baseline, entries, pending };
}

const nothing: ReadonlyMap<string, string> = new Map();

function keepSteps({ items, choice, deps }: Task): readonly Step[] {
  return stepsFor(items, { choice, now: deps.now(), copyPath: (path) => path, groupOf: () => null });
}

/** Decisions that are only remembered. */
async function decide({ deps, connection, items, choice }: Task): Promise<ReportedResult> {
  const { inbox, decisions, growth, now } = deps;
  const all = inbox.list(connection.id);
  const gone = new Map(items.map((item) => [item.id, item]));
  for (const item of items) {
    if (item.kind === 'growth' && choice !== 'exclude') await decideGrowth(growth, item, choice);
    else if (choice === 'discard') await decisions.decline(connection.id, item.path, item.remote?.hash ?? null);
    else if (item.kind === 'guarded') await decisions.keepLocal(connection.id, item.path);
    else {
      // Without its SKILL.md the rest of a new skill would come home unreviewed.
      const excluded = reviewedSkill(item, all) ?? item.path;
      await decisions.exclude(connection.id, excluded);
      for (const below of all) if (isWithin(below.path, excluded)) gone.set(below.id, below);
    }
  }
  for (const id of gone.keys()) await inbox.remove(id);
  const steps = stepsFor([...gone.values()], { choice, now: now(), copyPath: (path) => path, groupOf: () => null });
  return localResult(
    steps.map(({ line }) => line),
    [],
  );
}

async function decideGrowth(growth: ResolveDeps['growth'], item: InboxItem, choice: Resolution): Promise<void> {
  if (choice === 'release') await growth.release(item);
  else if (choice === 'expect') await growth.expect(item);
  else await growth.decline(item);
}

interface Placed {
  readonly steps: readonly Step[];
  /** Items that could not be placed, by id, with the reason. */
  readonly problems: ReadonlyMap<string, string>;
}

async function place(task: Task, runId: string, signal: AbortSignal): Promise<Placed> {
  const side = await task.deps.openLocal(task.connection, runId, signal);
  try {
    return await placeOn(side, task, signal);
  } finally {
    await side.close().catch(() => undefined);
  }
}

async function placeOn({ local, rules }: LocalSide, { deps, connection, items, choice }: Task, signal: AbortSignal): Promise<Placed> {
  const folders = choice === 'keep-both' ? new Set(items.map(({ path }) => path.slice(0, path.lastIndexOf('/')))) : [];
  const listing = await local.list({ roots: [...folders], rules, memory: null }, signal);
  const taken = new Set([...listing.entries.keys()].map(rules.fold));
  const copies = new Map<EnginePath, EnginePath>();
  for (const { path } of choice === 'keep-both' ? items : []) {
    const copy = freeCopyPath(path, connection.name, (one) => taken.has(rules.fold(one)));
    taken.add(rules.fold(copy));
    copies.set(path, copy);
  }
  const all = deps.inbox.list(connection.id);
  const steps = stepsFor(items, {
    choice,
    now: deps.now(),
    copyPath: (path) => copies.get(path) ?? path,
    groupOf: (item) => reviewedSkill(item, all),
  });
  const problems = new Map<string, string>();
  for (const { item } of steps) {
    const inRoots = connection.roots.some((root) => isWithin(item.path, root));
    const verdict = rules.judge(item.path, 'file');
    if (!inRoots || verdict.kind === 'refused') problems.set(item.id, pathPhrases['rule-keeps']);
  }
  const wanted = steps.filter(({ item, change }) => change !== null && !problems.has(item.id));
  const changes = wanted.flatMap(({ change }) => change ?? []);
  checkSize(
    changes.flatMap((change) => (change.kind === 'write' ? [{ path: change.path, size: change.content.size }] : [])),
    listing,
    'sync-back',
  );
  const applied =
    changes.length === 0 ? [] : await local.apply({ changes, contents: contentsOf(wanted, deps.inbox), goesOn: true }, signal);
  const results = new Map<EnginePath, Applied>(applied.map((one) => [one.path, one]));
  for (const { item, change } of wanted) {
    const outcome = results.get(change?.path ?? item.path);
    if (outcome?.ok !== true) problems.set(item.id, outcome?.reason ?? pathPhrases['nothing-became']);
  }
  return { steps, problems };
}

async function* contentsOf(steps: readonly Step[], inbox: Inbox): AsyncGenerator<IncomingFile> {
  for (const { item, change } of steps) {
    const file = change?.kind === 'write' ? inbox.contentFile(item.id) : null;
    if (change?.kind !== 'write' || file === null) continue;
    yield { path: change.path, size: change.content.size, body: createReadStream(file) };
  }
}

function failed(line: PathReport, reason: string): PathReport {
  return { ...line, outcome: 'failed', reason };
}
