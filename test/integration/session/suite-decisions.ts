import { expect, it } from 'vitest';
import { exitCodeOf } from '../../../electron/cli/run-commands';
import { outcomesOf, pathsOf, type SessionPlace, storedInInbox } from '../../support/session';

/** Files nobody touches, so that the guards against large deletions stay quiet. */
const quiet = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`skills/quiet/file-${index}.md`, `quiet ${index}\n`]));

/** One row of the table: what the baseline, this computer and the remote hold, and what a sync-back and the next push make of it. */
interface Row {
  readonly name: string;
  readonly states: readonly [baseline: string | null, local: string | null, remote: string | null];
  readonly back: string | null;
  readonly local: string | null;
  readonly pushed: string | null;
  readonly remote: string | null;
}

const A = 'first\n';
const B = 'second, longer\n';
const C = 'third, longer still\n';

const rows: readonly Row[] = [
  { name: 'only here, new', states: [null, B, null], back: null, local: B, pushed: 'written', remote: B },
  { name: 'only there, new', states: [null, null, B], back: 'written', local: B, pushed: null, remote: B },
  { name: 'new on both sides, equal', states: [null, B, B], back: null, local: B, pushed: null, remote: B },
  { name: 'new on both sides, different', states: [null, B, C], back: 'conflict', local: B, pushed: 'conflict', remote: C },
  { name: 'untouched', states: [A, A, A], back: null, local: A, pushed: null, remote: A },
  { name: 'edited there', states: [A, A, B], back: 'written', local: B, pushed: null, remote: B },
  { name: 'edited here', states: [A, B, A], back: null, local: B, pushed: 'written', remote: B },
  { name: 'edited alike', states: [A, B, B], back: null, local: B, pushed: null, remote: B },
  { name: 'edited differently', states: [A, B, C], back: 'conflict', local: B, pushed: 'conflict', remote: C },
  { name: 'removed there', states: [A, A, null], back: 'removed', local: null, pushed: null, remote: null },
  { name: 'removed here', states: [A, null, A], back: null, local: null, pushed: 'removed', remote: null },
  { name: 'removed here, edited there', states: [A, null, B], back: 'conflict', local: null, pushed: 'conflict', remote: B },
  { name: 'edited here, removed there', states: [A, B, null], back: 'conflict', local: B, pushed: 'conflict', remote: null },
  { name: 'removed on both sides', states: [A, null, null], back: null, local: null, pushed: null, remote: null },
];

const fileOf = ({ name }: Row) => `skills/rows/${name}.md`;

/** The contents of one column, without the files that are not there. */
function column(of: (row: Row) => string | null): Readonly<Record<string, string>> {
  return Object.fromEntries(rows.flatMap((row) => (of(row) === null ? [] : [[fileOf(row), of(row) as string]])));
}

/** Brings a side from the baseline to its column of the table. */
async function bring(home: SessionPlace['local'], side: 1 | 2): Promise<void> {
  for (const row of rows) {
    const [before, after] = [row.states[0], row.states[side]];
    if (after !== null && after !== before) await home.write({ [fileOf(row)]: after });
    if (after === null && before !== null) await home.remove(fileOf(row));
  }
}

