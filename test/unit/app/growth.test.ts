import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDecisions, type Decisions } from '../../../electron/app/decisions';
import { createGrowthBook, type GrowthBook } from '../../../electron/app/growth';
import { type History, openHistory } from '../../../electron/app/history';
import { type Inbox, openInbox } from '../../../electron/app/inbox';
import { nothingAlerted } from '../../../electron/engine/alerts';
import type { GrowthRecord, HeldSubtree } from '../../../electron/engine/growth-context';
import { connectionStore } from '../../../electron/store/connections';
import { openStateFile, type StateFile } from '../../../electron/store/state-file';
import type { RunReport } from '../../../shared/run-report';
import { makeTempFolder, removeTempFolder } from '../../support/tree';
import { emptyLedger, runReport } from './reports';
import { connectionNamed } from './run-place';

const MB = 1_000_000;
const now = Date.parse('2026-06-01T12:00:00.000Z');
const path = 'skills/web/.npm';

let folder: string;
let state: StateFile;
let history: History;
let inbox: Inbox;
let book: GrowthBook;
let decisions: Decisions;
let connection: string;
let other: string;

async function open(): Promise<void> {
  state = await openStateFile(join(folder, 'state.json'), () => now);
  inbox = await openInbox(join(folder, 'inbox'));
  history = openHistory(join(folder, 'history.jsonl'), { now: () => now });
  book = createGrowthBook({ state, history, inbox, now: () => now });
  decisions = createDecisions(state, () => now);
}

beforeEach(async () => {
  folder = await makeTempFolder('growth');
  await open();
  const [one, two] = [connectionNamed('one'), connectionNamed('two')];
  for (const added of [one, two]) await connectionStore(state).add(added);
  [connection, other] = [one.id, two.id];
});
afterEach(() => removeTempFolder(folder));

function held(changes: Partial<HeldSubtree> = {}): HeldSubtree {
  const amount = { files: 60, bytes: 60 * MB };
  return { path, ...amount, newest: null, rule: 'folder', reason: 'too much', ...changes };
}

function record(changes: Partial<GrowthRecord> = {}): GrowthRecord {
  return { held: [], spent: [], alerted: nothingAlerted, ...changes };
}

function teardown(bytes: number, changes: Partial<RunReport> = {}): RunReport {
  return runReport({
    ...{ connection: { id: connection, name: 'one' }, startedAt: '2026-05-01T00:00:00.000Z' },
    remote: { user: 'u', host: 'h', port: 22, hostKey: null, home: '/home/u/.hermes' },
    ledger: { ...emptyLedger, written: { files: 1, bytes } },
    ...changes,
  });
}

const item = () => ({ connection, path, bytes: 60 * MB });

