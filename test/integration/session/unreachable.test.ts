import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { exitCodeOf } from '../../../electron/cli/run-commands';
import type { NewConnection } from '../../../shared/connection';
import { exitCodeFor } from '../../../shared/errors';
import { makePlace, type SessionPlace } from '../../support/session';
import { startSshd, type TestSshd } from '../../support/sshd';

let sshd: TestSshd;
let place: SessionPlace;
beforeAll(async () => {
  sshd = await startSshd();
});
afterAll(() => sshd.stop());
beforeEach(async () => {
  place = await makePlace({ sshd });
  await place.local.write({ 'skills/a/SKILL.md': 'a\n' });
  await place.remote.write({ 'skills/b/SKILL.md': 'b\n' });
});
afterEach(() => place.tearDown());

/** A start and an end over such a connection fail with the code, change nothing and leave nothing open. Returns the last sentence. */
async function expectFailure(changes: Partial<NewConnection>, code: string): Promise<string> {
  await place.reconnect(changes);
  const before = await place.sides();
  let message = '';
  for (const run of [() => place.start(['first-session']), () => place.end(['first-session'])]) {
    const report = await run();
    expect(report).toMatchObject({ outcome: 'failed', error: { code }, paths: [], stop: null });
    expect(exitCodeOf(report)).toBe(6);
    message = report.error?.message ?? '';
  }
  expect(await place.sides()).toEqual(before);
  expect(await place.session()).toBeNull();
  expect((await place.call('history.list', {})).runs.map(({ outcome }) => outcome)).toEqual(['failed', 'failed']);
  return message;
}

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return address.port;
}

/** What the server logged while something ran, once it has noticed the end of the connection. */
async function logOf(action: () => Promise<unknown>): Promise<string> {
  const from = sshd.log().length;
  await action();
  await vi.waitFor(() => expect(sshd.log().slice(from)).toMatch(/Connection (closed|reset)|Disconnected/), { timeout: 20_000 });
  return sshd.log().slice(from);
}

describe('a run that cannot reach its remote', { timeout: 240_000 }, () => {
  it('knows no connection of that name', async () => {
    for (const name of ['session.start', 'session.end'] as const) {
      const answer = await place.ask(name, { connection: 'nowhere', allow: [] });
      expect(answer).toMatchObject({ ok: false, error: { code: 'connection.unknown', details: { name: 'nowhere' } } });
    }
    expect(exitCodeFor('connection.unknown')).toBe(2);
  });

  it('is refused at a closed port', async () => {
    const port = await closedPort();
    const address = { kind: 'address', user: sshd.username, host: '127.0.0.1', port } as const;
    expect(await expectFailure({ address }, 'ssh.refused')).toContain(`port ${port}`);
  });

  it('is not let in with a key the remote does not know', async () => {
    const identityFile = sshd.makeKey('stranger');
    expect(await expectFailure({ identityFile }, 'ssh.auth-rejected')).toContain(identityFile);
  });

  it('asks for the agent when the key has a passphrase that nobody can give, and gets in nowhere', async () => {
    const identityFile = sshd.makeKey('locked', { passphrase: 'open sesame', authorized: true });
    const log = await logOf(async () => {
      expect(await expectFailure({ identityFile }, 'ssh.passphrase-needed')).toContain('ssh-add');
    });
    expect(log).not.toMatch(/Accepted publickey|session opened/i);
  });

  it('names the file of a key that is not there', async () => {
    const identityFile = join(sshd.dir, 'no-such-key');
    expect(await expectFailure({ identityFile }, 'ssh.key-unusable')).toContain(identityFile);
  });

  it('tries no login at a host whose key is not known, and goes in once the user accepted it', async () => {
    const knownHostsFile = join(place.folder, 'known_hosts');
    const log = await logOf(() => expectFailure({ knownHostsFile }, 'ssh.host-key-unknown'));
    expect(log).not.toMatch(/userauth|publickey|Accepted|Failed/);
    await place.reconnect({ knownHostsFile, acceptHostKey: sshd.fingerprint() });
    expect((await place.start(['first-session'])).outcome).toBe('done');
    await place.reconnect({ knownHostsFile });
    expect((await place.start(['first-session'])).outcome).toBe('done');
  });

  it('tries no login at a host whose key changed, not even when the new one is accepted', async () => {
    const other = sshd.makeKey('other_host');
    const knownHostsFile = join(place.folder, 'known_hosts');
    const [type, key] = (await readFile(`${other}.pub`, 'utf8')).split(' ');
    await writeFile(knownHostsFile, `[${sshd.host}]:${sshd.port} ${type} ${key}\n`);
    const acceptHostKey = sshd.fingerprint();
    const log = await logOf(() => expectFailure({ knownHostsFile, acceptHostKey }, 'ssh.host-key-changed'));
    expect(log).not.toMatch(/userauth|publickey|Accepted|Failed/);
    expect(await readFile(knownHostsFile, 'utf8')).toBe(`[${sshd.host}]:${sshd.port} ${type} ${key}\n`);
  });

  it('does not make a remote home whose parent is missing', async () => {
    const remoteHome = join(sshd.home, 'typo/hermes');
    expect(await expectFailure({ remoteHome }, 'remote.home-missing')).toContain(join(sshd.home, 'typo'));
  });

  it('does not take the account itself for a Hermes home', async () => {
    await expectFailure({ remoteHome: sshd.home }, 'remote.home-invalid');
  });
});

// Not over SFTP: there a server that finds no home starts in the account's real one, which no test may touch.
describe('an account whose home is missing', { timeout: 240_000 }, () => {
  it('is told apart from a Hermes home that is not there yet', async () => {
    const homeless = await startSshd({ noSftp: true });
    try {
      await rm(homeless.home, { recursive: true });
      const address = { kind: 'address', user: homeless.username, host: homeless.host, port: homeless.port } as const;
      const { identityFile, knownHostsFile } = homeless;
      await expectFailure({ address, identityFile, knownHostsFile }, 'remote.home-missing');
    } finally {
      await homeless.stop();
    }
  });
});
