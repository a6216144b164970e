import type { InspectedSide, TreeSize } from '../../shared/inspection';
import { fill } from '../../shared/phrase';
import { pathPhrases } from '../../shared/phrases/paths';

/** Something that was left behind, with its size, as one side showed it. `path` is as inspection shows it. */
export interface FoundLeftover {
  readonly path: string;
  readonly bytes: number;
  readonly cause: 'rollback' | 'sync-back';
}

/**
 * The shape of those excluded names that a package manager or test runner fills and can fill again. What else is excluded is
 * somebody's state (version control, the hub, the curator), and a name that Hermes adds later counts as state until known.
 */
const rebuildable = /^(\.?venv|node_modules|site-packages|__pycache__|\.[nt]ox|\..+_cache)$/;

const reasons: Readonly<Record<FoundLeftover['cause'], string>> = {
  rollback: pathPhrases['rollback-left'],
  'sync-back': pathPhrases['sync-back-left'],
};

/** True for a tree that holds nothing but what can be installed or computed again. */
export function isRebuildable(treeName: string): boolean {
  return rebuildable.test(treeName);
}

/** What can be cleaned on a remote apart from restore points: rebuildable trees, then the remains of broken runs. */
export function describeLeftovers(
  side: 'local' | 'remote',
  trees: readonly TreeSize[],
  found: readonly FoundLeftover[],
): InspectedSide['leftovers'] {
  // On this computer they are the user's own working folders, not something that a push left.
  const pushed = side === 'local' ? [] : trees.filter(({ name }) => isRebuildable(name));
  return [
    ...pushed.map(({ path, bytes, name }) => ({ path, bytes, reason: fill(pathPhrases['pushed-before'], { name }) })),
    ...found.map(({ path, bytes, cause }) => ({ path, bytes, reason: reasons[cause] })),
  ];
}

/** True for the curator's staging directories in `skills/.curator_backups`. */
export function isRollbackStaging(name: string): boolean {
  return name.startsWith('.rollback-staging-');
}

/** The process that made a `hermes-sync-back-<pid>-*` in the temporary folder; null when the name is none of those. */
export function syncBackOwner(name: string): number | null {
  const match = /^hermes-sync-back-([1-9]\d{0,9})-/.exec(name);
  return match === null ? null : Number(match[1]);
}
