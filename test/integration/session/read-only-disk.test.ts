import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { exitCodeOf } from '../../../electron/cli/run-commands';
import { makePlace, outcomesOf, type SessionPlace } from '../../support/session';
import { canMount, mountSmallDisk, remount, unmountAll } from '../../support/small-disk';
import { startSshd, type TestSshd } from '../../support/sshd';

const agreed = { 'skills/a/SKILL.md': 'a\n', 'skills/b/SKILL.md': 'b\n' };
const edited = { 'skills/a/SKILL.md': 'edited\n', 'skills/c/SKILL.md': 'a new skill\n' };

let sshd: TestSshd;
let place: SessionPlace;
const begin = async (options: Parameters<typeof startSshd>[0] = {}) => {
  sshd = await startSshd(options);
  place = await makePlace({ sshd });
  await place.local.write(agreed);
  expect((await place.start(['first-session'])).outcome).toBe('done');
};
afterEach(async () => {
  unmountAll();
  await place.tearDown();
  await sshd.stop();
});
afterAll(unmountAll);

function describeReadOnlyDisks(): void {
  it('here: an end changes nothing and says why, and completes once the disk can be written', async () => {
    sshd = await startSshd();
    place = await makePlace({ sshd });
    // Larger than what an end leaves free.
    mountSmallDisk(place.localHome, '2g');
    await place.local.write(agreed);
    expect((await place.start(['first-session'])).outcome).toBe('done');
    await place.remote.write(edited);
    await place.remote.remove('skills/b');
    const before = await place.local.read();
    remount(place.localHome, 'ro');
    const report = await place.end();
    expect([report.outcome, exitCodeOf(report)]).toEqual(['partly', 4]);
    expect(report.paths.map(({ path, outcome, reason }) => [path, outcome, reason])).toEqual(
      [...Object.keys({ ...agreed, ...edited })].sort().map((path) => [path, 'failed', 'the disk is read-only']),
    );
    expect(await place.local.read()).toEqual(before);
    remount(place.localHome, 'rw');
    await place.restart();
    expect((await place.end()).outcome).toBe('done');
    expect(await place.localContents()).toEqual(edited);
  });

  for (const [way, options] of [
    ['a shell', {}],
    ['SFTP alone', { sftpOnly: true }],
  ] as const) {
    it(`on the remote, over ${way}: a start changes nothing and says why, and completes once the disk can be written`, async () => {
      await begin(options);
      mountSmallDisk(place.remoteHome, '20m');
      // The disk begins empty: what is there comes from a first start of its own.
      expect((await place.start(['first-session', 'remote-empty', 'identity-changed'])).outcome).toBe('done');
      await place.local.write(edited);
      await place.local.remove('skills/b');
      const before = await place.remote.read();
      remount(place.remoteHome, 'ro');
      const report = await place.start();
      expect(['failed', 'partly']).toContain(report.outcome);
      expect([6, 4]).toContain(exitCodeOf(report));
      expect(`${report.error?.message} ${JSON.stringify(outcomesOf(report))} ${JSON.stringify(report.paths)}`).toMatch(
        /read-only|Failure|denied/i,
      );
      expect(await place.remote.read()).toEqual(before);
      remount(place.remoteHome, 'rw');
      expect((await place.start()).outcome).toBe('done');
      expect(await place.remoteContents()).toEqual(edited);
    });
  }
}

describe('a read-only disk', { timeout: 240_000 }, () => {
  if (canMount()) describeReadOnlyDisks();
  else console.log('not run: read-only disks, because this account may not mount a small one');

  it('keeps nobody from a session once it can be written', async () => {
    await begin();
    expect((await place.end()).outcome).toBe('done');
  });
});
