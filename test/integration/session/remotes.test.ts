import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { ConnectionTest, NewConnection } from '../../../shared/connection';
import { makeBusyboxPath } from '../../support/busybox';
import { publicBlob } from '../../support/keys';
import { box, makePlace, pathsOf, type SessionPlace } from '../../support/session';
import { startSshd, type TestSshd } from '../../support/sshd';
import type { SshdOptions } from '../../support/sshd-config';
import { makeBsdPath, makeToolFolder, makeToyboxPath } from '../../support/toolsets';

const folder = mkdtempSync(join(tmpdir(), 'ebbgate-remotes-'));
afterAll(() => rmSync(folder, { recursive: true }));

let sshd: TestSshd;
let place: SessionPlace | null = null;
afterEach(async () => {
  await place?.tearDown();
  place = null;
  await sshd.stop();
});

async function placeAt(options: SshdOptions, connection: Partial<NewConnection> = {}, remoteHome?: string): Promise<SessionPlace> {
  sshd = await startSshd(options);
  place = await makePlace({ sshd, connection, ...(remoteHome === undefined ? {} : { remoteHome: join(sshd.home, remoteHome) }) });
  return place;
}

const test = (at: SessionPlace) => at.call('connection.test', { connection: box });
const detailsOf = ({ checks }: ConnectionTest) => Object.fromEntries(checks.map(({ id, detail }) => [id, detail]));

/** A profile's home is one of its own, with its own state. */
const withoutState = (contents: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(contents).filter(([path]) => !path.includes('/.ebbgate/')));

/** The test is green, and so is a whole session with the same parameters. */
async function expectGreenThenSynced(at: SessionPlace, profile: string | null = null): Promise<Record<string, string>> {
  const tested = await test(at);
  expect(tested.checks.filter(({ ok }) => !ok)).toEqual([]);
  expect(tested.checks.map(({ id }) => id)).toEqual(['reach', 'host-key', 'login', 'shell', 'home', 'tar', 'space', 'hermes', 'clock']);
  const inside = profile === null ? '' : `profiles/${profile}/`;
  await at.local.write({
    [`${inside}skills/a/SKILL.md`]: 'a\n',
    [`${inside}skills/a/run it.sh`]: { text: '#!/bin/sh\n', executable: true },
  });
  expect(await at.start(['first-session'])).toMatchObject({ outcome: 'done', ledger: { written: { files: 2 } } });
  await at.remote.write({ [`${inside}skills/a/SKILL.md`]: 'edited there\n', [`${inside}skills/new one/SKILL.md`]: 'new\n' });
  expect((await at.call('inspect', { connection: box, side: 'both' })).remote?.readable).toBe(true);
  expect(pathsOf(await at.end(), 'written')).toEqual(['skills/a/SKILL.md', 'skills/new one/SKILL.md']);
  expect(await at.localContents()).toEqual(withoutState(await at.remoteContents()));
  return detailsOf(tested);
}

describe('a green connection test, followed by a session with the same parameters', { timeout: 240_000 }, () => {
  it('GNU tools', async () => {
    const found = await expectGreenThenSynced(await placeAt({}));
    expect(found).toMatchObject({ shell: expect.stringMatching(/^Linux .*GNU tools$/), tar: expect.stringMatching(/GNU tar/) });
    expect(found).toMatchObject({ home: expect.stringMatching(/not there yet/), clock: 'agrees with this computer' });
    expect(found.hermes).toContain('not installed');
  });

  it('BusyBox', async () => {
    const found = await expectGreenThenSynced(await placeAt({ login: 'busybox', path: makeBusyboxPath(join(folder, 'busybox')) }));
    expect(found).toMatchObject({ shell: expect.stringMatching(/BusyBox or toybox tools$/), tar: expect.stringMatching(/busybox/i) });
  });

  it('toybox', async () => {
    const found = await expectGreenThenSynced(await placeAt({ path: makeToyboxPath(join(folder, 'toybox')) }));
    expect(found.shell).toMatch(/BusyBox or toybox tools$/);
  });

  it('tools as on macOS and the BSDs', async () => {
    const found = await expectGreenThenSynced(await placeAt({ path: makeBsdPath(join(folder, 'bsd')) }));
    expect(found).toMatchObject({ shell: expect.stringMatching(/BSD tools$/), tar: expect.stringMatching(/bsdtar/) });
  });

  it('an account whose shell is Fish', async () => {
    await expectGreenThenSynced(await placeAt({ login: 'fish' }));
  });

  it('an account whose shell is csh', async () => {
    await expectGreenThenSynced(await placeAt({ login: 'csh' }));
  });

  it('SFTP alone', async () => {
    const found = await expectGreenThenSynced(await placeAt({ sftpOnly: true }));
    expect(found).toMatchObject({ shell: expect.stringMatching(/SFTP is used instead/), tar: expect.stringMatching(/not needed/) });
  });

  it('start-up files that print', async () => {
    await expectGreenThenSynced(await placeAt({ login: 'noisy' }));
  });

  it('a Hermes home elsewhere, with a profile', async () => {
    const at = await placeAt({}, { remoteHome: '~/data/my hermes', profile: 'work' }, 'data/my hermes');
    mkdirSync(join(sshd.home, 'data'));
    await at.remote.write({ 'profiles/play/skills/x/SKILL.md': 'not ours\n' });
    await at.local.write({ 'profiles/play/skills/x/SKILL.md': 'not ours\n' });
    const found = await expectGreenThenSynced(at, 'work');
    expect(found.home).toMatch(/data\/my hermes\/profiles\/work is not there yet.*other profiles there: play/);
  });

  it('a remote that runs Hermes, and one whose Hermes home is empty', async () => {
    const at = await placeAt({});
    await at.remote.write({ 'config.yaml': 'model: x\n', 'profiles/work/skills/a/SKILL.md': 'a\n' });
    expect(detailsOf(await test(at))).toMatchObject({
      home: `${at.remoteHome} is there; profiles there: work`,
      hermes: `runs there (${at.remoteHome}/config.yaml)`,
    });
    rmSync(at.remoteHome, { recursive: true });
    mkdirSync(at.remoteHome);
    expect(detailsOf(await test(at)).home).toMatch(/this account has no Hermes data in it.*--remote-home/);
  });
});

