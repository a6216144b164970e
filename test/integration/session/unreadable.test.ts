import { chmodSync, chownSync, copyFileSync, lchownSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { exitCodeOf } from '../../../electron/cli/run-commands';
import { makePlace, outcomesOf, pathsOf, type SessionPlace } from '../../support/session';
import { startSshd, type TestSshd } from '../../support/sshd';

/** Any user but root. */
const nobody = 65_534;

let sshd: TestSshd;
let place: SessionPlace;
afterEach(async () => {
  await place.tearDown();
  await sshd.stop();
});

const files = { 'skills/locked/SKILL.md': 'locked\n', 'skills/locked/deep/x.md': 'x\n', 'skills/open/SKILL.md': 'open\n' };

describe('a folder that cannot be read on the remote', { timeout: 240_000 }, () => {
  it('is unknown, never deleted: nothing below it changes on either side', async () => {
    const tools = mkdtempSync(join(tmpdir(), 'ebbgate-find-'));
    try {
      sshd = await startSshd({ path: `${tools}:/usr/bin:/bin` });
      place = await makePlace({ sshd });
      await place.local.write(files);
      await place.start(['first-session']);
      await place.remote.write({ 'skills/open/SKILL.md': 'edited there\n' });
      // Permissions do not bind root, so a `find` in front of the real one denies one folder.
      const script =
        '#!/bin/sh\n/usr/bin/find "$@" | grep -v " skills/locked/"\necho "find: \'skills/locked\': Permission denied" >&2\nexit 1\n';
      writeFileSync(join(tools, 'find'), script, { mode: 0o755 });
      const back = await place.end();
      expect(outcomesOf(back)).toEqual({ 'skills/locked': 'failed', 'skills/open/SKILL.md': 'written' });
      expect(back.outcome).toBe('partly');
      expect(exitCodeOf(back)).toBe(4);
      expect(await place.localContents()).toEqual({ ...files, 'skills/open/SKILL.md': 'edited there\n' });
      await place.local.remove('skills/locked/deep');
      const pushed = await place.start();
      expect(pushed).toMatchObject({ outcome: 'partly', ledger: { removed: { files: 0 } } });
      expect(await place.remoteContents()).toEqual({ ...files, 'skills/open/SKILL.md': 'edited there\n' });

      rmSync(join(tools, 'find'));
      expect(pathsOf(await place.start(), 'removed')).toEqual(['skills/locked/deep/x.md']);
    } finally {
      rmSync(tools, { recursive: true });
    }
  });
});

/** Gives a folder and everything below to a user of our own group. */
function give(folder: string, user: number): void {
  const group = process.getgid?.() ?? 0;
  chownSync(folder, user, group);
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) lchownSync(join(folder, name), user, group);
}

/** Runs as a user whom permissions bind. Root keeps its real identity and takes it back afterwards. */
async function withoutPrivileges<T>(action: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return action();
  give(place.folder, nobody);
  process.seteuid?.(nobody);
  return action().finally(() => {
    process.seteuid?.(0);
    give(place.folder, 0);
  });
}

describe('a folder that cannot be read on this computer', { timeout: 240_000 }, () => {
  it('is unknown, never deleted: nothing below it changes on either side', async () => {
    sshd = await startSshd();
    place = await makePlace({ sshd });
    const [identityFile, knownHostsFile] = [join(place.folder, 'key'), join(place.folder, 'known_hosts')];
    copyFileSync(sshd.identityFile, identityFile);
    copyFileSync(sshd.knownHostsFile, knownHostsFile);
    await place.reconnect({ identityFile, knownHostsFile });
    await place.local.write(files);
    await place.start(['first-session']);

    const locked = join(place.localHome, 'skills/locked');
    chmodSync(locked, 0o000);
    const pushed = await withoutPrivileges(() => place.start());
    expect(outcomesOf(pushed)).toEqual({ 'skills/locked': 'failed' });
    expect(pushed.outcome).toBe('partly');
    expect(exitCodeOf(pushed)).toBe(4);
    expect(await place.remoteContents()).toEqual(files);
    await place.remote.write({ 'skills/open/SKILL.md': 'edited there\n', 'skills/locked/SKILL.md': 'also edited there\n' });
    await place.remote.remove('skills/locked/deep');
    const back = await withoutPrivileges(() => place.end());
    expect(outcomesOf(back)).toEqual({ 'skills/locked': 'failed', 'skills/open/SKILL.md': 'written' });
    expect(back.outcome).toBe('partly');

    chmodSync(locked, 0o755);
    expect(await place.localContents()).toEqual({ ...files, 'skills/open/SKILL.md': 'edited there\n' });
    const after = await place.end();
    expect(outcomesOf(after)).toEqual({ 'skills/locked/SKILL.md': 'written', 'skills/locked/deep/x.md': 'removed' });
    expect(await place.localContents()).toEqual(await place.remoteContents());
  });
});
