import { applyGroup, type ChangeState, removeEmptied, stateOf, takeBack } from './apply-group';
import { type Disk, parentsOf, problemOf } from './disk';
import type { EnginePath } from './entry';
import type { ChangeGroup } from './groups';
import type { ReadJournal } from './journal';
import { describeSaved, type GoneFolder, type Saved, type SavedChange } from './saved-change';

/** What became of a run whose process is gone. */
export interface Recovered {
  /** In place now, whoever finished it. */
  readonly saved: Saved;
  /** Of these, what was still to be done when the process went. */
  readonly finished: readonly EnginePath[];
  /** Begun, and put back as it was. */
  readonly undone: readonly EnginePath[];
  /** Neither old nor new, with the reason: the user changed it since, or the disk failed. */
  readonly left: ReadonlyMap<EnginePath, string>;
  /** False: the disk failed, or is not there. The journal and everything it speaks of have to stay for another try. */
  readonly isComplete: boolean;
}

/** What there is to say of a run that changed nothing. */
export const nothingToRecover: Recovered = {
  saved: { changes: [], folders: [] },
  finished: [],
  undone: [],
  left: new Map(),
  isComplete: true,
};

class Recovery {
  readonly changes: SavedChange[] = [];
  readonly folders: GoneFolder[] = [];
  readonly finished: EnginePath[] = [];
  readonly undone: EnginePath[] = [];
  readonly left = new Map<EnginePath, string>();
  isComplete = true;

  constructor(
    private readonly disk: Disk,
    private readonly goesOn: boolean,
  ) {}

  async group(group: ChangeGroup): Promise<void> {
    const { changes } = group;
    const states = new Map<EnginePath, ChangeState>();
    for (const change of changes) states.set(change.path, await stateOf(this.disk, change));
    const all = [...states.values()];
    if (all.every((state) => state === 'done')) {
      await removeEmptied(this.disk, changes);
      return this.#keep(group);
    }
    const isBegun = all.some((state) => state === 'saved' || state === 'done');
    if (!isBegun && !(this.goesOn && all.every((state) => state === 'untouched'))) return;
    const result = await applyGroup(this.disk, group, states);
    if (result.kind === 'done') {
      this.finished.push(...changes.flatMap(({ path }) => (states.get(path) === 'done' ? [] : [path])));
      return this.#keep(group);
    }
    this.isComplete &&= result.isWhole;
    if (isBegun) return this.#lookAtRest(group);
    for (const [path, reason] of result.problems) this.left.set(path, reason);
  }

  /** A group that could be neither finished nor, perhaps, put back whole. */
  async #lookAtRest(group: ChangeGroup): Promise<void> {
    const stuck = await takeBack(this.disk, group);
    for (const { path } of group.changes) {
      const reason = stuck.get(path)?.reason;
      if (reason === undefined) this.undone.push(path);
      else this.left.set(path, reason);
    }
  }

  async #keep(group: ChangeGroup): Promise<void> {
    const saved = await describeSaved(this.disk, group);
    this.changes.push(...saved.changes);
    this.folders.push(...saved.folders);
  }
}

/**
 * Brings every group of an apply whose process is gone to one of its two ends, without the remote: a group that was begun is
 * finished if all its staged content is there and its targets are still what they were; otherwise it is put back, never over a
 * file that changed since. Groups that were not begun stay untouched, unless `goesOn`. Calling it again changes nothing more.
 * `onProgress` hears of the files looked after so far.
 */
export async function recover(
  disk: Disk,
  journal: ReadJournal,
  goesOn: boolean,
  onProgress: (done: number, total: number) => void = () => undefined,
): Promise<Recovered> {
  const { groups, ended, head } = journal;
  if (groups === null || ended) return nothingToRecover;
  const recovery = new Recovery(disk, goesOn);
  const touched = new Set(groups.flatMap(({ changes }) => changes.flatMap(({ path }) => parentsOf(path))));
  // Kept until the next start if this fails; they bother nobody.
  await disk.dropTemporaries([...touched], head.pid).catch(() => undefined);
  const total = groups.reduce((sum, { changes }) => sum + changes.length, 0);
  let done = 0;
  for (const group of groups) {
    onProgress(done, total);
    done += group.changes.length;
    try {
      await recovery.group(group);
    } catch (error) {
      recovery.isComplete = false;
      for (const { path } of group.changes) recovery.left.set(path, problemOf(error));
    }
  }
  // As at the end of an apply: what is in place is in place.
  for (const folder of touched) await disk.syncFolder(folder).catch(() => undefined);
  const { changes, folders, finished, undone, left, isComplete } = recovery;
  return { saved: { changes, folders }, finished, undone, left, isComplete };
}
