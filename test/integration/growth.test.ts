import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RunReport } from '../../shared/run-report';
import { makePlace, outcomesOf, type SessionPlace } from '../support/session';
import { startSshd, type TestSshd } from '../support/sshd';
import type { Tree } from '../support/tree';
import { decide, filled, MB, many, patience, skill } from './growing';

interface Case {
  readonly title: string;
  readonly culprit: string;
  readonly tree: () => Tree;
  readonly bytes: number;
  readonly files: number;
  /** What the sentence must say. */
  readonly says: readonly string[];
}

const cases: readonly Case[] = [
  {
    title: '60 MB of .npm in a known skill',
    culprit: 'skills/web/.npm',
    tree: () => many('skills/web/.npm/_cacache/content', 60, MB),
    ...{ bytes: 60 * MB, files: 60, says: ['60 MB in 60 files', 'skills/web/.npm'] },
  },
  {
    title: 'one file of 30 MB',
    culprit: 'skills/web/model.bin',
    tree: () => ({ 'skills/web/model.bin': filled(30 * MB, 7) }),
    ...{ bytes: 30 * MB, files: 1, says: ['new file of 30 MB', 'skills/web/model.bin'] },
  },
  {
    title: '3 000 small files in a new folder',
    culprit: 'skills/web/pages',
    tree: () => many('skills/web/pages', 3000, 5000),
    ...{ bytes: 15 * MB, files: 3000, says: ['15 MB in 3000 files', 'skills/web/pages'] },
  },
  {
    title: 'a file that grows from 10 kB to 40 MB',
    culprit: 'skills/web/notes.md',
    tree: () => ({ 'skills/web/notes.md': filled(40 * MB, 9) }),
    ...{ bytes: 40 * MB, files: 1, says: ['grew from 10 kB to 40 MB'] },
  },
];

function expectHeld(report: RunReport, { culprit, bytes, files, says }: Case): void {
  expect(report.outcome).toBe('held');
  expect(report.ledger.wire.received).toBeLessThan(5 * MB);
  expect(report.alerts.filter(({ kind }) => kind === 'growth')).toEqual([
    { kind: 'growth', actual: bytes, usual: expect.any(Number), culprit, holding: true },
  ]);
  const held = report.paths.filter(({ outcome }) => outcome === 'held');
  expect(held.reduce((sum, path) => sum + path.bytes, 0)).toBe(bytes);
  expect(held.map(({ path }) => path)).toEqual([culprit]);
  for (const text of says) expect(held[0]?.reason).toContain(text);
  const { onRemote, refused, written, unchanged } = report.ledger;
  expect(written.bytes + unchanged.bytes + bytes).toBe(onRemote.bytes - refused.bytes);
  expect(written.files + unchanged.files + files).toBe(onRemote.files - refused.files);
}

