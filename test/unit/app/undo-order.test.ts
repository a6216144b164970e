import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ApplicationParts, createHandlers } from '../../../electron/app/application';
import { openHistory } from '../../../electron/app/history';
import { createEventHub } from '../../../electron/ipc/gate';
import { makeTempFolder, removeTempFolder } from '../../support/tree';
import { runReport } from './reports';

const earlier = '2026-04-30T12-00-00-000Z-aaaaaa';
const later = '2026-05-01T12-00-00-000Z-bbbbbb';

let folder: string;
beforeEach(async () => {
  folder = await makeTempFolder('undo');
});
afterEach(() => removeTempFolder(folder));

/** Which run an undo takes back, given what can be taken back and the ids in the history, oldest first. */
async function undone(kept: { readonly removals: readonly string[]; readonly changed: string | null }, past: readonly string[]) {
  const history = openHistory(join(folder, 'history.jsonl'), { now: () => Date.parse('2026-05-02T00:00:00.000Z') });
  for (const id of past) await history.append(runReport({ id }));
  let taken = '';
  const take = async (what: string) => {
    taken = what;
    return runReport({ kind: 'undo' });
  };
  const parts = {
    connections: { find: () => ({ id: 'a', name: 'box' }) },
    undoer: {
      newest: async () => kept.changed && { run: kept.changed, kind: 'sync-back', time: '2026-05-01T12:00:00.000Z' },
      undo: () => take('run'),
    },
    prunes: {
      told: async () => undefined,
      removed: async () => kept.removals.map((run) => ({ run })),
      undo: (_connection: unknown, { run }: { readonly run: string }) => take(`prune ${run}`),
    },
    ...{ history, events: createEventHub(), notes: [] },
  };
  await createHandlers(parts as unknown as ApplicationParts).undo({ connection: 'box' });
  return taken;
}

describe('the run that an undo takes back', () => {
  it('is the last in the history, also where the clock was set back before it', async () => {
    expect(await undone({ removals: [later], changed: earlier }, [later, earlier])).toBe('run');
    expect(await undone({ removals: [earlier], changed: later }, [later, earlier])).toBe(`prune ${earlier}`);
    expect(await undone({ removals: [later, earlier], changed: null }, [later, earlier])).toBe(`prune ${earlier}`);
  });

  it('is the one of the later time where the history does not name both', async () => {
    expect(await undone({ removals: [later], changed: earlier }, [earlier])).toBe(`prune ${later}`);
    expect(await undone({ removals: [earlier], changed: later }, [])).toBe('run');
  });

  it('is for the undoer to say when there is none', async () => {
    expect(await undone({ removals: [], changed: null }, [])).toBe('run');
  });
});
