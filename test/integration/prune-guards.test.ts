import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { planReasons as reasonOf } from '../../shared/plan';
import { box } from '../support/session';
import { archive, backups, ids } from './pruned-homes';
import { decided, usePruning } from './pruning';

describe('what keeps a prune or clean from going on, against a real SSH server', () => {
  const here = usePruning();
  const { arrange, prune, apply, whole } = here;

  const changes = [
    ['appears on the remote', () => here.place.remote.write({ [`${backups}/2026-05-11T04-00-00Z/skills.tar.gz`]: archive('new') })],
    ['appears here', () => here.place.local.write({ [`${backups}/2026-05-11T04-00-00Z/skills.tar.gz`]: archive('new') })],
    // As long as before: only its time tells.
    ['changes on the remote', () => here.place.remote.write({ [`${backups}/${ids.oldest}/skills.tar.gz`]: archive('another') })],
    ['changes here', () => here.place.local.write({ [`${backups}/${ids.oldest}/cron-jobs.json`]: '[]' })],
    ['goes on the remote', () => here.place.remote.remove(`${backups}/${ids.oldest}`)],
  ] as const;
  describe.each([
    ['a shell', {}, {}],
    ['SFTP alone', { sftpOnly: true }, { check: true }],
  ] as const)('over %s', (_way, options, request) => {
    it.each(changes)('shows the new plan and removes nothing when a restore point %s', async (_what, change) => {
      await arrange(options);
      const { plan } = await prune(request);
      expect(plan?.lines.filter(({ side, decision }) => side === 'remote' && decision === 'remove')).toHaveLength(3);
      await change();
      const before = await whole();
      const report = await apply({ ...request, plan: plan?.fingerprint });
      expect(report).toMatchObject({ outcome: 'stopped', stop: { guard: 'plan-changed' }, paths: [] });
      expect(report.plan).toEqual((await prune(request)).plan);
      expect(report.plan?.fingerprint).not.toBe(plan?.fingerprint);
      expect(await whole()).toEqual(before);
      expect((await here.place.call('history.list', {})).runs).toEqual([]);
    });
  });

  describe.each([
    ['a shell', {}, {}],
    ['SFTP alone', { sftpOnly: true }, { check: true }],
  ] as const)('with a link for a trash, over %s', (_way, options, request) => {
    it('fails before anything moves, and leaves nothing that could be undone or freed', async () => {
      await arrange(options);
      await here.place.remote.write({ 'elsewhere/keep': 'x', '.ebbgate/trash': { link: '../elsewhere' } });
      const before = await whole();
      expect(await apply(request)).toMatchObject({ outcome: 'failed', error: { code: 'remote.failed' } });
      expect(await whole()).toEqual(before);
      expect(await here.place.call('prune.removed', { connection: box })).toEqual({ runs: [] });
    });

    it('frees nothing when the link came later, and says so', async () => {
      await arrange(options);
      const { id } = await apply(request);
      const { remoteHome } = here.place;
      await rename(join(remoteHome, '.ebbgate/trash'), join(remoteHome, 'elsewhere'));
      await here.place.remote.write({ '.ebbgate/trash': { link: '../elsewhere' } });
      const before = await whole();
      const freed = await here.place.call('prune.free', { connection: box, kind: 'prune' });
      expect(freed).toMatchObject({ outcome: 'failed', error: { code: 'remote.failed', message: expect.stringContaining('link') } });
      expect(await whole()).toEqual(before);
      expect((await here.place.call('prune.removed', { connection: box })).runs).toMatchObject([{ run: id }]);
    });
  });

  it('frees no more than what is still kept, and tells no more than that', async () => {
    await arrange();
    await apply();
    const { remoteHome } = here.place;
    await rm(join(remoteHome, '.ebbgate/trash'), { recursive: true });
    const freed = await here.place.call('prune.free', { connection: box, kind: 'prune' });
    expect(freed.notes).toEqual([
      expect.stringMatching(/^[1-9]\d* bytes are free now on this computer\. 0 bytes are free now on the remote\.$/),
    ]);
  });

  it('is not available while a session is open, and says so with the plan', async () => {
    await arrange();
    await here.place.start(['first-session']);
    const before = await whole();
    const report = await apply();
    expect(report).toMatchObject({ outcome: 'stopped', stop: { guard: 'session-active' } });
    expect(decided(report, 'remote', 'remove')).toHaveProperty([ids.oldest]);
    expect(await whole()).toEqual(before);
  });

  it.each([
    ['a rollback changed its staging folder just now', () => here.place.remote.write({ [`${backups}/.rollback-staging-y/part`]: 'now' })],
    [
      'a snapshot of this minute has no archive yet',
      () => here.place.remote.write({ [`${backups}/${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}Z/manifest.json`]: '{}' }),
    ],
    ['another prune has its lock', () => here.place.remote.write({ '.ebbgate/trash/.lock': { folder: true } })],
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
    await here.place.remote.write({ 'config.yaml': 'terminal: {}' });
    const report = await prune();
    expect(decided(report, 'remote', 'remove')).toEqual({ [ids.copy]: reasonOf.copy });
    expect(decided(report, 'remote', 'keep')).toMatchObject({ [ids.oldest]: reasonOf.own, [ids.sameSecond]: reasonOf.own });
    expect(Object.keys(decided(await prune({ includeRemoteOwn: true }), 'remote', 'remove'))).toHaveLength(3);
  });
});