/** What becomes of edits, removals and additions on either side. */
export function describeDecisions(place: () => SessionPlace): void {
  it('decides every row of the table in a sync-back, and again in the next push', async () => {
    await place().local.write({ ...quiet, ...column(({ states }) => states[0]) });
    await place().start(['first-session']);
    await bring(place().local, 1);
    await bring(place().remote, 2);

    const back = await place().end();
    expect(outcomesOf(back)).toEqual(column(({ back }) => back));
    expect(back.outcome).toBe('held');
    expect(exitCodeOf(back)).toBe(3);
    expect(await place().localContents()).toEqual({ ...quiet, ...column(({ local }) => local) });
    expect(await place().remoteContents()).toEqual({ ...quiet, ...column(({ states }) => states[2]) });

    const pushed = await place().start();
    expect(outcomesOf(pushed)).toEqual(column(({ pushed }) => pushed));
    expect(await place().localContents()).toEqual({ ...quiet, ...column(({ local }) => local) });
    expect(await place().remoteContents()).toEqual({ ...quiet, ...column(({ remote }) => remote) });
  });

  it('keeps the local file of a conflict and stores the remote one in the inbox, once', async () => {
    await place().local.write({ ...quiet, 'skills/a/SKILL.md': A });
    await place().start(['first-session']);
    await place().local.write({ 'skills/a/SKILL.md': B });
    await place().remote.write({ 'skills/a/SKILL.md': C });
    const first = await place().end();
    expect(first.paths).toEqual([
      { path: 'skills/a/SKILL.md', outcome: 'conflict', change: 'update', bytes: C.length, reason: 'edited on both sides' },
    ]);
    expect(first.ledger.written).toEqual({ files: 0, bytes: 0 });
    const [item, ...others] = await place().inbox();
    expect(others).toEqual([]);
    expect(item).toMatchObject({ kind: 'conflict', path: 'skills/a/SKILL.md', stored: true, bytes: C.length, local: { bytes: B.length } });
    expect(item && (await storedInInbox(place(), item))).toBe(C);
    const second = await place().end();
    expect(second).toMatchObject({ outcome: 'held', ledger: { transferred: { files: 0, bytes: 0 } } });
    expect(await place().inbox()).toEqual([item]);
    await place().remote.write({ 'skills/a/SKILL.md': B });
    expect((await place().end()).outcome).toBe('done');
    expect(await place().inbox()).toEqual([]);
    expect((await place().localContents())['skills/a/SKILL.md']).toBe(B);
  });

  it('holds guarded files and overwrites them on neither side', async () => {
    const mine = { 'skills/.usage.json': '{"mine": 1}\n', 'skills/.bundled_manifest': 'mine:1\n', 'skills/_org/team.md': 'mine\n' };
    const theirs = {
      'skills/.usage.json': '{"remote": 22}\n',
      'skills/.bundled_manifest': 'remote:22\n',
      'skills/_org/team.md': 'of the remote\n',
    };
    await place().local.write({ ...quiet, ...mine });
    await place().start(['first-session']);
    await place().remote.write(theirs);
    const back = await place().end();
    expect(outcomesOf(back)).toEqual(Object.fromEntries(Object.keys(mine).map((path) => [path, 'held'])));
    expect(exitCodeOf(back)).toBe(3);
    expect(await place().localContents()).toEqual({ ...quiet, ...mine });
    expect((await place().inbox()).map(({ kind, path }) => `${kind} ${path}`).sort()).toEqual(
      Object.keys(mine)
        .map((path) => `guarded ${path}`)
        .sort(),
    );
    await place().local.write({ 'skills/.usage.json': '{"mine": 333}\n' });
    expect(pathsOf(await place().start(), 'written')).toEqual([]);
    expect(await place().remoteContents()).toEqual({ ...quiet, ...theirs });
  });

  it('makes no conflict of identical edits, not even of a whole new skill', async () => {
    await place().local.write({ ...quiet, 'skills/a/SKILL.md': A });
    await place().start(['first-session']);
    const alike = { 'skills/a/SKILL.md': B, 'skills/new one/SKILL.md': C };
    await place().local.write(alike);
    await place().remote.write(alike);
    const report = await place().end();
    expect(report).toMatchObject({
      outcome: 'done',
      paths: [],
      ledger: { written: { files: 0, bytes: 0 }, transferred: { files: 0, bytes: 0 } },
    });
    expect(await place().inbox()).toEqual([]);
    expect((await place().start()).ledger.transferred).toEqual({ files: 0, bytes: 0 });
  });

  it('takes a whole skill away on the remote at the next push, but not a file that changed there', async () => {
    const skill = { 'skills/old/SKILL.md': A, 'skills/old/scripts/run.sh': { text: B, executable: true }, 'skills/old/notes.md': A };
    await place().local.write({ ...quiet, ...skill });
    await place().start(['first-session']);
    await place().local.remove('skills/old');
    await place().remote.write({ 'skills/old/notes.md': C });
    const report = await place().start();
    expect(outcomesOf(report)).toEqual({
      'skills/old/SKILL.md': 'removed',
      'skills/old/scripts/run.sh': 'removed',
      'skills/old/notes.md': 'conflict',
    });
    expect(await place().remoteContents()).toEqual({ ...quiet, 'skills/old/notes.md': C });
    expect((await place().remote.read()).has('skills/old/scripts')).toBe(false);
    expect(await place().localContents()).toEqual(quiet);
  });

  it('ends a session that was never started, and then has nothing to do', async () => {
    await place().remote.write({ 'skills/from there/SKILL.md': A });
    expect((await place().end()).stop?.guard).toBe('first-session');
    const first = await place().end(['first-session']);
    expect(outcomesOf(first)).toEqual({ 'skills/from there/SKILL.md': 'written' });
    const second = await place().end();
    expect(second).toMatchObject({ outcome: 'done', paths: [], kind: 'sync-back' });
    expect(exitCodeOf(second)).toBe(0);
    expect(await place().session()).toBeNull();
  });
}
