import type { PathReport, Tally } from '../../shared/run-report';
import { type AlertMemory, nothingAlerted, type PastTeardown, teardownAlerts } from './alerts';
import type { Comparison } from './compare';
import { type EnginePath, type FileEntry, isWithin } from './entry';
import {
  detectGrowth,
  type GrowthMark,
  type GrowthVerdict,
  type HeldSubtree,
  nothingHeld,
  type PlannedFile,
  subtreeAround,
} from './growth';
import { parentOf } from './growth-tree';
import { type EngineLedger, tally } from './ledger';
import { type Decision, skillFolders } from './reconcile';
import type { RunInput, WaitingItem } from './run';
import type { Scan } from './scan';

/** What is known of a connection before a teardown, and what the user decided about its growth. */
export interface GrowthContext {
  /** Finished teardowns, newest first. */
  readonly past: readonly PastTeardown[];
  readonly floor: Tally;
  readonly released: readonly GrowthMark[];
  readonly declined: readonly GrowthMark[];
  /** Subtrees that wait in the inbox. */
  readonly held: readonly EnginePath[];
  readonly alerted: AlertMemory;
}

/** A connection about which nothing is known. */
export const noGrowthContext: GrowthContext = {
  past: [],
  floor: { files: 0, bytes: 0 },
  released: [],
  declined: [],
  held: [],
  alerted: nothingAlerted,
};

/** What a teardown leaves behind for the next one. */
export interface GrowthRecord {
  readonly held: readonly HeldSubtree[];
  /** Released subtrees that came home, or became another question meanwhile. */
  readonly spent: readonly EnginePath[];
  readonly alerted: AlertMemory;
}

/** More files than this in one held folder are one line of the report. */
const mostLines = 20;

type Sides = Pick<Comparison, 'local' | 'remote' | 'agreed'>;

/** Looks at what a sync-back would download, before it does. */
export function detectHolds(input: RunInput, decisions: readonly Decision[], sides: Sides): GrowthVerdict {
  const { past, ...decided } = input.growth ?? noGrowthContext;
  const knownFolders = new Set<EnginePath>(input.roots);
  for (const paths of [sides.local.files.keys(), sides.agreed.keys()])
    for (const path of paths) for (let at = parentOf(path); at !== '' && !knownFolders.has(at); at = parentOf(at)) knownFolders.add(at);
  const planned = decisions.flatMap((decision) => (bringsContent(input, decision, sides) ? [plannedFile(decision.path, sides)] : []));
  if (planned.length === 0) return nothingHeld;
  return detectGrowth({
    ...decided,
    ...{ roots: input.roots, usual: past.map(({ incoming }) => incoming), planned, knownFolders },
    skills: skillFolders(sides.local.files, sides.remote.files),
  });
}

function bringsContent(input: RunInput, decision: Decision, { local, remote }: Sides): boolean {
  if (decision.kind === 'write') return true;
  if (decision.kind !== 'wait') return false;
  const { path, why, reason } = decision;
  const there = remote.files.get(path) ?? null;
  return there !== null && input.inbox.lacks({ path, why, reason, local: local.files.get(path) ?? null, remote: there });
}

function plannedFile(path: EnginePath, { local, remote, agreed }: Sides): PlannedFile {
  const there = remote.files.get(path);
  return { path, bytes: there?.size ?? 0, before: agreed.get(path)?.size ?? local.files.get(path)?.size ?? null, mtime: there?.mtime ?? 0 };
}

