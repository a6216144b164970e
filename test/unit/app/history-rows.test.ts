import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type History, openHistory } from '../../../electron/app/history';
import { findRun, rowsOf } from '../../../electron/app/history-rows';
import { makeTempFolder, removeTempFolder } from '../../support/tree';
import { emptyLedger, runReport } from './reports';

let folder: string;
let history: History;
beforeEach(async () => {
  folder = await makeTempFolder('history-rows');
  history = openHistory(join(folder, 'history.jsonl'), { now: () => Date.parse('2026-01-02T00:00:00.000Z') });
  const path = { path: 'skills/Notes/today.md', outcome: 'written', change: 'create', bytes: 7, reason: '' } as const;
  await history.append(runReport({ id: 'first', paths: [path], ledger: { ...emptyLedger, written: { files: 1, bytes: 7 } } }));
  await history.append(runReport({ id: 'second', connection: { id: 'b', name: 'attic' } }));
  const error = { code: 'ssh.refused', message: 'h refused the connection.', details: {} };
  await history.append(runReport({ id: 'third', outcome: 'failed', error }));
});
afterEach(() => removeTempFolder(folder));

const ids = async (query: Parameters<typeof rowsOf>[1]) => (await rowsOf(history, query)).map(({ run }) => run);

describe('the rows of the history', () => {
  it('hold what a list shows, newest first', async () => {
    expect((await rowsOf(history, {})).at(-1)).toEqual({
      ...{ run: 'first', kind: 'sync-back', connection: { id: 'a', name: 'box' }, endedAt: '2026-01-01T00:00:01.500Z' },
      ...{ outcome: 'done', written: 7, removed: 0, refused: 0 },
    });
    expect(await ids({})).toEqual(['third', 'second', 'first']);
    expect(await ids({ connection: 'a', limit: 1 })).toEqual(['third']);
  });

  it.each([
    ['a path, in any case', 'notes/TODAY', ['first']],
    ['a message', 'refused', ['third']],
    ['a connection', 'attic', ['second']],
    ['words of which each occurs', 'box refused', ['third']],
    ['nothing that occurs', 'box attic', []],
    ['blanks', '  ', ['third', 'second', 'first']],
  ])('are searched for %s', async (_what, search, found) => {
    expect(await ids({ search })).toEqual(found);
  });

  it('are limited after they were searched', async () => {
    expect(await ids({ search: 'today', limit: 1 })).toEqual(['first']);
  });
});

describe('one run', () => {
  it('is found whole by its id', async () => {
    expect(await findRun(history, 'second')).toEqual(runReport({ id: 'second', connection: { id: 'b', name: 'attic' } }));
  });

  it('that is not kept is refused in words', async () => {
    await expect(findRun(history, 'none')).rejects.toMatchObject({ code: 'history.unknown', details: { id: 'none' } });
  });
});
