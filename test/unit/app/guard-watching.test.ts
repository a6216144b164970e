import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGuard, type Guarding } from '../../../electron/app/guard';
import { guardRecords } from '../../../electron/app/guard-records';
import { openHistory } from '../../../electron/app/history';
import { noGrowthContext } from '../../../electron/engine/growth-context';
import { watchHome } from '../../../electron/hygiene/watch';
import { openStateFile } from '../../../electron/store/state-file';
import type { Connection } from '../../../shared/connection';
import { createRules } from '../../../shared/rules';
import { makeTempFolder, removeTempFolder } from '../../support/tree';

const rules = createRules({ platform: 'posix', folds: { case: false, unicode: false } });
const connection = { id: 'c', name: 'box', profile: null } as Connection;
const limit = Object.assign(new Error('ENOSPC: System limit for number of file watchers reached'), { code: 'ENOSPC' });

describe('a home that is watched', () => {
  let folder: string;
  let guard: Guarding;
  beforeEach(async () => {
    folder = await makeTempFolder('guard');
    await mkdir(join(folder, 'home/skills'), { recursive: true });
  });
  afterEach(async () => {
    await guard.stop();
    await removeTempFolder(folder);
  });

  /** Guard mode over one home; `broken`: nothing can be watched by events. */
  async function make({ broken }: { readonly broken: boolean }): Promise<{ readonly changed: Promise<void> }> {
    let tell: () => void = () => undefined;
    const changed = new Promise<void>((resolve) => {
      tell = resolve;
    });
    guard = createGuard({
      state: await openStateFile(join(folder, 'state.json')),
      records: guardRecords(join(folder, 'guard')),
      copies: join(folder, 'hub-lock'),
      history: openHistory(join(folder, 'history.jsonl')),
      growth: { context: async () => noGrowthContext },
      runs: { isRunning: () => false, runOwn: () => expect.fail('nothing is run') },
      isOn: () => true,
      connections: () => [connection],
      homeOf: () => join(folder, 'home'),
      rulesFor: async () => rules,
      isHeld: async () => false,
      lockHome: async () => ({ release: async () => undefined }),
      watchHome: async (request) =>
        watchHome(
          broken
            ? {
                ...request,
                open: () => {
                  throw limit;
                },
              }
            : request,
        ),
      changed: tell,
      now: Date.now,
    });
    return { changed };
  }
  const watched = () => guard.view().homes.map(({ watch }) => watch);

  it('is watched by nobody until that begins and after it ended, and by events in between', async () => {
    await make({ broken: false });
    expect(watched()).toEqual(['none']);
    guard.start();
    expect(watched()).toEqual(['events']);
    await guard.stop();
    expect(watched()).toEqual(['none']);
  });

  it('is said to be watched by the rescan alone when no events can be had', async () => {
    const { changed } = await make({ broken: true });
    guard.start();
    await changed;
    expect(watched()).toEqual(['rescan']);
  });
});
