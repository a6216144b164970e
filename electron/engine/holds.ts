import type { AgreedEntry, EnginePath } from './entry';
import { detectGrowth, type GrowthVerdict, nothingHeld, subtreeAround } from './growth';
import { type GrowthContext, noGrowthContext } from './growth-context';
import { type PlannedFile, parentOf } from './growth-tree';
import { type Decision, skillFolders } from './reconcile';
import type { RunInput } from './run';
import type { Scan } from './scan';
import { inTurns } from './turns';

interface Sides {
  readonly local: Scan;
  readonly remote: Scan;
  readonly agreed: ReadonlyMap<EnginePath, AgreedEntry>;
}

/** Looks at what a sync-back would download, before it does. */
export async function detectHolds(input: RunInput, decisions: readonly Decision[], sides: Sides): Promise<GrowthVerdict> {
  const { past, ...decided } = input.growth ?? noGrowthContext;
  const planned: PlannedFile[] = [];
  await inTurns(decisions, (decision) => {
    if (bringsContent(input, decision, sides)) planned.push(plannedFile(decision.path, sides));
  });
  if (planned.length === 0) return nothingHeld;
  const knownFolders = new Set<EnginePath>(input.roots);
  for (const paths of [sides.local.files.keys(), sides.agreed.keys()])
    await inTurns(paths, (path) => {
      for (let at = parentOf(path); at !== '' && !knownFolders.has(at); at = parentOf(at)) knownFolders.add(at);
    });
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
      const subtree = subtreeAround(path, [...subtrees, ...verdict.explained]);
      return subtree === null || !subtrees.includes(subtree) ? decision : { kind: 'hold', path, change: 'delete', subtree, size: 0 };
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
