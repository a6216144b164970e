import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { InboxItem, Resolution } from '../../shared/inbox';
import type { RunReport } from '../../shared/run-report';
import { box, makePlace, outcomesOf, pathsOf, type SessionPlace } from '../support/session';
import { startSshd, type TestSshd } from '../support/sshd';

let sshd: TestSshd;
let place: SessionPlace;
beforeAll(async () => {
  sshd = await startSshd();
});
afterAll(() => sshd.stop());
beforeEach(async () => {
  place = await makePlace({ sshd });
});
afterEach(() => place.tearDown());

/** Files nobody touches, so that the guards against large deletions stay quiet. */
const quiet = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`skills/quiet/file-${index}.md`, `quiet ${index}\n`]));
const A = 'first\n';
const L = 'edited here, on this computer\n';
const R = 'edited there\n';
const file = 'skills/a/SKILL.md';
const copy = 'skills/a/SKILL.ebbgate-copy-build-box.md';
const usage = 'skills/.usage.json';

async function begin(files: Readonly<Record<string, string>>): Promise<void> {
  await place.local.write({ ...quiet, ...files });
  expect(await place.start(['first-session'])).toMatchObject({ outcome: 'done', error: null });
}

async function conflict(): Promise<InboxItem> {
  await begin({ [file]: A });
  await place.local.write({ [file]: L });
  await place.remote.write({ [file]: R });
  expect((await place.end()).outcome).toBe('held');
  return only();
}

async function only(): Promise<InboxItem> {
  const items = await place.inbox();
  expect(items).toHaveLength(1);
  return items[0] as InboxItem;
}

const resolve = (choice: Resolution, ...ids: readonly string[]): Promise<RunReport> => place.call('inbox.resolve', { ids, choice });

/** Three more sessions, in which nothing is written and nothing waits. */
async function stayQuiet(): Promise<void> {
  for (let session = 0; session < 3; session += 1) {
    const runs = [await place.start(), await place.end()];
    expect(runs.map((run) => [run.outcome, outcomesOf(run), run.ledger.transferred.files])).toEqual([
      ['done', {}, 0],
      ['done', {}, 0],
    ]);
    expect(await place.inbox()).toEqual([]);
  }
}

describe('a conflict', () => {
  it('shows both versions and the one both sides had before, which neither holds any more', async () => {
    const item = await conflict();
    const version = (text: string) => ({ state: 'available', bytes: text.length, text });
    await place.restart();
    expect(await place.call('inbox.compare', { id: item.id })).toEqual({
      base: version(A),
      local: version(L),
      remote: version(R),
      localChanged: false,
    });
  });

  it('that is resolved for this computer goes out at the next push, and both sides converge', async () => {
    const item = await conflict();
    expect((await resolve('keep-local', item.id)).outcome).toBe('done');
    expect(await place.inbox()).toEqual([]);
    expect(pathsOf(await place.start(), 'written')).toEqual([file]);
    expect((await place.end()).outcome).toBe('done');
    expect(await place.localContents()).toEqual({ ...quiet, [file]: L });
    expect(await place.remoteContents()).toEqual({ ...quiet, [file]: L });
    await stayQuiet();
  });

  it('that is resolved for the remote is settled here, and both sides converge', async () => {
    const item = await conflict();
    const report = await resolve('keep-remote', item.id);
    expect(report).toMatchObject({ kind: 'resolve', outcome: 'done', ledger: { written: { files: 1, bytes: R.length } } });
    expect(await place.localContents()).toEqual({ ...quiet, [file]: R });
    await stayQuiet();
    expect(await place.localContents()).toEqual({ ...quiet, [file]: R });
    expect(await place.remoteContents()).toEqual({ ...quiet, [file]: R });
  });

  it('of which both are kept leaves one copy here, which neither goes out nor multiplies', async () => {
    const item = await conflict();
    expect(pathsOf(await resolve('keep-both', item.id), 'written')).toEqual([copy]);
    expect(await place.localContents()).toEqual({ ...quiet, [file]: L, [copy]: R });
    expect(pathsOf(await place.start(), 'written')).toEqual([file]);
    expect((await place.end()).outcome).toBe('done');
    await stayQuiet();
    expect(await place.localContents()).toEqual({ ...quiet, [file]: L, [copy]: R });
    expect(await place.remoteContents()).toEqual({ ...quiet, [file]: L });
  });

  it('is one again when the remote changes after the decision', async () => {
    const item = await conflict();
    await resolve('keep-local', item.id);
    await place.remote.write({ [file]: 'edited there once more, and longer\n' });
    expect(outcomesOf(await place.start())).toEqual({ [file]: 'conflict' });
    expect(outcomesOf(await place.end())).toEqual({ [file]: 'conflict' });
    expect(await only()).toMatchObject({ path: file, stored: true });
    expect((await place.localContents())[file]).toBe(L);
  });

  it('over a removal removes the file on the side the decision says', async () => {
    await begin({ [file]: A, 'skills/b/SKILL.md': A });
    await place.local.write({ [file]: L, 'skills/b/SKILL.md': L });
    await place.remote.remove(file);
    await place.remote.remove('skills/b/SKILL.md');
    await place.end();
    const items = await place.inbox();
    const idOf = (path: string) => items.find((item) => item.path === path)?.id ?? '';
    expect(pathsOf(await resolve('keep-remote', idOf(file)), 'removed')).toEqual([file]);
    await resolve('keep-local', idOf('skills/b/SKILL.md'));
    await place.start();
    await place.end();
    const both = { ...quiet, 'skills/b/SKILL.md': L };
    expect([await place.localContents(), await place.remoteContents()]).toEqual([both, both]);
  });

  it('that is discarded is not offered again until the remote changes', async () => {
    const item = await conflict();
    await resolve('discard', item.id);
    await place.start();
    expect((await place.end()).outcome).toBe('done');
    expect(await place.inbox()).toEqual([]);
    expect([(await place.localContents())[file], (await place.remoteContents())[file]]).toEqual([L, R]);
    await place.remote.write({ [file]: 'edited there once more, and longer\n' });
    expect((await place.end()).outcome).toBe('held');
    expect((await only()).path).toBe(file);
  });

  it('that is excluded stays on both sides as it is, until the rule is taken back', async () => {
    const item = await conflict();
    await resolve('exclude', item.id);
    await place.start();
    expect((await place.end()).outcome).toBe('done');
    expect([(await place.localContents())[file], (await place.remoteContents())[file]]).toEqual([L, R]);
    const { decisions } = await place.call('decision.list', { connection: box });
    expect(decisions).toMatchObject([{ path: file, choice: 'exclude' }]);
    await place.call('decision.revoke', { id: decisions[0]?.id ?? '' });
    expect((await place.end()).outcome).toBe('held');
    expect((await only()).path).toBe(file);
  });
});

