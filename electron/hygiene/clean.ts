import type { PlanReason } from '../../shared/plan';
import { isRebuildable } from './leftovers';
import { type DecidedEntry, type LookedSide, nameOf, type PreparedPlan, preparePlan } from './prune';
import { backupsFolder, type SurveyedEntry } from './prune-side';

/** What of the listed leftovers goes. */
export interface CleanChoice {
  readonly all: boolean;
  /** Paths of the plan's lines. */
  readonly only: readonly string[];
}

/** Paths that a clean has to look at: the excluded folders that older pushes left and that can be made again. */
export function leftoverPaths(inspected: LookedSide['inspected']): readonly string[] {
  return inspected.trees.filter(({ name }) => isRebuildable(name)).map(({ path }) => path);
}

/** Plans which leftovers on the remote go: nothing unless it was chosen, and never what cannot be made again. */
export function planClean({ inspected, survey }: LookedSide, { all, only }: CleanChoice): PreparedPlan {
  const offered = new Set(leftoverPaths(inspected));
  const entries = survey.entries.filter(({ path }) => !path.startsWith(`${backupsFolder}/`));
  const decided = entries.map((entry): DecidedEntry => {
    const wanted = all || only.includes(entry.path);
    const kept = reasonToKeep(entry, offered.has(entry.path), wanted);
    const line = { side: 'remote' as const, id: entry.path, entry };
    return kept === null ? { ...line, decision: 'remove', reason: 'chosen' } : { ...line, decision: 'keep', reason: kept };
  });
  return preparePlan(['clean'], decided);
}

function reasonToKeep(entry: SurveyedEntry, offered: boolean, wanted: boolean): PlanReason | null {
  if (entry.kind === 'link') return 'link';
  if (!offered || entry.kind !== 'folder' || !isRebuildable(nameOf(entry))) return 'not-rebuildable';
  if (!wanted) return 'not-chosen';
  return entry.stamp === null ? 'unreadable' : null;
}