describe('a connection test that fails', { timeout: 240_000 }, () => {
  /** Exactly this check fails, with a fix; those before it passed. */
  async function expectFailed(at: SessionPlace, id: string): Promise<{ readonly detail: string; readonly fix: string }> {
    const { ok, checks } = await test(at);
    const failed = checks.filter((check) => !check.ok);
    expect([ok, failed.map((check) => check.id)]).toEqual([false, [id]]);
    expect(failed[0]?.fix).toMatch(/\w.*\.$/s);
    return { detail: failed[0]?.detail ?? '', fix: failed[0]?.fix ?? '' };
  }

  it('at reaching it', async () => {
    const at = await placeAt({});
    await sshd.crash();
    expect((await expectFailed(at, 'reach')).detail).toBe('ssh.refused');
  });

  it('at the host key', async () => {
    const knownHostsFile = join(folder, 'known_hosts');
    const at = await placeAt({}, { knownHostsFile });
    expect((await expectFailed(at, 'host-key')).fix).toContain(sshd.fingerprint());
    const other = sshd.makeKey('other');
    writeFileSync(knownHostsFile, `[127.0.0.1]:${sshd.port} ssh-ed25519 ${publicBlob(other).toString('base64')}\n`);
    expect((await expectFailed(at, 'host-key')).fix).toContain(`ssh-keygen -R '[127.0.0.1]:${sshd.port}' -f '${knownHostsFile}'`);
  });

  it('at the login', async () => {
    const at = await placeAt({});
    writeFileSync(sshd.authorizedKeysFile, '');
    expect((await expectFailed(at, 'login')).detail).toBe('ssh.auth-rejected');
  });

  it('at the shell, when the account is closed', async () => {
    const at = await placeAt({ login: 'closed' });
    expect((await expectFailed(at, 'shell')).fix).toContain('login shell');
  });

  it('at a home that belongs to root', async () => {
    const at = await placeAt({ login: 'unprivileged' });
    chmodSync(sshd.dir, 0o755);
    mkdirSync(at.remoteHome);
    const { detail, fix } = await expectFailed(at, 'home');
    expect([detail, fix]).toEqual([`${at.remoteHome} cannot be written by this account`, expect.stringContaining('chown')]);
    chownSync(at.remoteHome, 65_534, 65_534);
    expect((await test(at)).ok).toBe(true);
  });

  it('at the room that is left', async () => {
    const df = '#!/bin/sh\necho head\necho "/dev/x 1000 990 10 99% /"\n';
    const path = `${makeToolFolder(join(folder, 'full'), { links: {}, scripts: { df } })}:${process.env.PATH}`;
    expect((await expectFailed(await placeAt({ path }), 'space')).detail).toBe('10240 bytes free');
  });

  it('at a clock that is an hour behind', async () => {
    const date = '#!/bin/sh\nexec /bin/date -d "1 hour ago" "$@"\n';
    const path = `${makeToolFolder(join(folder, 'late'), { links: {}, scripts: { date } })}:${process.env.PATH}`;
    expect((await expectFailed(await placeAt({ path }), 'clock')).detail).toBe('60 minutes behind this computer');
  });
});

describe('an account with a quota', { timeout: 240_000 }, () => {
  it('is named as the reason when the quota is used up, and keeps what it has', async () => {
    const tar =
      '#!/bin/sh\ncase $1 in -x*) cat >/dev/null; echo "tar: a: Cannot write: Disk quota exceeded" >&2; exit 2 ;; esac\nexec /bin/tar "$@"\n';
    const path = `${makeToolFolder(join(folder, 'quota'), { links: {}, scripts: { tar } })}:${process.env.PATH}`;
    const at = await placeAt({ path });
    await at.local.write({ 'skills/a/SKILL.md': 'a\n' });
    await at.remote.write({ 'skills/b/SKILL.md': 'b\n' });
    expect(await at.start(['first-session'])).toMatchObject({ outcome: 'failed', error: { code: 'remote.disk-full' } });
    expect(await at.remoteContents()).toEqual({ 'skills/b/SKILL.md': 'b\n' });
  });
});
