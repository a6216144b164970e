import { join } from 'node:path';
import type { Measured, Tool } from './tools';
import { addBig, addBookkeeping, type Edited, editBig, editSome, editUnseen, hasArrived, sameTrees, touchAll } from './trees';

export type ScenarioName = 'nothing' | 'changed' | 'stale' | 'unseen' | 'touched' | 'big' | 'push-nothing' | 'push-changed' | 'first-push';

/** The skills of one tool's two homes. */
export interface Skills {
  readonly local: string;
  readonly remote: string;
}

export interface Scenario {
  readonly title: string;
  /** Once for each pair of homes, before the first round. */
  readonly arrange?: (skills: Skills, seed: number) => void;
  /** One round, measured once. Tells whether the other side has what changed. */
  round(tool: Tool, skills: Skills, round: number, removes: boolean): Promise<Measured & { readonly noticed: boolean }>;
}

const seedOffset = 7;

/** The remote changes, then the work comes home. */
function comesHome(title: string, edit: (folder: string, round: number) => Edited, arrange?: Scenario['arrange']): Scenario {
  return {
    title,
    ...(arrange === undefined ? {} : { arrange }),
    round: async (tool, { local, remote }, round, removes) => {
      await tool.settle();
      const edited = edit(remote, round);
      const measured = await tool.pull();
      return { ...measured, noticed: hasArrived(local, edited, removes) };
    },
  };
}

/** The local side changes, then it goes out. */
function goesOut(title: string, edit: (folder: string, round: number) => Edited): Scenario {
  return {
    title,
    round: async (tool, { local, remote }, round, removes) => {
      await tool.settle();
      const edited = edit(local, round);
      const measured = await tool.push();
      return { ...measured, noticed: hasArrived(remote, edited, removes) };
    },
  };
}

const nothing = (): Edited => new Map();

/** What is measured, in the order in which it runs: each leaves both sides agreed. */
export const scenarios: Readonly<Record<ScenarioName, Scenario>> = {
  nothing: comesHome('teardown, nothing changed', nothing),
  'push-nothing': goesOut('push, nothing changed', nothing),
  changed: comesHome('teardown, 10 changed, 2 new, 1 removed', editSome),
  'push-changed': goesOut('push, 10 changed, 2 new, 1 removed', (folder, round) => editSome(folder, round + 40)),
  unseen: comesHome('teardown, same-size edit with its time put back', editUnseen),
  touched: comesHome('teardown, every file touched', touchAll),
  // On both sides: one that is new here would be held for its size, and nothing would travel.
  big: comesHome('teardown, 1 kB changed in a 20 MB file', editBig, ({ local, remote }, seed) => {
    for (const side of [local, remote]) addBig(side, seed + seedOffset);
  }),
  stale: comesHome(
    'first teardown with 24 MB of restore points, a stale hub lock and a 200 MB node_modules',
    (folder, round) => editSome(folder, round + 80),
    ({ remote }, seed) => addBookkeeping(remote, seed + seedOffset),
  ),
  'first-push': {
    title: 'first push',
    round: async (tool, { local, remote }) => {
      await tool.forget();
      const measured = await tool.push();
      return { ...measured, noticed: sameTrees(local, join(remote)) };
    },
  },
};
