import type { Params } from '../../shared/contract';
import { AppError } from '../../shared/errors';
import type { SideName } from '../../shared/inspection';
import { leftoverPaths, planClean } from '../hygiene/clean';
import { type LookedSide, type PreparedPlan, planPrune } from '../hygiene/prune';

/** What tells a prune from a clean. */
export interface Task {
  readonly kind: 'prune' | 'clean';
  readonly sides: readonly SideName[];
  readonly check: boolean;
  readonly apply: boolean;
  readonly purge: boolean;
  readonly expected: string | null;
  /** What a survey looks at beside the restore points. */
  paths(looked: Pick<LookedSide, 'side' | 'inspected'>): readonly string[];
  prepare(looked: readonly LookedSide[], now: number): PreparedPlan;
}

/** Old restore points go. */
export function pruneTask(request: Omit<Params<'prune'>, 'connection'>): Task {
  const { side, keep, keepRecent = false, includeRemoteOwn = false } = request;
  return {
    ...{ kind: 'prune', check: request.check === true, apply: request.apply, purge: request.purge === true },
    sides: sidesOf(side),
    expected: request.plan ?? null,
    paths: () => [],
    prepare: (looked, now) => planPrune(looked, { keep, keepRecent, includeRemoteOwn }, now),
  };
}

/** Leftovers go that were chosen. Fails with `usage.invalid` when it is to be carried out and nothing was chosen. */
export function cleanTask(request: Omit<Params<'clean'>, 'connection'>): Task {
  const { all, only, apply } = request;
  if (apply && !all && only.length === 0) {
    throw new AppError('usage.invalid', { what: 'Nothing is chosen to be cleaned up; choose with --only <path> or --all.' });
  }
  return {
    ...{ kind: 'clean', check: false, apply, purge: request.purge === true },
    sides: sidesOf(request.side),
    expected: request.plan ?? null,
    paths: leftoverPaths,
    prepare: (looked) => {
      const paths = looked.flatMap(leftoverPaths);
      const unknown = only.find((path) => !paths.includes(path));
      if (unknown !== undefined) throw new AppError('usage.invalid', { what: `"${unknown}" is none of the listed leftovers.` });
      return planClean(looked, { all, only });
    },
  };
}

function sidesOf(side: SideName | 'both'): readonly SideName[] {
  return side === 'both' ? ['local', 'remote'] : [side];
}
