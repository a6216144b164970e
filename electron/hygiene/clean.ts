import { basename } from 'node:path';
import type { SideName } from '../../shared/inspection';
import type { PlanReason } from '../../shared/plan';
import { isRebuildable, syncBackOwner } from './leftovers';
import { type DecidedEntry, type LookedSide, nameOf, type PreparedPlan, preparePlan } from './prune';
import { backupsFolder, type SurveyedEntry } from './prune-side';

/** What of the listed leftovers goes. */
export interface CleanChoice {
  readonly all: boolean;
  /** Paths of the plan's lines. */
  readonly only: readonly string[];
}

/**
 * Paths that a clean has to look at: on the remote the excluded folders that older pushes left and that can be made again, on this
 * computer what killed sync-backs of Hermes left. Excluded folders here are the user's own working folders.
 */
export function leftoverPaths({ side, inspected }: Pick<LookedSide, 'side' | 'inspected'>): readonly string[] {
  if (side === 'local') return inspected.leftovers.map(({ path }) => path).filter((path) => syncBackOwner(basename(path)) !== null);
  return inspected.trees.filter(({ name }) => isRebuildable(name)).map(({ path }) => path);
}

/** Reasons of a line that can go, by side: while it is open, and when it is chosen. */
const reasons: Readonly<Record<SideName, readonly [PlanReason, PlanReason]>> = {
  local: ['sync-back', 'sync-back'],
  remote: ['not-chosen', 'chosen'],
};

/** Plans which leftovers go: nothing unless it was chosen. The fingerprint is of what was found, whatever was chosen of it. */
export function planClean(sides: readonly LookedSide[], { all, only }: CleanChoice): PreparedPlan {
  const found = sides.flatMap((looked) => {
    const offered = new Set(leftoverPaths(looked));
    const entries = looked.survey.entries.filter(({ path }) => !path.startsWith(`${backupsFolder}/`));
    return entries.map((entry) => ({ side: looked.side, entry, never: whyNever(looked.side, entry, offered.has(entry.path)) }));
  });
  const decided = found.map(({ side, entry, never }): DecidedEntry => {
    const line = { side, id: entry.path, entry };
    if (never !== null) return { ...line, decision: 'keep', reason: never };
    const [open, chosen] = reasons[side];
    return all || only.includes(entry.path) ? { ...line, decision: 'remove', reason: chosen } : { ...line, decision: 'keep', reason: open };
  });
  return preparePlan(['clean', found], decided);
}

/** Why something stays whatever is chosen; null when it may go. */
function whyNever(side: SideName, entry: SurveyedEntry, offered: boolean): PlanReason | null {
  if (entry.kind === 'link') return 'link';
  // A sync-back leaves folders and archives.
  const isCleanable = entry.kind === 'folder' || (side === 'local' && entry.kind === 'file');
  if (!offered || !isCleanable || (side === 'remote' && !isRebuildable(nameOf(entry)))) return 'not-rebuildable';
  return entry.stamp === null ? 'unreadable' : null;
}
