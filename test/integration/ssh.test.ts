import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { connectSsh } from '../../electron/ssh/client';
import { keygenFingerprint, lockKey, startAgent } from '../support/keys';
import { never, openConnections, runCommand } from '../support/ssh-client';
import { startSshd, type TestSshd } from '../support/sshd';

let sshd: TestSshd;
const { open, closeAll } = openConnections();

beforeAll(async () => {
  sshd = await startSshd();
});
afterEach(closeAll);
afterAll(() => sshd.stop());

/** Log lines about logins since a moment in the log, read once the server has logged the end of that connection. */
async function loginAttempts(server: TestSshd, since: number): Promise<readonly string[]> {
  await vi.waitFor(() => expect(server.log().slice(since)).toMatch(/\[preauth\]|Disconnected/), { timeout: 10_000 });
  const lines = server.log().slice(since).split('\n');
  return lines.filter((line) => /publickey|accepted|failed|authenticat/i.test(line));
}

describe('logging in', () => {
  it('connects with a key file and runs a command in the given home', async () => {
    const connection = await open(sshd.target());
    const command = await connection.exec('printf out; printf "err %s" "$HOME" >&2; exit 3', { signal: never });
    expect(await text(command.stdout)).toBe('out');
    expect(await command.exit).toEqual({ code: 3, signal: null });
    expect(command.stderrText()).toBe(`err ${sshd.home}`);
    expect(connection.hostKey).toBe(sshd.fingerprint());
  });

  it('lets the agent sign for an encrypted identity file and offers no other of its keys', async () => {
    const key = sshd.makeKey('to-be-locked', { authorized: true });
    const unrelated = sshd.makeKey('unrelated', { authorized: true });
    const agent = await startAgent(mkdtempSync(join(sshd.dir, 'agent-')));
    try {
      agent.add(unrelated);
      agent.add(key);
      lockKey(key, 'secret');
      const since = sshd.log().length;
      const connection = await open(sshd.target({ identityFiles: [key], agentSockets: [agent.socket] }));
      expect((await runCommand(connection, 'echo in')).out).toBe('in\n');
      expect(sshd.log().slice(since)).toContain(keygenFingerprint(key));
      expect(sshd.log().slice(since)).not.toContain(keygenFingerprint(unrelated));
    } finally {
      await agent.stop();
    }
  });

  it('asks for the passphrase of an encrypted identity file the agent does not hold', async () => {
    const locked = sshd.makeKey('locked', { passphrase: 'secret', authorized: true });
    const agent = await startAgent(mkdtempSync(join(sshd.dir, 'agent-')));
    try {
      agent.add(sshd.identityFile);
      const target = sshd.target({ identityFiles: [locked], agentSockets: [agent.socket] });
      await expect(open(target)).rejects.toMatchObject({ code: 'ssh.passphrase-needed', details: { file: locked } });
    } finally {
      await agent.stop();
    }
  });

  it('names the keys it offered when the server has seen too many', async () => {
    const strict = await startSshd({ extraConfig: ['MaxAuthTries 2'] });
    const agent = await startAgent(mkdtempSync(join(strict.dir, 'agent-')));
    try {
      for (const name of ['one', 'two', 'three', 'four']) agent.add(strict.makeKey(name, { comment: name }));
      const target = strict.target({ identitiesOnly: false, agentSockets: [agent.socket] });
      await expect(open(target)).rejects.toMatchObject({
        code: 'ssh.auth-rejected',
        details: { tried: ['agent (one, two, three, four)'] },
      });
    } finally {
      await agent.stop();
      await strict.stop();
    }
  });

  it('offers the keys of the agent when no identity is configured', async () => {
    const agent = await startAgent(mkdtempSync(join(sshd.dir, 'agent-')));
    try {
      agent.add(sshd.identityFile);
      const connection = await open(sshd.target({ identityFiles: [], identitiesOnly: false, agentSockets: [agent.socket] }));
      expect((await runCommand(connection, 'echo agent')).out).toBe('agent\n');
    } finally {
      await agent.stop();
    }
  });

  it('goes on with key files when the agent cannot be reached', async () => {
    const connection = await open(sshd.target({ identitiesOnly: false, agentSockets: [join(sshd.dir, 'absent.sock')] }));
    expect((await runCommand(connection, 'echo file')).out).toBe('file\n');
  });

  it('reports what it offered when the server lets none of it in', async () => {
    const wrong = sshd.makeKey('wrong');
    await expect(open(sshd.target({ identityFiles: [wrong] }))).rejects.toMatchObject({
      code: 'ssh.auth-rejected',
      details: { user: sshd.username, host: '127.0.0.1', port: sshd.port, tried: [wrong] },
    });
  });

  it('refuses an encrypted identity file before it connects', async () => {
    const locked = sshd.makeKey('locked-alone', { passphrase: 'secret', authorized: true });
    const target = sshd.target({ identityFiles: [locked], port: 1 });
    await expect(open(target)).rejects.toMatchObject({ code: 'ssh.passphrase-needed', details: { file: locked } });
  });

  it('refuses a missing identity file before it connects', async () => {
    const missing = join(sshd.dir, 'no-such-key');
    await expect(open(sshd.target({ identityFiles: [missing], port: 1 }))).rejects.toMatchObject({
      code: 'ssh.key-unusable',
      details: { file: missing, reason: 'there is no such file' },
    });
  });
});

