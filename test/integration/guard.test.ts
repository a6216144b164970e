import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { GuardEvent } from '../../shared/guard';
import { box, makePlace, type SessionPlace } from '../support/session';
import { startSshd, type TestSshd } from '../support/sshd';
import { type Tree, writeTree } from '../support/tree';

const MB = 1_000_000;
const backups = 'skills/.curator_backups';
const lockFile = 'skills/.hub/lock.json';
const hubLock = (...names: readonly string[]) =>
  `${JSON.stringify({ version: 1, installed: Object.fromEntries(names.map((name) => [name, { content_hash: name }])) }, null, 2)}\n`;
const goodLock = hubLock('wiki', 'maps');
const goodTime = Date.UTC(2026, 9, 1, 12) / 1000;
const restorePoints: Tree = Object.fromEntries(
  Array.from({ length: 4 }, (_, index) => [`${backups}/2026-10-0${index + 1}T04-00-00Z/skills.tar.gz`, Buffer.alloc(6 * MB, index)]),
);

/** Does what Hermes does at a teardown: opens its lock anew, holds it, and copies what came over the wire with its times. */
const syncBack = `
set -e
exec 9>"$1/.sync.lock"
flock -x 9
cp -a "$2/." "$1/"
`;

describe('guard mode', () => {
  let sshd: TestSshd;
  let place: SessionPlace;
  beforeAll(async () => {
    sshd = await startSshd();
  });
  afterAll(() => sshd.stop());
  beforeEach(async () => {
    place = await makePlace({ sshd });
    await place.local.write({ 'skills/web/SKILL.md': '# Web\n', [lockFile]: goodLock });
    await utimes(join(place.localHome, lockFile), goodTime, goodTime);
  });
  afterEach(() => place.tearDown());

  const look = async (): Promise<readonly GuardEvent[]> => (await place.call('guard.look', {})).events;

  async function hermesBrings(tree: Tree): Promise<void> {
    const staged = join(place.folder, 'staged');
    await writeTree(staged, tree);
    for (const path of Object.keys(tree)) await utimes(join(staged, path), goodTime + 60, goodTime + 60);
    const child = spawn('sh', ['-c', syncBack, 'sync-back', place.localHome, staged], { stdio: 'inherit' });
    expect(await once(child, 'close')).toEqual([0, null]);
    await rm(staged, { recursive: true });
  }

  /** The events, once there are any. */
  function found(): Promise<readonly GuardEvent[]> {
    return new Promise((resolve, reject) => {
      const stop = place.listen(({ event }) => {
        if (event !== 'changed') return;
        place.call('guard.list', {}).then(({ events }) => {
          if (events.length === 0) return;
          stop();
          resolve(events);
        }, reject);
      });
    });
  }

  it("tells once of what Hermes's sync-back brought, with size and source, and puts the hub lock back byte for byte", async () => {
    expect(await look()).toEqual([]);
    expect(await place.call('guard.watch', {})).toMatchObject({ watching: true, homes: [{ home: place.localHome }] });
    const finding = found();
    await hermesBrings({ ...restorePoints, [lockFile]: hubLock('wiki', 'elsewhere') });
    const [event, ...others] = await finding;
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      ...{ side: 'local', source: 'hermes', kinds: ['bookkeeping', 'hub-lock'], culprit: backups, canPutBack: true },
      ...{ amount: { files: 4, bytes: 24 * MB }, parts: [{ path: backups, files: 4, bytes: 24 * MB }] },
      hubLock: { state: 'replaced', differingSkills: ['elsewhere', 'maps'] },
    });
    expect(await look()).toEqual([event]);
    expect((await place.call('status', {})).connections[0]).toMatchObject({ state: 'needs-you', needsYou: 1, guard: [event] });
    // Nothing happened by itself.
    expect(await readFile(join(place.localHome, lockFile), 'utf8')).toBe(hubLock('wiki', 'elsewhere'));

    const report = await place.call('guard.put-back', { id: event?.id ?? '' });
    expect(report).toMatchObject({ kind: 'put-back', outcome: 'done', paths: [{ path: lockFile, outcome: 'written', change: 'update' }] });
    expect(await readFile(join(place.localHome, lockFile), 'utf8')).toBe(goodLock);
    expect((await stat(join(place.localHome, lockFile))).mtimeMs).toBe(goodTime * 1000);
    expect((await place.call('history.list', {})).runs.map(({ kind }) => kind)).toEqual(['put-back']);
    const [rest] = await look();
    expect(rest).toEqual({ ...event, kinds: ['bookkeeping'], hubLock: null, canPutBack: false });

    await place.call('guard.dismiss', { id: event?.id ?? '' });
    expect(await look()).toEqual([]);
    expect((await place.call('status', {})).connections[0]).toMatchObject({ state: 'ready', needsYou: 0 });
  });

  it('keeps what it found over a restart, and does not tell the same again', async () => {
    await look();
    await hermesBrings(restorePoints);
    const first = await look();
    expect(first).toMatchObject([{ kinds: ['bookkeeping'], amount: { bytes: 24 * MB } }]);
    await place.restart();
    expect((await place.call('guard.list', {})).events).toEqual(first);
    await place.call('guard.dismiss', { id: first[0]?.id ?? '' });
    // Hermes brings the same files, and a little more, at every teardown.
    await hermesBrings({ ...restorePoints, [`${backups}/2026-10-08T04-00-00Z/skills.tar.gz`]: Buffer.alloc(2 * MB) });
    expect(await look()).toEqual([]);
    await hermesBrings({ [`${backups}/2026-10-09T04-00-00Z/skills.tar.gz`]: Buffer.alloc(21 * MB) });
    expect(await look()).toMatchObject([{ amount: { files: 1, bytes: 21 * MB } }]);
  });

  it('takes a hub lock that is written here for good, and one that another hand dated back for replaced', async () => {
    await look();
    await place.local.write({ [lockFile]: hubLock('wiki', 'maps', 'new') });
    expect(await look()).toEqual([]);
    const before = join(place.folder, 'before');
    await writeFile(before, goodLock);
    await utimes(before, goodTime, goodTime);
    await rename(before, join(place.localHome, lockFile));
    const [event] = await look();
    expect(event).toMatchObject({ source: 'other', kinds: ['hub-lock'], hubLock: { state: 'replaced', differingSkills: ['new'] } });
    // It is fine after all: from now on it is the good one.
    await place.call('guard.dismiss', { id: event?.id ?? '' });
    expect(await look()).toEqual([]);
    await rm(join(place.localHome, lockFile));
    const [removed] = await look();
    expect(removed).toMatchObject({ hubLock: { state: 'removed' } });
    await place.call('guard.put-back', { id: removed?.id ?? '' });
    expect(await readFile(join(place.localHome, lockFile), 'utf8')).toBe(goodLock);
    expect(await look()).toEqual([]);
  });

  it('tells of growth by the figures of a teardown, and nothing of what a run of ours brought', async () => {
    await look();
    await place.local.write({ 'skills/web/model.bin': Buffer.alloc(30 * MB) });
    expect(await look()).toMatchObject([
      { source: 'other', kinds: ['growth'], culprit: 'skills/web/model.bin', amount: { files: 1, bytes: 30 * MB } },
    ]);
    await place.call('guard.dismiss', { id: (await look())[0]?.id ?? '' });
    await place.start(['first-session']);
    await place.remote.write({ 'skills/web/big.bin': Buffer.alloc(24 * MB), 'skills/more/SKILL.md': '# More\n' });
    const report = await place.end();
    expect(report).toMatchObject({ outcome: 'done', ledger: { written: { files: 2 } } });
    expect(await look()).toEqual([]);
  });

  it('says that the folder is missing, compares nothing with it, and goes on once it is back', async () => {
    await look();
    const skills = join(place.localHome, 'skills');
    await rename(skills, `${skills}-away`);
    expect(await place.call('guard.look', {})).toMatchObject({ homes: [{ state: 'missing' }], events: [] });
    await rename(`${skills}-away`, skills);
    await hermesBrings(restorePoints);
    expect(await place.call('guard.look', {})).toMatchObject({ homes: [{ state: 'ok' }], events: [{ kinds: ['bookkeeping'] }] });
  });

  it('finds a folder again that was renamed away while it is watched', async () => {
    await look();
    const skills = join(place.localHome, 'skills');
    await place.call('guard.watch', {});
    await rename(skills, `${skills}-away`);
    await rename(`${skills}-away`, skills);
    const finding = found();
    await hermesBrings(restorePoints);
    expect(await finding).toMatchObject([{ kinds: ['bookkeeping'], source: 'hermes', amount: { bytes: 24 * MB } }]);
  });

  it('is silent about editors, small bookkeeping and everything of a connection that is gone', async () => {
    await look();
    for (let round = 0; round < 3; round += 1) {
      // As editors save: a temporary name, then a rename over the file.
      await place.local.write({ 'skills/web/.SKILL.md.swp': `# Web ${round}\n` });
      await rename(join(place.localHome, 'skills/web/.SKILL.md.swp'), join(place.localHome, 'skills/web/SKILL.md'));
    }
    await place.local.write({
      'skills/web/__pycache__/a.pyc': 'x'.repeat(1000),
      [`${backups}/2026-10-01T04-00-00Z/skills.tar.gz`]: 'small',
    });
    expect(await look()).toEqual([]);
    await hermesBrings(restorePoints);
    expect(await look()).toHaveLength(1);
    await place.call('connection.remove', { connection: box });
    expect(await place.call('guard.list', {})).toMatchObject({ homes: [], events: [] });
  });
});
