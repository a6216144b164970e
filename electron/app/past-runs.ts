import type { RunReport } from '../../shared/run-report';

/**
 * The id of the run that was last. The history tells, whose order no clock decides; the time in the id only where it does not name
 * both, as when a process ended before it could tell of its run.
 */
export function lastOf(ids: readonly string[], newestFirst: readonly RunReport[]): string | null {
  const places = new Map(newestFirst.map(({ id }, index) => [id, index]));
  const isLater = (one: string, other: string): boolean => {
    const [place, otherPlace] = [places.get(one), places.get(other)];
    return place === undefined || otherPlace === undefined ? one > other : place < otherPlace;
  };
  return ids.reduce<string | null>((last, id) => (last === null || isLater(id, last) ? id : last), null);
}

/** Runs that no session is about. */
const aside: ReadonlySet<RunReport['kind']> = new Set(['resolve', 'undo', 'prune', 'clean', 'put-back']);

/** Whether a run is the last that did something here, apart from sessions that wrote nothing. */
export function wasLastHere(run: string, newestFirst: readonly RunReport[]): boolean {
  const at = newestFirst.findIndex(({ id }) => id === run);
  const later = at === -1 ? newestFirst.filter(({ id }) => id > run) : newestFirst.slice(0, at);
  return !later.some(({ kind, paths }) => aside.has(kind) && paths.some(({ outcome }) => outcome !== 'failed'));
}

/**
 * The last run, and the last sync-back that reached the remote; from newest to oldest. What no session is about counts only while it
 * is the very last and was cut off: nobody was told of that one yet.
 */
export function latest(runs: readonly RunReport[]): { lastRun: RunReport | null; lastTeardown: RunReport | null } {
  const teardown = runs.find(({ kind, remote, outcome }) => kind === 'sync-back' && remote.home !== null && outcome !== 'stopped');
  return {
    lastRun: runs.find((run, index) => !aside.has(run.kind) || (index === 0 && wasCutOff(run))) ?? null,
    lastTeardown: teardown ?? null,
  };
}

/** Whether its process ended in the middle of it. Who cancelled a run knows of it. */
function wasCutOff({ outcome, error }: RunReport): boolean {
  return outcome === 'interrupted' && error === null;
}
