import { lstatSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Params } from '../../shared/contract';
import type { PlanLine } from '../../shared/plan';
import { planReasons } from '../../shared/plan';
import type { RunReport } from '../../shared/run-report';
import { makeBusyboxPath } from '../support/busybox';
import { type BothSides, box, makePlace, type SessionPlace, withoutOwn } from '../support/session';
import { type SshdOptions, startSshd, type TestSshd } from '../support/sshd';
import { makeTempFolder, removeTempFolder } from '../support/tree';
import { ageFolders, archive, backups, ids, localTree, pointBytes, remoteTree } from './pruned-homes';

const reasonOf = planReasons;
const foreign = {
  '2026-05-03T04-00-00Z': 'link',
  'before-trip': 'foreign',
  [`${ids.oldest} (copy)`]: 'foreign',
  'notes.txt': 'foreign',
} as const;

/** Folders out of which something moves, which is a change of theirs. */
const holders = new Set([backups, 'skills/notes']);

describe('prune against a real SSH server', () => {
  let sshd: TestSshd;
  let place: SessionPlace;
  let bin: string;

  beforeEach(async () => {
    bin = await makeTempFolder('bin');
  });
  afterEach(async () => {
    await place.tearDown();
    await sshd.stop();
    await removeTempFolder(bin);
  });

  async function arrange(options: SshdOptions = {}): Promise<void> {
    sshd = await startSshd(options);
    place = await makePlace({ sshd });
    await place.remote.write(remoteTree);
    await place.local.write(localTree);
    ageFolders(place.remoteHome, [ids.oldest, ids.newest, '.rollback-staging-x', ids.copy, ids.sameSecond]);
    ageFolders(place.localHome, [ids.newest, ids.oldest, ids.copy]);
  }

  const prune = (request: Partial<Params<'prune'>> = {}) =>
    place.call('prune', { connection: box, side: 'both', keep: 1, apply: false, ...request });
  const apply = (request: Partial<Params<'prune'>> = {}) => prune({ ...request, apply: true });
  const undo = () => place.call('prune.undo', { connection: box });

  /** Both sides with the times of folders, which a tree image leaves out. */
  async function whole(): Promise<readonly unknown[]> {
    const sides = await place.sides();
    const timesOf = (home: string, images: BothSides['local']) =>
      [...images]
        .filter(([path, { kind }]) => kind === 'folder' && !holders.has(path))
        .map(([path]) => [path, lstatSync(join(home, path)).mtimeMs]);
    const [local, remote] = [withoutOwn(sides.local), withoutOwn(sides.remote)];
    return [local, remote, timesOf(place.localHome, local), timesOf(place.remoteHome, remote)];
  }

  const decided = (report: RunReport, side: PlanLine['side'], decision: PlanLine['decision']) =>
    Object.fromEntries(
      (report.plan?.lines ?? []).filter((line) => line.side === side && line.decision === decision).map(({ id, reason }) => [id, reason]),
    );

  it('plans with a reason on each line, and changes nothing anywhere', async () => {
    await arrange();
    const before = await place.sides();
    const times = await whole();
    const report = await prune();
    expect(report).toMatchObject({
      kind: 'prune',
      outcome: 'done',
      stop: null,
      paths: [],
      plan: { fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(decided(report, 'remote', 'keep')).toEqual({
      [ids.future]: reasonOf.future,
      [ids.cut]: reasonOf.newer,
      [ids.newest]: reasonOf.newest,
      '.rollback-staging-x': reasonOf.staging,
      ...Object.fromEntries(Object.entries(foreign).map(([name, reason]) => [name, reasonOf[reason]])),
    });
    expect(decided(report, 'remote', 'remove')).toEqual({
      [ids.sameSecond]: reasonOf.older,
      [ids.copy]: reasonOf.copy,
      [ids.oldest]: reasonOf.older,
    });
    expect(decided(report, 'local', 'keep')).toEqual({ [ids.newest]: reasonOf.newest, 'before-trip': reasonOf.foreign });
    expect(decided(report, 'local', 'remove')).toEqual({ [ids.copy]: reasonOf.older, [ids.oldest]: reasonOf.older });
    expect(report.plan?.lines).toContainEqual({
      ...{ side: 'remote', id: ids.copy, path: `${backups}/${ids.copy}`, bytes: pointBytes(ids.copy, 'copy') },
      ...{ decision: 'remove', reason: reasonOf.copy },
    });
    expect(await place.sides()).toEqual(before);
    expect(await whole()).toEqual(times);
    expect(await readdir(place.dataDir)).not.toContain('pruned');
    expect((await place.call('history.list', {})).runs).toEqual([]);
  });

  const ways: readonly (readonly [string, () => SshdOptions])[] = [
    ['a shell', () => ({})],
    ['BusyBox', () => ({ login: 'busybox', path: makeBusyboxPath(join(bin, 'box')) })],
    ['BusyBox without stat', () => ({ login: 'busybox', path: makeBusyboxPath(join(bin, 'box'), ['stat', 'flock', 'sha256sum']) })],
  ];
  it.each(ways)('removes exactly what it planned and puts it back whole, through %s', async (name, options) => {
    await arrange(options());
    // Without times nobody can tell that the rollback is over.
    if (name === 'BusyBox without stat') await place.remote.remove(`${backups}/.rollback-staging-x`);
    const before = await whole();
    const plan = (await prune()).plan;
    const report = await apply({ plan: plan?.fingerprint });
    const gone = (plan?.lines ?? []).filter(({ decision }) => decision === 'remove');
    expect(report).toMatchObject({ outcome: 'done', plan, ledger: { removed: { files: 10 } } });
    expect(report.paths.map(({ path, outcome }) => [path, outcome])).toEqual(gone.map(({ path }) => [path, 'removed']));
    const after = withoutOwn((await place.sides()).remote);
    const [, remoteBefore] = before as readonly [unknown, BothSides['remote']];
    expect([...after.keys()]).toEqual(
      [...remoteBefore.keys()].filter(
        (path) => !gone.some((line) => line.side === 'remote' && (path === line.path || path.startsWith(`${line.path}/`))),
      ),
    );
    expect((await place.call('prune.removed', { connection: box })).runs).toMatchObject([
      { run: report.id, kind: 'prune', local: { count: 2 }, remote: { count: 3 } },
    ]);
    expect((await place.call('history.list', {})).runs).toEqual([report]);
    expect((await undo()).outcome).toBe('done');
    expect(await whole()).toEqual(before);
    expect((await place.call('prune.removed', { connection: box })).runs).toEqual([]);
  });

  it('offers nothing over SFTP alone until archives are checked, then does the same there', async () => {
    await arrange({ sftpOnly: true });
    const before = await whole();
    const unchecked = await prune({ side: 'remote' });
    expect(decided(unchecked, 'remote', 'remove')).toEqual({});
    expect(decided(unchecked, 'remote', 'keep')).toMatchObject({ [ids.newest]: reasonOf.unchecked });
    const { plan } = await prune({ side: 'remote', check: true });
    const report = await apply({ side: 'remote', check: true, plan: plan?.fingerprint });
    expect(Object.keys(decided(report, 'remote', 'remove'))).toEqual([ids.sameSecond, ids.copy, ids.oldest]);
    expect(report.outcome).toBe('done');
    expect((await readdir(join(place.remoteHome, backups))).includes(ids.oldest)).toBe(false);
    expect((await undo()).outcome).toBe('done');
    expect(await whole()).toEqual(before);
  });

  it.each([
    ['appears on the remote', () => place.remote.write({ [`${backups}/2026-05-11T04-00-00Z/skills.tar.gz`]: archive('new') })],
    ['changes here', () => place.local.write({ [`${backups}/${ids.oldest}/cron-jobs.json`]: '[]' })],
    ['goes on the remote', () => place.remote.remove(`${backups}/${ids.oldest}`)],
  ])('shows the new plan and removes nothing when a restore point %s', async (_, change) => {
    await arrange();
    const { plan } = await prune();
    await change();
    const before = await whole();
    const report = await apply({ plan: plan?.fingerprint });
    expect(report).toMatchObject({ outcome: 'stopped', stop: { guard: 'plan-changed' }, paths: [] });
    expect(report.plan).toEqual((await prune()).plan);
    expect(report.plan?.fingerprint).not.toBe(plan?.fingerprint);
    expect(await whole()).toEqual(before);
    expect((await place.call('history.list', {})).runs).toEqual([]);
  });

  it('is not available while a session is open, and says so with the plan', async () => {
    await arrange();
    await place.start(['first-session']);
    const before = await whole();
    const report = await apply();
    expect(report).toMatchObject({ outcome: 'stopped', stop: { guard: 'session-active' } });
    expect(decided(report, 'remote', 'remove')).toHaveProperty([ids.oldest]);
    expect(await whole()).toEqual(before);
  });

  it.each([
    ['a rollback changed its staging folder just now', () => place.remote.write({ [`${backups}/.rollback-staging-y/part`]: 'now' })],
    [
      'a snapshot of this minute has no archive yet',
      () => place.remote.write({ [`${backups}/${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}Z/manifest.json`]: '{}' }),
    ],
    ['another prune has its lock', () => place.remote.write({ '.ebbgate/trash/.lock': { folder: true } })],
  ])('is not available while %s', async (_, change) => {
    await arrange();
    await change();
    const before = await whole();
    const report = await apply();
    expect(report).toMatchObject({ outcome: 'stopped', stop: { guard: 'rollback-in-progress' } });
    expect(report.plan?.lines.length).toBeGreaterThan(5);
    expect(await whole()).toEqual(before);
  });

  it('keeps what a remote that runs Hermes made itself, until that is asked for', async () => {
    await arrange();
    await place.remote.write({ 'config.yaml': 'terminal: {}' });
    const report = await prune();
    expect(decided(report, 'remote', 'remove')).toEqual({ [ids.copy]: reasonOf.copy });
    expect(decided(report, 'remote', 'keep')).toMatchObject({ [ids.oldest]: reasonOf.own, [ids.sameSecond]: reasonOf.own });
    expect(Object.keys(decided(await prune({ includeRemoteOwn: true }), 'remote', 'remove'))).toHaveLength(3);
  });

  it('never brings pruned restore points back, and frees them for good when told to', async () => {
    await arrange();
    await apply();
    await place.start(['first-session']);
    const ended = await place.end();
    expect(ended.ledger.written.files).toBe(0);
    const local = Object.keys(await place.localContents()).filter((path) => path.startsWith(backups));
    expect(local.filter((path) => path.includes(ids.oldest) || path.includes(ids.copy))).toEqual([]);
    const freed = await place.call('prune.free', { connection: box });
    expect(freed).toMatchObject({
      kind: 'prune',
      outcome: 'done',
      notes: [expect.stringMatching(/bytes are free now on this computer.*on the remote/)],
    });
    expect(await readdir(join(place.remoteHome, '.ebbgate/trash'))).toEqual([]);
    expect(await readdir(join(place.dataDir, 'pruned'))).toEqual([]);
    expect(await place.ask('prune.undo', { connection: box })).toMatchObject({ ok: false, error: { code: 'prune.nothing-kept' } });
  });

  it('is what the next undo takes back, before the sync-back it came after', async () => {
    await arrange();
    await place.start(['first-session']);
    await place.remote.write({ 'skills/notes/SKILL.md': 'a better skill' });
    await place.end();
    const before = await whole();
    await apply();
    expect((await place.call('undo', { connection: box })).paths).toContainEqual(
      expect.objectContaining({ path: `${backups}/${ids.oldest}` }),
    );
    expect(await whole()).toEqual(before);
    expect((await place.call('undo', { connection: box })).paths.map(({ path }) => path)).toEqual(['skills/notes/SKILL.md']);
  });

  it('deletes what was taken two weeks ago at the start of a session, and nothing younger', async () => {
    await arrange();
    const taken = (await apply()).id;
    const older = taken.replace(/^\d{4}/, '2020');
    await place.remote.write({
      [`.ebbgate/trash/${older}/0.x/skills.tar.gz`]: 'another computer took it',
      '.ebbgate/trash/notes/x': 'not ours',
    });
    const trash = async () => (await readdir(join(place.remoteHome, '.ebbgate/trash'))).sort();
    await place.start(['first-session']);
    expect(await trash()).toEqual([older, taken, 'notes'].sort());
    await place.end();
    const file = join(place.dataDir, 'pruned', taken, 'record.json');
    const record = JSON.parse(await readFile(file, 'utf8')) as { readonly removedAt: string };
    await writeFile(file, JSON.stringify({ ...record, removedAt: '2026-01-01T00:00:00.000Z' }));
    await place.start();
    expect(await trash()).toEqual(['notes']);
    expect(await readdir(join(place.dataDir, 'pruned'))).toEqual([]);
  });

  it('removes nothing through a link, on either side', async () => {
    await arrange();
    await place.remote.remove(backups);
    await place.local.remove(backups);
    await place.remote.write({ 'elsewhere/keep': 'x', [backups]: { link: '../elsewhere' } });
    await place.local.write({ 'elsewhere/keep': 'x', [backups]: { link: '../elsewhere' } });
    for (const home of [place.remote, place.local]) {
      for (const id of [ids.newest, ids.oldest]) await home.write({ [`elsewhere/${id}/skills.tar.gz`]: archive(id) });
    }
    const before = await whole();
    expect((await apply()).plan?.lines).toEqual([]);
    expect(await whole()).toEqual(before);
  });

  it('cleans only the leftovers that were chosen, and puts them back', async () => {
    await arrange();
    const path = 'skills/notes/node_modules';
    const clean = (request: Partial<Params<'clean'>>) =>
      place.call('clean', { connection: box, only: [], all: false, apply: false, ...request });
    const before = await whole();
    const listed = await clean({});
    expect(listed.plan?.lines).toEqual([
      { side: 'remote', id: path, path, bytes: 5000 + '../p/index.js'.length, decision: 'keep', reason: reasonOf['not-chosen'] },
    ]);
    expect(await place.ask('clean', { connection: box, only: ['skills/.archive'], all: false, apply: true })).toMatchObject({
      value: { outcome: 'failed', error: { code: 'usage.invalid' } },
    });
    expect(await whole()).toEqual(before);
    const { plan } = await clean({ only: [path] });
    const report = await clean({ only: [path], apply: true, plan: plan?.fingerprint });
    expect(report).toMatchObject({ kind: 'clean', outcome: 'done', ledger: { removed: { files: 2 } } });
    expect(Object.keys(await place.remoteContents()).filter((name) => name.startsWith(path))).toEqual([]);
    expect((await undo()).outcome).toBe('done');
    expect(await whole()).toEqual(before);
  });
});
