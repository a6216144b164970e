import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { exitCodeOf } from '../../../electron/cli/run-commands';
import { dense } from '../../support/seed-homes';
import { makePlace, pathsOf, type SessionPlace } from '../../support/session';
import { canMount, mountSmallDisk, remount, unmountAll } from '../../support/small-disk';
import { startSshd, type TestSshd } from '../../support/sshd';
import { contentText } from '../../support/tree';

let sshd: TestSshd;
let place: SessionPlace;
const begin = async (options: Parameters<typeof startSshd>[0] = {}) => {
  sshd = await startSshd(options);
  place = await makePlace({ sshd });
  await place.local.write(small);
};
afterEach(async () => {
  unmountAll();
  await place.tearDown();
  await sshd.stop();
});
afterAll(unmountAll);

const small = { 'skills/a/SKILL.md': 'a\n', 'skills/b/SKILL.md': 'b\n' };
const big = dense(4_000_000);

function describeFullDisks(): void {
  for (const [way, options] of [
    ['a shell', {}],
    ['SFTP alone', { sftpOnly: true }],
  ] as const) {
    const edited = { 'skills/a/SKILL.md': 'edited here\n', 'skills/big/SKILL.md': 'big\n', 'skills/big/data.bin': big };

    /** The start fails, existing files are old or new, and nothing of the big one has its name. */
    const expectFull = async () => {
      const report = await place.start();
      expect(report).toMatchObject({ outcome: 'failed', error: { code: 'remote.disk-full' } });
      expect(exitCodeOf(report)).toBe(6);
      const there = await place.remoteContents();
      expect(['a\n', 'edited here\n']).toContain(there['skills/a/SKILL.md']);
      expect(there['skills/b/SKILL.md']).toBe('b\n');
      expect(there).not.toHaveProperty(['skills/big/data.bin']);
      expect(await place.localContents()).toMatchObject({ 'skills/a/SKILL.md': 'edited here\n', 'skills/big/data.bin': contentText(big) });
    };
    const expectRoom = async () => {
      expect((await place.start()).outcome).toBe('done');
      expect(await place.remoteContents()).toEqual(await place.localContents());
    };

    it(`on the remote, over ${way}: a start that has no room sends nothing, and completes when there is some`, async () => {
      await begin(options);
      mountSmallDisk(place.remoteHome, '2m');
      expect((await place.start(['first-session'])).outcome).toBe('done');
      await place.local.write(edited);
      await expectFull();
      expect((await place.remoteContents())['skills/a/SKILL.md']).toBe('a\n');
      remount(place.remoteHome, 'size=20m');
      await expectRoom();
    });

    it(`on the remote, over ${way}: a disk that fills up midway leaves every file whole, and the same again completes`, async () => {
      await begin(options);
      mountSmallDisk(place.remoteHome, '10m');
      expect((await place.start(['first-session'])).outcome).toBe('done');
      await place.local.write(edited);
      const filler = join(place.remoteHome, 'filler');
      let filled = false;
      const stopListening = place.listen((event) => {
        if (filled || event.event !== 'progress' || event.data.phase !== 'transferring') return;
        filled = true;
        expect(() => writeFileSync(filler, Buffer.alloc(12_000_000, 1))).toThrow('ENOSPC');
      });
      await expectFull();
      stopListening();
      expect(filled).toBe(true);
      rmSync(filler);
      await expectRoom();
    });
  }

  it('here: an end downloads nothing that would use up the reserve, and says how much is missing', async () => {
    await begin();
    mountSmallDisk(place.localHome, '8m');
    await place.local.write(small);
    await place.start(['first-session']);
    await place.remote.write({ 'skills/big/SKILL.md': 'big\n', 'skills/big/data.bin': big });
    const before = await place.local.read();
    const report = await place.end();
    expect(report).toMatchObject({ outcome: 'failed', error: { code: 'local.no-space', details: { needed: 4_000_004 } } });
    expect(exitCodeOf(report)).toBe(1);
    expect(report.ledger.transferred).toEqual({ files: 0, bytes: 0 });
    expect(report.ledger.wire.received).toBeLessThan(1_000_000);
    expect(await place.local.read()).toEqual(before);
    expect(await place.session()).toBe('pending');
  });

  it("in the app's own folder: what was known stays known, and the same again completes", async () => {
    await begin();
    await place.start(['first-session']);
    await place.restart(async () => {
      const copy = join(place.folder, 'copy');
      execFileSync('cp', ['-a', place.dataDir, copy]);
      mountSmallDisk(place.dataDir, '1m');
      execFileSync('cp', ['-a', `${copy}/.`, place.dataDir]);
    });
    await place.remote.write({ 'skills/a/SKILL.md': 'edited there\n', 'skills/new/SKILL.md': 'new\n' });
    const filler = join(place.dataDir, 'filler');
    expect(() => writeFileSync(filler, Buffer.alloc(2_000_000, 1))).toThrow('ENOSPC');
    const answer = await place.ask('session.end', { connection: 'build-box', allow: [] });
    expect(answer).toMatchObject({ ok: false, error: { code: 'store.failed', details: { reason: 'the disk is full' } } });
    for (const [path, text] of Object.entries(await place.localContents()))
      expect(['a\n', 'b\n', 'edited there\n', 'new\n'], path).toContain(text);

    rmSync(filler);
    await place.restart();
    const report = await place.end();
    expect(report.outcome).toBe('done');
    expect(pathsOf(report, 'conflict')).toEqual([]);
    expect(await place.localContents()).toEqual(await place.remoteContents());
  });
}

describe('a full disk', { timeout: 240_000 }, () => {
  if (canMount()) describeFullDisks();
  else console.log('not run: full disks, because this account may not mount a small one');

  it('keeps nobody from a session while there is room', async () => {
    await begin();
    expect((await place.start(['first-session'])).outcome).toBe('done');
    expect((await place.end()).outcome).toBe('done');
  });
});
