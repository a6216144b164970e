import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { journalLog } from '../../electron/app/run-folders';
import { createLocalDisk } from '../../electron/endpoints/local-disk';
import { applyChanges } from '../../electron/engine/apply';
import { createJournal, type JournalHead } from '../../electron/engine/journal';
import { storedName } from '../../electron/engine/state-names';
import type { RunReport } from '../../shared/run-report';
import { incoming, patience, write } from '../contract/contract-side';
import { createFaultyDisk } from '../support/faulty-disk';
import { box, makePlace, outcomesOf, type SessionPlace } from '../support/session';
import { startSshd, type TestSshd } from '../support/sshd';
import type { TreeImage } from '../support/tree';

let sshd: TestSshd;
let place: SessionPlace;
beforeAll(async () => {
  sshd = await startSshd();
});
beforeEach(async () => {
  place = await makePlace({ sshd });
});
afterEach(() => place.tearDown());
afterAll(() => sshd.stop());

const undo = (): Promise<RunReport> => place.call('undo', { connection: box });
const local = async (): Promise<ReadonlyMap<string, TreeImage>> => (await place.sides()).local;
/** Kind and outcome of all runs, newest first. */
const history = async () => (await place.call('history.list', {})).runs.map(({ kind, outcome }) => `${kind} ${outcome}`);

/** A session in which the remote creates, changes and deletes files, in new folders and emptied ones. */
async function sessionWithWork(): Promise<{
  readonly before: ReadonlyMap<string, TreeImage>;
  readonly after: ReadonlyMap<string, TreeImage>;
}> {
  await place.local.write({
    'skills/a/SKILL.md': { text: 'skill a', mode: 0o640, mtime: 1_600_000_000_123 },
    'skills/a/run.sh': { text: '#!/bin/sh', mode: 0o750, mtime: 1_600_000_001_000 },
    'skills/a/sub/deep/gone.md': { text: 'goes away', mode: 0o604, mtime: 1_600_000_002_000 },
    'skills/a/sub': { folder: true, mode: 0o711 },
    'skills/a/sub/deep': { folder: true, mode: 0o755 },
    'skills/alone.md': { text: 'alone', mode: 0o600, mtime: 1_600_000_003_000 },
  });
  const before = await local();
  expect((await place.start(['first-session'])).outcome).toBe('done');
  await place.remote.write({
    'skills/a/SKILL.md': 'skill a, improved on the remote',
    'skills/a/new/made.md': 'made on the remote',
    'skills/alone.md': 'alone no more',
    'skills/b/SKILL.md': 'a new skill',
  });
  await place.remote.remove('skills/a/sub');
  expect((await place.end()).outcome).toBe('done');
  return { before, after: await local() };
}

