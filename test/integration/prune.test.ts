import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { planReasons as reasonOf } from '../../shared/plan';
import { makeBusyboxPath } from '../support/busybox';
import { type BothSides, box, withoutOwn } from '../support/session';
import type { SshdOptions } from '../support/sshd-config';
import { archive, backups, ids, pointBytes } from './pruned-homes';
import { decided, usePruning } from './pruning';

const foreign = {
  '2026-05-03T04-00-00Z': 'link',
  'before-trip': 'foreign',
  [`${ids.oldest} (copy)`]: 'foreign',
  'notes.txt': 'foreign',
} as const;

describe('prune against a real SSH server', () => {
  const here = usePruning();
  const { arrange, prune, apply, undo, whole } = here;

  it('plans with a reason on each line, and changes nothing anywhere', async () => {
    await arrange();
    const before = await here.place.sides();
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
    expect(await here.place.sides()).toEqual(before);
    expect(await whole()).toEqual(times);
    expect(await readdir(here.place.dataDir)).not.toContain('pruned');
    expect((await here.place.call('history.list', {})).runs).toEqual([]);
  });

  const ways: readonly (readonly [string, () => SshdOptions])[] = [
    ['a shell', () => ({})],
    ['BusyBox', () => ({ login: 'busybox', path: makeBusyboxPath(join(here.bin(), 'box')) })],
    ['BusyBox without stat', () => ({ login: 'busybox', path: makeBusyboxPath(join(here.bin(), 'box'), ['stat', 'flock', 'sha256sum']) })],
  ];
  it.each(ways)('removes exactly what it planned and puts it back whole, through %s', async (name, options) => {
    await arrange(options());
    // Without times nobody can tell that the rollback is over.
    if (name === 'BusyBox without stat') await here.place.remote.remove(`${backups}/.rollback-staging-x`);
    const before = await whole();
    const plan = (await prune()).plan;
    const report = await apply({ plan: plan?.fingerprint });
    const gone = (plan?.lines ?? []).filter(({ decision }) => decision === 'remove');
    expect(report).toMatchObject({ outcome: 'done', plan, ledger: { removed: { files: 10 } } });
    expect(report.paths.map(({ path, outcome }) => [path, outcome])).toEqual(gone.map(({ path }) => [path, 'removed']));
    const after = withoutOwn((await here.place.sides()).remote);
    const [, remoteBefore] = before as readonly [unknown, BothSides['remote']];
    expect([...after.keys()]).toEqual(
      [...remoteBefore.keys()].filter(
        (path) => !gone.some((line) => line.side === 'remote' && (path === line.path || path.startsWith(`${line.path}/`))),
      ),
    );
    expect((await here.place.call('prune.removed', { connection: box })).runs).toMatchObject([
      { run: report.id, kind: 'prune', local: { count: 2 }, remote: { count: 3 } },
    ]);
    expect((await here.place.call('history.list', {})).runs).toEqual([report]);
    expect((await undo()).outcome).toBe('done');
    expect(await whole()).toEqual(before);
    expect((await here.place.call('prune.removed', { connection: box })).runs).toEqual([]);
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
    expect((await readdir(join(here.place.remoteHome, backups))).includes(ids.oldest)).toBe(false);
    expect((await undo()).outcome).toBe('done');
    expect(await whole()).toEqual(before);
  });

  it('never brings pruned restore points back, and frees them for good when told to', async () => {
    await arrange();
    await apply();
    await here.place.start(['first-session']);
    const ended = await here.place.end();
    expect(ended.ledger.written.files).toBe(0);
    const local = Object.keys(await here.place.localContents()).filter((path) => path.startsWith(backups));
    expect(local.filter((path) => path.includes(ids.oldest) || path.includes(ids.copy))).toEqual([]);
    const freed = await here.place.call('prune.free', { connection: box, kind: 'prune' });
    expect(freed).toMatchObject({
      kind: 'prune',
      outcome: 'done',
      notes: [expect.stringMatching(/bytes are free now on this computer.*on the remote/)],
    });
    expect(await readdir(join(here.place.remoteHome, '.ebbgate/trash'))).toEqual([]);
    expect(await readdir(join(here.place.dataDir, 'pruned'))).toEqual([]);
    expect(await here.place.ask('prune.undo', { connection: box, kind: 'prune' })).toMatchObject({
      ok: false,
      error: { code: 'prune.nothing-kept' },
    });
  });

  it('is what the next undo takes back, before the sync-back it came after', async () => {
    await arrange();
    await here.place.start(['first-session']);
    await here.place.remote.write({ 'skills/notes/SKILL.md': 'a better skill' });
    await here.place.end();
    const before = await whole();
    await apply();
    expect((await here.place.call('undo', { connection: box })).paths).toContainEqual(
      expect.objectContaining({ path: `${backups}/${ids.oldest}` }),
    );
    expect(await whole()).toEqual(before);
    // What was put back is not taken again; the sync-back goes only when it is asked for by name.
    const { next } = await here.place.call('undo.usage', { connection: box });
    expect(await here.place.ask('undo', { connection: box })).toMatchObject({
      ok: false,
      error: { code: 'undo.other-run', details: { kind: 'sync-back', run: next?.run } },
    });
    expect(await whole()).toEqual(before);
    const named = await here.place.call('undo', { connection: box, run: next?.run });
    expect(named.paths.map(({ path }) => path)).toEqual(['skills/notes/SKILL.md']);
  });

  it('deletes what was taken two weeks ago at the start of a session, and nothing younger', async () => {
    await arrange();
    const taken = (await apply()).id;
    const older = taken.replace(/^\d{4}/, '2020');
    await here.place.remote.write({
      [`.ebbgate/trash/${older}/0.x/skills.tar.gz`]: 'another computer took it',
      '.ebbgate/trash/notes/x': 'not ours',
    });
    const trash = async () => (await readdir(join(here.place.remoteHome, '.ebbgate/trash'))).sort();
    await here.place.start(['first-session']);
    expect(await trash()).toEqual([older, taken, 'notes'].sort());
    await here.place.end();
    const file = join(here.place.dataDir, 'pruned', taken, 'record.json');
    const record = JSON.parse(await readFile(file, 'utf8')) as { readonly removedAt: string };
    await writeFile(file, JSON.stringify({ ...record, removedAt: '2026-01-01T00:00:00.000Z' }));
    await here.place.start();
    expect(await trash()).toEqual(['notes']);
    expect(await readdir(join(here.place.dataDir, 'pruned'))).toEqual([]);
  });

  it('removes nothing through a link, on either side', async () => {
    await arrange();
    await here.place.remote.remove(backups);
    await here.place.local.remove(backups);
    await here.place.remote.write({ 'elsewhere/keep': 'x', [backups]: { link: '../elsewhere' } });
    await here.place.local.write({ 'elsewhere/keep': 'x', [backups]: { link: '../elsewhere' } });
    for (const home of [here.place.remote, here.place.local]) {
      for (const id of [ids.newest, ids.oldest]) await home.write({ [`elsewhere/${id}/skills.tar.gz`]: archive(id) });
    }
    const before = await whole();
    const report = await apply();
    expect(report.plan?.lines).toEqual([]);
    const told = `${backups} is a link: nothing in it was looked at, and nothing will be touched. Put the folder itself there to see and prune its restore points.`;
    expect(report.notes).toEqual([`This computer: ${told}`, `The remote: ${told}`, 'Nothing can go.']);
    expect(await whole()).toEqual(before);
  });
});