describe('a teardown with far more than usual', patience, () => {
  let sshd: TestSshd;
  let place: SessionPlace;
  beforeAll(async () => {
    sshd = await startSshd();
  });
  beforeEach(async () => {
    place = await makePlace({ sshd });
    await place.local.write(skill);
    await place.start(['first-session']);
  });
  afterEach(() => place.tearDown());
  afterAll(() => sshd.stop());

  for (const one of cases) {
    it(`holds ${one.title}, keeps it held, and brings it when it is released`, async () => {
      await place.remote.write({ ...one.tree(), 'skills/git/SKILL.md': '# Git, better\n' });
      const before = await place.localContents();
      const first = await place.end();
      expectHeld(first, one);
      // The rest came home.
      expect(await place.localContents()).toEqual({ ...before, 'skills/git/SKILL.md': '# Git, better\n' });
      const [item, ...others] = await place.inbox();
      expect(others).toEqual([]);
      expect(item).toMatchObject({ kind: 'growth', path: one.culprit, bytes: one.bytes, local: null, remote: null, stored: false });
      for (const text of one.says) expect(item?.reason).toContain(text);

      for (const session of [1, 2, 3]) {
        if (session === 3) await place.restart();
        expect((await place.start()).outcome).toBe('done');
        await place.remote.write({ 'skills/git/SKILL.md': `# Git, better still: ${'!'.repeat(session)}\n` });
        const report = await place.end();
        expectHeld({ ...report, paths: report.paths.filter(({ outcome }) => outcome !== 'written') }, { ...one, says: [] });
        expect(outcomesOf(report)['skills/git/SKILL.md']).toBe('written');
        expect(await place.inbox()).toEqual([{ ...item, reason: expect.stringContaining(one.culprit) }]);
      }

      await decide(place, 'release');
      const released = await place.end();
      expect(released).toMatchObject({ outcome: 'done', alerts: [] });
      expect(released.ledger.written).toEqual({ files: one.files, bytes: one.bytes });
      expect(await place.localContents()).toEqual(await place.remoteContents());
      expect(await place.inbox()).toEqual([]);
      expect((await place.call('decision.list', {})).decisions).toEqual([]);
    });
  }

  it('shows in a preview what would be held, and holds nothing by it', async () => {
    await place.remote.write(many('skills/web/.npm', 30, MB));
    const before = await place.sides();
    const report = await place.preview('sync-back');
    expect(report).toMatchObject({ outcome: 'held', alerts: [{ kind: 'growth', culprit: 'skills/web/.npm', holding: true }] });
    expect(report.paths).toMatchObject([{ path: 'skills/web/.npm', outcome: 'held', bytes: 30 * MB }]);
    expect(report.ledger.wire.received).toBeLessThan(5 * MB);
    expect(await place.inbox()).toEqual([]);
    expect(await place.sides()).toEqual(before);
  });

  it('alerts about refused bookkeeping once, and again after 20 MB and a quarter more', async () => {
    await place.remote.write(many('skills/web/node_modules/a', 21, MB));
    const alert = { kind: 'refused-bookkeeping', actual: 21 * MB, usual: 0, culprit: 'node_modules', holding: false };
    expect((await place.preview('sync-back')).alerts).toEqual([alert]);
    expect(await place.end()).toMatchObject({ outcome: 'done', alerts: [alert] });
    await place.restart();
    expect(await place.end()).toMatchObject({ outcome: 'done', alerts: [] });
    await place.remote.write(many('skills/web/node_modules/b', 19, MB));
    expect(await place.end()).toMatchObject({ alerts: [] });
    await place.remote.write(many('skills/web/node_modules/c', 1, MB));
    expect((await place.end()).alerts).toMatchObject([{ kind: 'refused-bookkeeping', actual: 41 * MB }]);
  });

  it('raises nothing in 20 normal teardowns', async () => {
    for (let session = 1; session <= 20; session += 1) {
      await place.remote.write({
        'skills/web/notes.md': 'n'.repeat(10_000 + ((session * 7919) % 60_000)),
        [`skills/git/log/${session}.md`]: 'done',
      });
      expect(await place.end()).toMatchObject({ outcome: 'done', alerts: [] });
    }
    expect(await place.inbox()).toEqual([]);
  });
});

describe('a teardown over SFTP alone', patience, () => {
  it('holds a folder, and a conflict about a large file, before more than a little is read', async () => {
    const sshd = await startSshd({ sftpOnly: true });
    const place = await makePlace({ sshd });
    try {
      await place.local.write(skill);
      await place.start(['first-session']);
      await place.remote.write({ ...many('skills/web/.npm', 30, MB), 'skills/web/notes.md': filled(40 * MB, 5) });
      await place.local.write({ 'skills/web/notes.md': 'mine' });
      for (const run of [() => place.end(), () => place.start(), () => place.end()]) {
        const report = await run();
        expect(report.ledger.wire.received).toBeLessThan(5 * MB);
      }
      expect((await place.inbox()).map(({ kind, path }) => `${kind} ${path}`)).toEqual([
        'growth skills/web/.npm',
        'growth skills/web/notes.md',
      ]);
      expect((await place.localContents())['skills/web/notes.md']).toBe('mine');
    } finally {
      await place.tearDown();
      await sshd.stop();
    }
  });
});
