import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { exitCodeOf } from '../../../electron/cli/run-commands';
import { makeBusyboxPath } from '../../support/busybox';
import { box, makePlace, pathsOf, type SessionPlace } from '../../support/session';
import { startSshd, type TestSshd } from '../../support/sshd';
import type { SshdOptions } from '../../support/sshd-config';

const folder = mkdtempSync(join(tmpdir(), 'ebbgate-logins-'));
let sshd: TestSshd | null = null;
let place: SessionPlace | null = null;
afterEach(async () => {
  await place?.tearDown();
  await sshd?.stop();
  place = null;
  sshd = null;
});
afterAll(() => rmSync(folder, { recursive: true }));

async function placeAt(options: SshdOptions): Promise<SessionPlace> {
  sshd = await startSshd(options);
  place = await makePlace({ sshd });
  await place.local.write({ 'skills/a/SKILL.md': 'a\n', 'skills/a/run it.sh': { text: '#!/bin/sh\n', executable: true } });
  return place;
}

/** Green test, then a whole session: out, work there, home again, nothing more. */
async function expectSession(at: SessionPlace): Promise<void> {
  expect((await at.call('connection.test', { connection: box })).ok).toBe(true);
  const pushed = await at.start(['first-session']);
  expect(pushed).toMatchObject({ outcome: 'done', ledger: { written: { files: 2 } } });
  expect(await at.remoteContents()).toEqual({ 'skills/a/SKILL.md': 'a\n', 'skills/a/run it.sh': '#!/bin/sh\n' });
  await at.remote.write({ 'skills/a/SKILL.md': 'edited there\n', "skills/it's $HOME `new`/SKILL.md": 'new\n' });
  expect((await at.call('inspect', { connection: box, side: 'both' })).remote?.readable).toBe(true);
  expect(pathsOf(await at.end(), 'written')).toEqual(['skills/a/SKILL.md', "skills/it's $HOME `new`/SKILL.md"]);
  expect(await at.localContents()).toEqual(await at.remoteContents());
  expect((await at.end()).ledger.transferred).toEqual({ files: 0, bytes: 0 });
}

/** The test fails at the shell, the run with `ssh.no-shell`; neither changes anything. Returns the sentence. */
async function expectNoShell(at: SessionPlace): Promise<string> {
  const before = await at.sides();
  const { checks } = await at.call('connection.test', { connection: box });
  expect(checks.flatMap(({ id, ok }) => (ok ? [] : [id]))).toEqual(['shell']);
  const report = await at.start(['first-session']);
  expect(report).toMatchObject({ outcome: 'failed', error: { code: 'ssh.no-shell' } });
  expect(exitCodeOf(report)).toBe(6);
  expect(await at.sides()).toEqual(before);
  expect(await at.session()).toBeNull();
  return report.error?.message ?? '';
}

/** A login that reads this start-up file as bash does for every command of an SSH client. */
function withBashrc(name: string, text: string): SshdOptions {
  const file = join(folder, `${name}.sh`);
  const rc = join(folder, `${name}.bashrc`);
  writeFileSync(rc, text);
  writeFileSync(file, `#!/bin/bash\n. ${rc}\neval "$SSH_ORIGINAL_COMMAND"\n`);
  chmodSync(file, 0o755);
  return { extraConfig: [`ForceCommand ${file}`], noSftp: true };
}

describe('a session with an unusual login', { timeout: 240_000 }, () => {
  it('works under fish', async () => expectSession(await placeAt({ login: 'fish' })));

  it('works although start-up files print before and after every command', async () => expectSession(await placeAt({ login: 'noisy' })));

  it('works although .bashrc prints to both streams, sets shell options and reads from the terminal', async () => {
    const text =
      'echo "hello there"; echo "a warning" >&2\nset -u -f\nshopt -s nullglob\nstty -a 2>/dev/null\nexport LC_ALL=tr_TR.UTF-8 CDPATH=/ GREP_OPTIONS=-v\n';
    await expectSession(await placeAt(withBashrc('printing', text)));
  });

  it('says what the remote said when .bashrc ends the shell', async () => {
    const message = await expectNoShell(await placeAt(withBashrc('ending', 'echo "please use the other machine"; exit 3\n')));
    expect(message).toContain('please use the other machine');
  });

  it('says so when .bashrc ends the shell in silence', async () => {
    expect(await expectNoShell(await placeAt(withBashrc('silent', 'exit 0\n')))).toContain('start-up files');
  });

  it('says what a closed account said', async () => {
    expect(await expectNoShell(await placeAt({ login: 'closed' }))).toContain('This account is currently not available.');
  });

  it('says so when there is neither a shell nor SFTP', async () => {
    const file = join(folder, 'nothing.sh');
    writeFileSync(file, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    await expectNoShell(await placeAt({ extraConfig: [`ForceCommand ${file}`], noSftp: true }));
  });
});

describe('a session with a remote that lacks tools', { timeout: 240_000 }, () => {
  const without = (tool: string) => {
    const path = join(folder, `without-${tool}`);
    return existsSync(path) ? path : makeBusyboxPath(path, [tool]);
  };

  it('goes over SFTP when there is no tar', async () => {
    const at = await placeAt({ login: 'busybox', path: without('tar') });
    await expectSession(at);
    expect(Object.keys(await at.remoteContents())).toHaveLength(3);
  });

  for (const tool of ['tar', 'find', 'cmp']) {
    it(`names ${tool} when it is missing and there is no SFTP`, async () => {
      const message = await expectNoShell(await placeAt({ login: 'busybox', path: without(tool), noSftp: true }));
      expect(message).toContain(tool);
    });
  }

  it('works without gzip', async () => expectSession(await placeAt({ login: 'busybox', path: without('gzip') })));
});