describe('resolving', () => {
  it('works offline, after a restart, and is part of the history', async () => {
    await place.tearDown();
    const own = await startSshd();
    place = await makePlace({ sshd: own });
    const before = await conflict();
    await place.restart(() => own.stop());
    const item = await only();
    expect(item).toEqual(before);
    const versions = await place.call('inbox.compare', { id: item.id });
    expect(versions).toMatchObject({ local: { text: L }, remote: { text: R }, localChanged: false });
    const report = await resolve('keep-remote', item.id);
    expect(report).toMatchObject({ outcome: 'done', ledger: { wire: { sent: 0, received: 0 } }, remote: { hostKey: null } });
    expect((await place.localContents())[file]).toBe(R);
    const { runs } = await place.call('history.list', {});
    expect(runs[0]).toEqual(report);
    const [view] = (await place.call('status', {})).connections;
    expect(view).toMatchObject({ state: 'ready', needsYou: 0, lastRun: { kind: 'sync-back' } });
  });

  it('leaves a file that was edited after the item came, and the item with it', async () => {
    const item = await conflict();
    await place.local.write({ [file]: 'edited here once more\n' });
    const report = await resolve('keep-remote', item.id);
    expect(report).toMatchObject({ outcome: 'partly', paths: [{ path: file, outcome: 'failed' }] });
    expect((await place.localContents())[file]).toBe('edited here once more\n');
    expect(await place.inbox()).toEqual([item]);
    expect(await place.call('inbox.compare', { id: item.id })).toMatchObject({ localChanged: true });
  });
});

describe('a guarded file', () => {
  async function guarded(): Promise<InboxItem> {
    await begin({ [file]: A, [usage]: '{"here": 1}\n' });
    await place.remote.write({ [usage]: '{"there": 22}\n' });
    expect((await place.end()).outcome).toBe('held');
    return only();
  }

  it('that is released comes home, and is quiet from then on', async () => {
    const item = await guarded();
    expect(pathsOf(await resolve('release', item.id), 'written')).toEqual([usage]);
    expect((await place.localContents())[usage]).toBe('{"there": 22}\n');
    await stayQuiet();
  });

  it('with a standing decision raises nothing, however often it changes there', async () => {
    const item = await guarded();
    await resolve('exclude', item.id);
    for (let session = 0; session < 3; session += 1) {
      await place.remote.write({ [usage]: `{"there": ${'3'.repeat(session + 3)}}\n` });
      expect((await place.start()).outcome).toBe('done');
      expect((await place.end()).outcome).toBe('done');
      expect(await place.inbox()).toEqual([]);
      expect((await place.localContents())[usage]).toBe('{"here": 1}\n');
    }
    const { decisions } = await place.call('decision.list', {});
    expect(decisions).toMatchObject([{ path: usage, choice: 'keep-local' }]);
    await place.call('decision.revoke', { id: decisions[0]?.id ?? '' });
    expect((await place.end()).outcome).toBe('held');
    expect((await only()).kind).toBe('guarded');
  });
});

describe('new skills to be reviewed', () => {
  it('are invisible until they are released, then whole', async () => {
    await place.tearDown();
    place = await makePlace({ sshd, connection: { newSkills: 'review' } });
    await begin({ [file]: A });
    await place.remote.write({
      'skills/new/SKILL.md': '# new\n',
      'skills/new/scripts/run.sh': { text: '#!/bin/sh\n', executable: true },
      [file]: R,
    });
    expect((await place.end()).outcome).toBe('held');
    expect(await place.localContents()).toEqual({ ...quiet, [file]: R });
    const items = await place.inbox();
    expect(items.map(({ kind, path }) => `${kind} ${path}`).sort()).toEqual([
      'review skills/new/SKILL.md',
      'review skills/new/scripts/run.sh',
    ]);
    expect((await resolve('release', items[0]?.id ?? '')).ledger.written.files).toBe(2);
    const all = { ...quiet, [file]: R, 'skills/new/SKILL.md': '# new\n', 'skills/new/scripts/run.sh': '#!/bin/sh\n' };
    expect(await place.localContents()).toEqual(all);
    const script = (await place.local.read()).get('skills/new/scripts/run.sh');
    expect(script?.kind === 'file' && (script.mode ?? 0) & 0o100).toBe(0o100);
    await stayQuiet();
    expect(await place.remoteContents()).toEqual(all);
  });
});