describe('host keys', () => {
  const knownHosts = (name: string): string => join(mkdtempSync(join(sshd.dir, 'known-')), 'deep', name);

  it('stops at an unknown host key before any login', async () => {
    const since = sshd.log().length;
    const file = knownHosts('unknown');
    await expect(open(sshd.target({ knownHostsFiles: [file] }))).rejects.toMatchObject({
      code: 'ssh.host-key-unknown',
      details: { host: '127.0.0.1', port: sshd.port, keyType: 'ssh-ed25519', fingerprint: sshd.fingerprint() },
    });
    expect(await loginAttempts(sshd, since)).toEqual([]);
    expect(() => readFileSync(file)).toThrow(/ENOENT/);
  });

  it('adds an accepted key to the first file and knows it from then on', async () => {
    const file = knownHosts('accepted');
    const target = sshd.target({ knownHostsFiles: [file, sshd.authorizedKeysFile] });
    const connection = await connectSsh(target, { signal: never, acceptHostKey: sshd.fingerprint() });
    await connection.close();
    const line = `[127.0.0.1]:${sshd.port} ssh-ed25519 ${sshd.hostKey().toString('base64')}\n`;
    expect(readFileSync(file, 'utf8')).toBe(line);
    expect((await open(target)).hostKey).toBe(sshd.fingerprint());
    expect(readFileSync(file, 'utf8')).toBe(line);
  });

  it('does not take consent to another key for consent', async () => {
    const target = sshd.target({ knownHostsFiles: [knownHosts('other')] });
    const attempt = connectSsh(target, { signal: never, acceptHostKey: sshd.fingerprint('ecdsa') });
    await expect(attempt).rejects.toMatchObject({ code: 'ssh.host-key-unknown' });
  });

  it('stops at a changed host key before any login, even with consent', async () => {
    const other = await startSshd();
    try {
      const stale = readFileSync(other.knownHostsFile, 'utf8').replaceAll(`:${other.port} `, `:${sshd.port} `);
      const target = sshd.target({ knownHostsFiles: [writeKnownHosts(stale)] });
      const since = sshd.log().length;
      await expect(connectSsh(target, { signal: never, acceptHostKey: sshd.fingerprint() })).rejects.toMatchObject({
        code: 'ssh.host-key-changed',
        details: {
          fingerprint: sshd.fingerprint(),
          expected: [other.fingerprint(), other.fingerprint('ecdsa')],
          file: target.knownHostsFiles[0],
          line: 1,
        },
      });
      expect(await loginAttempts(sshd, since)).toEqual([]);
    } finally {
      await other.stop();
    }
  });

  it('stops at a revoked host key', async () => {
    const file = writeKnownHosts(`# old\n@revoked * ssh-ed25519 ${sshd.hostKey().toString('base64')}\n`);
    await expect(open(sshd.target({ knownHostsFiles: [file] }))).rejects.toMatchObject({
      code: 'ssh.host-key-revoked',
      details: { fingerprint: sshd.fingerprint(), file, line: 2 },
    });
  });

  it('asks for the key type that is known instead of calling the host changed', async () => {
    const file = writeKnownHosts(`[127.0.0.1]:${sshd.port} ecdsa-sha2-nistp256 ${sshd.hostKey('ecdsa').toString('base64')}\n`);
    expect((await open(sshd.target({ knownHostsFiles: [file] }))).hostKey).toBe(sshd.fingerprint('ecdsa'));
  });

  function writeKnownHosts(content: string): string {
    const file = join(mkdtempSync(join(sshd.dir, 'known-')), 'known_hosts');
    writeFileSync(file, content);
    return file;
  }
});