/** Puts a verdict into effect: held content stays on the remote, and what was declined is left there without a word. */
export function withHolds(decisions: readonly Decision[], verdict: GrowthVerdict, remote: Scan): readonly Decision[] {
  if (verdict.held.length === 0 && verdict.left.size === 0) return decisions;
  const subtrees = verdict.held.map(({ path }) => path);
  return decisions.map((decision): Decision => {
    const { path } = decision;
    if (verdict.left.has(path) && (decision.kind === 'write' || decision.kind === 'wait')) return { kind: 'leave', path };
    if (decision.kind === 'remove') {
      // What vanished inside a held folder belongs to the same question.
      const subtree = verdict.released.some((released) => isWithin(path, released)) ? null : subtreeAround(path, subtrees);
      return subtree === null ? decision : { kind: 'hold', path, change: 'delete', subtree, size: 0 };
    }
    const subtree = verdict.heldFiles.get(path);
    if (subtree === undefined || (decision.kind !== 'write' && decision.kind !== 'wait')) return decision;
    return { kind: 'hold', path, change: decision.change, subtree, size: remote.files.get(path)?.size ?? 0 };
  });
}

/** A push fetches nothing from a subtree that waits or was declined. */
export function leaveHeld(decisions: readonly Decision[], { held, declined }: GrowthContext): readonly Decision[] {
  const subtrees = [...held, ...declined.map(({ path }) => path)];
  if (subtrees.length === 0) return decisions;
  return decisions.map((decision) =>
    decision.kind === 'wait' && subtreeAround(decision.path, subtrees) !== null ? { kind: 'leave', path: decision.path } : decision,
  );
}

/** Held subtrees in the report: file by file, or one line for a folder with many. */
export function heldLines({ decisions, growth }: Pick<Comparison, 'decisions' | 'growth'>): readonly PathReport[] {
  const bySubtree = new Map<EnginePath, Extract<Decision, { kind: 'hold' }>[]>();
  for (const decision of decisions) {
    if (decision.kind !== 'hold') continue;
    const files = bySubtree.get(decision.subtree);
    if (files === undefined) bySubtree.set(decision.subtree, [decision]);
    else files.push(decision);
  }
  return growth.held.flatMap(({ path, bytes, newest, reason }): readonly PathReport[] => {
    const files = bySubtree.get(path) ?? [];
    if (files.length <= mostLines) {
      return files.map((file) => ({ path: file.path, outcome: 'held', change: file.change, bytes: file.size, reason }));
    }
    return [{ path, outcome: 'held', change: newest === null ? 'create' : 'update', bytes, reason }];
  });
}

/** One inbox item for each held subtree; nothing of it is stored. */
export function heldItems({ growth }: Pick<Comparison, 'growth'>): readonly WaitingItem[] {
  return growth.held.map(({ path, reason, bytes }) => ({ path, why: 'growth', reason, local: null, remote: null, bytes }));
}

/** Everything a teardown has to say about growth, and what the next one must know. */
export function concludeGrowth(
  input: RunInput,
  comparison: Comparison,
  ledger: EngineLedger,
  failed: (path: EnginePath) => boolean,
): { readonly alerts: GrowthVerdict['alerts']; readonly record: GrowthRecord } {
  const { past, alerted, released } = input.growth ?? noGrowthContext;
  const { decisions, growth, remote } = comparison;
  const content = decisions.flatMap((decision) => {
    if (decision.kind === 'write') return [decision.entry.size];
    return decision.kind === 'hold' && decision.change !== 'delete' ? [decision.size] : [];
  });
  const removed = decisions.flatMap((decision) => (decision.kind === 'remove' ? [{ path: decision.path, bytes: decision.size }] : []));
  const skills = [...remote.files.values()].reduce((sum: number, { size }: FileEntry) => sum + size, 0);
  const others = teardownAlerts({ refused: ledger.refused, skills, incoming: tally(content), removed, past, alerted });
  const broken = decisions.flatMap(({ kind, path }) => (kind === 'write' && failed(path) ? [path] : []));
  const spent = released.flatMap(({ path }) => (broken.some((one) => isWithin(one, path)) ? [] : [path]));
  return { alerts: [...growth.alerts, ...others.alerts], record: { held: growth.held, spent, alerted: others.alerted } };
}