describe('what is usual', () => {
  it('is what the last ten finished teardowns of the connection brought home, newest first', async () => {
    for (let bytes = 1; bytes <= 12; bytes += 1) await history.append(teardown(bytes, { outcome: bytes % 2 === 0 ? 'held' : 'done' }));
    const { past } = await book.context(connection);
    expect(past.map(({ incoming }) => incoming.bytes)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
    expect((await book.context(other)).past).toEqual([]);
  });

  it('leaves out pushes, previews, and teardowns that did not end', async () => {
    await history.append(teardown(1));
    await history.append(teardown(2, { kind: 'push' }));
    await history.append(teardown(3, { kind: 'preview' }));
    for (const outcome of ['stopped', 'failed', 'interrupted'] as const) await history.append(teardown(4, { outcome }));
    await history.append(teardown(5, { remote: { ...teardown(5).remote, home: null } }));
    expect((await book.context(connection)).past.map(({ incoming }) => incoming.bytes)).toEqual([1]);
  });

  it('takes bookkeeping that was not counted to the end for unknown', async () => {
    const refused = {
      files: 2,
      bytes: 9,
      byRule: { 'excluded-name': { files: 2, bytes: 9 } },
      byTree: { '.curator_backups': { files: 1, bytes: 4 } },
    };
    await history.append(teardown(1, { ledger: { ...emptyLedger, refused: { ...refused, estimated: true } } }));
    await history.append(teardown(2, { ledger: { ...emptyLedger, refused: { ...refused, estimated: false } } }));
    const { past } = await book.context(connection);
    expect(past.map(({ bookkeeping, restorePoints }) => [bookkeeping, restorePoints])).toEqual([
      [9, 4],
      [null, null],
    ]);
  });
});

describe('a connection without a past', () => {
  it('has nothing usual, expected, decided or alerted about', async () => {
    expect(await book.context(connection)).toEqual({
      past: [],
      expected: [],
      released: [],
      declined: [],
      held: [],
      alerted: nothingAlerted,
    });
  });
});

describe('a held subtree', () => {
  it('is known by its inbox item, and only that kind of item', async () => {
    const added = { connection, bytes: 1, createdAt: '2026-05-01T00:00:00.000Z', reason: 'why', local: null, remote: null };
    await inbox.put({ ...added, kind: 'growth', path }, null);
    await inbox.put({ ...added, kind: 'review', path: 'skills/new/SKILL.md' }, null);
    await inbox.put({ ...added, kind: 'growth', path: 'skills/b', connection: other }, null);
    expect((await book.context(connection)).held).toEqual([path]);
  });

  it('is released with the figures it was held with, across a restart', async () => {
    await book.record(connection, record({ held: [held()] }));
    await open();
    await book.release(item());
    await open();
    const { released, declined, expected } = await book.context(connection);
    expect([released, declined, expected]).toEqual([[{ path, files: 60, bytes: 60 * MB, newest: null }], [], []]);
    expect((await book.context(other)).released).toEqual([]);
  });

  it('is declined with the time of its newest file, where only its files count', async () => {
    await book.record(connection, record({ held: [held({ newest: 77 })] }));
    await book.decline(item());
    expect((await book.context(connection)).declined).toEqual([{ path, files: 60, bytes: 60 * MB, newest: 77 }]);
  });

  it('takes the last of two opposite decisions', async () => {
    await book.record(connection, record({ held: [held()] }));
    await book.decline(item());
    await book.release(item());
    expect(decisions.list(connection).map(({ choice }) => choice)).toEqual(['growth-release']);
  });

  it('is expected whole, with the figures it was held with, beside others', async () => {
    const small = { path: 'skills/small', files: 1, bytes: 30 * MB };
    await book.record(connection, record({ held: [held({ newest: 77 }), held(small)] }));
    await book.expect(item());
    await book.expect({ ...item(), path: small.path });
    expect((await book.context(connection)).expected).toEqual([
      { path, files: 60, bytes: 60 * MB, newest: null },
      { ...small, newest: null },
    ]);
    expect((await book.context(other)).expected).toEqual([]);
  });

  it('counts by its item alone when its figures were lost', async () => {
    await book.expect(item());
    expect((await book.context(connection)).expected).toEqual([{ path, files: 1, bytes: 60 * MB, newest: null }]);
  });

  it('can be decided about again once a decision was taken back', async () => {
    await book.record(connection, record({ held: [held()] }));
    await book.expect(item());
    await decisions.revoke(decisions.list(connection)[0]?.id ?? '');
    expect((await book.context(connection)).expected).toEqual([]);
  });
});

describe('after a teardown', () => {
  it('a release that was carried out is gone, and others stay', async () => {
    await book.record(connection, record({ held: [held(), held({ path: 'skills/b' })] }));
    await book.release(item());
    await book.release({ ...item(), path: 'skills/b' });
    await book.record(connection, record({ spent: [path] }));
    expect((await book.context(connection)).released.map((mark) => mark.path)).toEqual(['skills/b']);
  });

  it('a declined subtree that is asked about again is no longer declined', async () => {
    await book.record(connection, record({ held: [held()] }));
    await book.decline(item());
    await book.record(connection, record());
    expect((await book.context(connection)).declined).toHaveLength(1);
    await book.record(connection, record({ held: [held({ bytes: 90 * MB })] }));
    expect((await book.context(connection)).declined).toEqual([]);
  });

  it('what was alerted about is remembered for its connection, across a restart', async () => {
    const alerted = { bookkeeping: 24 * MB, restorePoints: null };
    await book.record(connection, record({ alerted }));
    await open();
    expect((await book.context(connection)).alerted).toEqual(alerted);
    expect((await book.context(other)).alerted).toEqual(nothingAlerted);
  });

  it('nothing is kept of a connection that is gone', async () => {
    await book.record(connection, record({ held: [held()] }));
    await book.release(item());
    await connectionStore(state).remove(connection);
    await book.record(other, record({ held: [held()] }));
    await book.release(item());
    expect(state.state.decisions).toEqual([]);
    expect(Object.keys(state.state.growth ?? {})).toEqual([other]);
  });
});