describe('undo', () => {
  it('restores the tree hash for hash, mode for mode and time for time, and is a run in the history', async () => {
    const { before, after } = await sessionWithWork();
    expect(after).not.toEqual(before);
    const report = await undo();
    expect(outcomesOf(report)).toEqual({
      'skills/a/SKILL.md': 'written',
      'skills/a/new/made.md': 'removed',
      'skills/a/sub/deep/gone.md': 'written',
      'skills/alone.md': 'written',
      'skills/b/SKILL.md': 'removed',
    });
    expect(report).toMatchObject({ kind: 'undo', outcome: 'done', ledger: { wire: { sent: 0, received: 0 } } });
    expect(await local()).toEqual(before);
    expect(await history()).toEqual(['undo done', 'sync-back done', 'push done']);
  });

  it('can be undone, again and again', async () => {
    const { before, after } = await sessionWithWork();
    const files = (images: ReadonlyMap<string, TreeImage>) => [...images].filter(([, image]) => image.kind === 'file');
    await undo();
    expect((await undo()).outcome).toBe('done');
    expect(files(await local())).toEqual(files(after));
    expect((await undo()).outcome).toBe('done');
    expect(await local()).toEqual(before);
  });

  it('leaves a file alone that the user changed since, says so, and undoes the rest', async () => {
    const { before } = await sessionWithWork();
    await place.local.write({ 'skills/a/SKILL.md': 'edited by the user since', 'skills/a/sub/deep/gone.md': 'made anew' });
    const report = await undo();
    expect(report.outcome).toBe('partly');
    const reasons = Object.fromEntries(report.paths.flatMap(({ path, outcome, reason }) => (outcome === 'failed' ? [[path, reason]] : [])));
    expect(reasons).toEqual({
      'skills/a/SKILL.md': 'it changed here since; left alone',
      'skills/a/sub/deep/gone.md': 'a file of that name appeared here since; left alone',
    });
    expect(await place.localContents()).toEqual({
      'skills/a/SKILL.md': 'edited by the user since',
      'skills/a/run.sh': '#!/bin/sh',
      'skills/a/sub/deep/gone.md': 'made anew',
      'skills/alone.md': 'alone',
    });
    expect((await local()).get('skills/alone.md')).toEqual(before.get('skills/alone.md'));
  });

  it('is not brought back by the next teardown, nor does the next push overwrite the remote', async () => {
    const { before } = await sessionWithWork();
    await undo();
    const remote = await place.remoteContents();
    const report = await place.end();
    expect(await local()).toEqual(before);
    // Each undone version waits, until it is decided about or changes there again.
    expect([report.outcome, ...new Set(report.paths.map(({ outcome }) => outcome))]).toEqual(['held', 'held']);
    const { items } = await place.call('inbox.list', {});
    expect(items.map(({ kind, path }) => [kind, path])).toEqual(report.paths.map(({ path }) => ['review', path]));
    await place.start();
    expect(await place.remoteContents()).toEqual(remote);
  });

  it('has nothing to do when no run changed anything', async () => {
    const report = await undo();
    expect(report).toMatchObject({ outcome: 'done', paths: [] });
    expect(report.notes).toEqual(['There is nothing to undo: no run of the last 14 days changed files here.']);
  });

  it('tells how far it is, can be cancelled before its first change, and then done again', async () => {
    const { before, after } = await sessionWithWork();
    const phases = new Set<string>();
    let cancels = true;
    place.listen((event) => {
      if (event.event !== 'progress' || event.data.kind !== 'undo') return;
      phases.add(event.data.phase);
      if (cancels && event.data.phase === 'applying') void place.call('run.cancel', { connection: box });
      if (event.data.phase === 'applying') cancels = false;
    });
    expect((await undo()).outcome).toBe('interrupted');
    expect(await local()).toEqual(after);
    expect((await undo()).outcome).toBe('done');
    expect(await local()).toEqual(before);
    expect([...phases]).toEqual(['comparing', 'applying']);
  });

  it('says how much it keeps, and has nothing left to take back once that is freed', async () => {
    const { after } = await sessionWithWork();
    const usage = { runs: 1, files: 3, bytes: 'skill a'.length + 'goes away'.length + 'alone'.length };
    const next = { run: expect.any(String), kind: 'sync-back', time: expect.any(String) };
    expect(await place.call('undo.usage', { connection: box })).toEqual({ ...usage, next });
    expect(await place.call('undo.free', { connection: box })).toEqual(usage);
    expect(await place.call('undo.usage', { connection: box })).toEqual({ runs: 0, files: 0, bytes: 0, next: null });
    expect(await readdir(join(place.dataDir, 'undo'))).toEqual([]);
    expect((await undo()).paths).toEqual([]);
    expect(await local()).toEqual(after);
  });

  it('survives a restart', async () => {
    const { before } = await sessionWithWork();
    await place.restart();
    await undo();
    expect(await local()).toEqual(before);
    expect(await readdir(join(place.dataDir, 'runs')).catch(() => [])).toEqual([]);
  });
});

/** An apply of a process that ended in the middle: one file of a skill is in place, the other is only staged. */
async function leaveHalf(kind: JournalHead['kind'] = 'sync-back'): Promise<string> {
  const runId = '2026-01-02T03-04-05-000Z-abcdef';
  const runDir = join(place.dataDir, 'runs', runId);
  const connection = (await place.call('connection.list', {})).connections[0];
  const head: JournalHead = {
    ...{ runId, kind, connection: { id: connection?.id ?? '', name: box }, pid: process.pid, home: place.localHome, undoes: null },
    ...{ stagingDir: join(runDir, 'staged'), undoDir: join(place.dataDir, 'undo', runId), startedAt: '2026-01-02T03:04:05.000Z' },
  };
  await mkdir(join(place.localHome, 'skills', 'new'), { recursive: true });
  const { disk } = createFaultyDisk(createLocalDisk({ ...head, now: Date.now }), {
    ...{ when: 'after', gone: true },
    at: ({ name, argument }) => name === 'place' && argument === storedName('skills/new/SKILL.md'),
  });
  const contents = { 'skills/new/SKILL.md': 'a skill', 'skills/new/more.md': 'more of the skill' };
  const changes = Object.entries(contents).map(([path, text]) => write(path, text, { group: 'new' }));
  const record = { journal: createJournal(journalLog(runDir), head), saved: () => undefined };
  await applyChanges(disk, { changes, contents: incoming(contents) }, patience, record).catch(() => undefined);
  return runDir;
}

describe('the next start', () => {
  it('finishes what a dead process began, says so, and can undo it', async () => {
    const runDir = await leaveHalf();
    expect(Object.keys(await place.localContents())).toEqual(['skills/new/SKILL.md']);
    await place.restart();
    expect(await place.localContents()).toEqual({ 'skills/new/SKILL.md': 'a skill', 'skills/new/more.md': 'more of the skill' });
    const [report] = (await place.call('history.list', {})).runs;
    expect(report).toMatchObject({ kind: 'sync-back', outcome: 'interrupted', ledger: { written: { files: 2, bytes: 24 } } });
    expect(report?.notes.join()).toContain('1 file was finished now');
    await expect(readdir(runDir)).rejects.toThrow('ENOENT');
    await place.restart();
    expect(await history()).toEqual(['sync-back interrupted']);
    expect((await undo()).outcome).toBe('done');
    expect(await place.localContents()).toEqual({});
  });

  it('takes back what it cannot finish', async () => {
    const runDir = await leaveHalf();
    await place.local.write({ 'skills/new/more.md': 'made by the user meanwhile' });
    await place.restart();
    expect(await place.localContents()).toEqual({ 'skills/new/more.md': 'made by the user meanwhile' });
    await expect(readdir(runDir)).rejects.toThrow('ENOENT');
  });

  it.each([
    { name: 'empty', damage: () => '', note: 'it is empty' },
    { name: 'garbage', damage: () => '\0\0\0\0', note: 'its first line is cut or not valid' },
    { name: 'cut in its first line', damage: (text: string) => text.slice(0, 40), note: 'its first line is cut or not valid' },
    {
      name: 'broken in the middle',
      damage: (text: string) => text.replace('"plan"', '"plam"').concat('{}\n'),
      note: 'line 2 is not valid',
    },
  ])('sets a journal aside that is $name, and starts', async ({ damage, note }) => {
    const runDir = await leaveHalf();
    const file = join(runDir, 'journal.jsonl');
    await place.restart(async () => writeFile(file, damage(await readFile(file, 'utf8'))));
    const folders = await readdir(join(place.dataDir, 'runs'));
    expect(folders).toEqual([expect.stringMatching(/\.broken-\d+$/)]);
    expect((await readdir(join(place.dataDir, 'runs', folders[0] ?? ''))).sort()).toEqual(['journal.jsonl', 'staged']);
    const report = await place.start(['first-session']);
    expect(report.notes.join()).toContain(note);
  });

  it('leaves a journal of a newer version where it is, and says so', async () => {
    const runDir = await leaveHalf();
    const file = join(runDir, 'journal.jsonl');
    await place.restart(async () => writeFile(file, (await readFile(file, 'utf8')).replace('"version":1', '"version":2')));
    expect((await readdir(runDir)).sort()).toEqual(['journal.jsonl', 'staged']);
    expect((await place.start(['first-session'])).notes.join()).toContain('newer Ebbgate (format 2)');
  });
});
