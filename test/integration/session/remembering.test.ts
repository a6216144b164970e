import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuthContext } from 'ssh2';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Prompt } from '../../../shared/prompt';
import type { RunReport } from '../../../shared/run-report';
import { testCipher } from '../../support/cipher';
import { type LoginServer, startLoginServer } from '../../support/login-server';
import { box, makePlace, type SessionPlace } from '../../support/session';
import { startSshd, type TestSshd } from '../../support/sshd';

const passphrase = 'canary-passphrase-51d0';
const changed = 'canary-passphrase-changed-7a2e';

let sshd: TestSshd;
let identityFile: string;
let place: SessionPlace;
let cipher: ReturnType<typeof testCipher>;
let asked: Prompt[];
let keys = 0;
beforeAll(async () => {
  sshd = await startSshd();
});
afterAll(() => sshd.stop());
beforeEach(async () => {
  cipher = testCipher();
  asked = [];
  identityFile = sshd.makeKey(`locked-${keys++}`, { passphrase, authorized: true });
  place = await makePlace({ sshd, connection: { identityFile }, composed: { cipher } });
  await place.local.write({ 'skills/a/SKILL.md': 'a\n' });
});
afterEach(() => place.tearDown());

/** Answers in turn from now on, and wants all of it remembered. */
function answerWith(...answers: readonly string[]): void {
  const left = [...answers];
  const seen = new Set<string>();
  place.listen((event) => {
    if (event.event !== 'prompts') return;
    for (const prompt of event.data.prompts) {
      if (seen.has(prompt.id)) continue;
      seen.add(prompt.id);
      asked.push(prompt);
      const answer = left.shift();
      if (answer === undefined) void place.ask('prompt.cancel', { id: prompt.id });
      else void place.ask('prompt.answer', { id: prompt.id, answers: [answer], remember: true });
    }
  });
}

const wholeSession = async (): Promise<readonly RunReport['outcome'][]> => [
  (await place.start(['first-session'])).outcome,
  (await place.end()).outcome,
];
const both = ['done', 'done'];
const remembers = async () => (await place.call('status', {})).connections[0]?.remembers;

/** Files of the data folder that hold a text in plain or as base64. */
async function filesHolding(text: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const entry of await readdir(place.dataDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const content = await readFile(join(entry.parentPath, entry.name), 'latin1');
    if (content.includes(text) || content.includes(Buffer.from(text).toString('base64'))) found.push(entry.name);
  }
  return found;
}

describe('a remembered passphrase', { timeout: 120_000 }, () => {
  it('is asked for once; the next sessions and the next process ask nothing, and it lies nowhere in plain', async () => {
    answerWith(passphrase);
    expect(await wholeSession()).toEqual(both);
    expect(asked).toMatchObject([{ canRemember: true, question: { kind: 'passphrase', file: identityFile, again: false } }]);
    expect(await remembers()).toBe(true);
    await place.restart();
    answerWith();
    expect(await wholeSession()).toEqual(both);
    expect(asked).toHaveLength(1);
    expect(await filesHolding(passphrase)).toEqual([]);
  });

  it('that was changed is forgotten, and the new one asked for as if for the first time', async () => {
    answerWith(passphrase, changed);
    expect(await wholeSession()).toEqual(both);
    execFileSync('ssh-keygen', ['-q', '-p', '-P', passphrase, '-N', changed, '-f', identityFile]);
    expect(await wholeSession()).toEqual(both);
    expect(asked.map(({ question }) => question)).toEqual([
      { kind: 'passphrase', file: identityFile, again: false },
      { kind: 'passphrase', file: identityFile, again: false },
    ]);
    expect(await wholeSession()).toEqual(both);
    expect(asked).toHaveLength(2);
    for (const secret of [passphrase, changed]) expect(await filesHolding(secret)).toEqual([]);
  });

  it('is kept only once it opened the key', async () => {
    answerWith('wrong', 'wrong too', 'and again');
    expect((await place.start(['first-session'])).error?.code).toBe('ssh.passphrase-needed');
    expect(await remembers()).toBe(false);
    expect(asked.map(({ question }) => 'again' in question && question.again)).toEqual([false, true, true]);
  });

  it('is forgotten on request, and with its connection', async () => {
    answerWith(passphrase, passphrase);
    await wholeSession();
    await place.call('connection.forget-secrets', { connection: box });
    expect(await remembers()).toBe(false);
    await wholeSession();
    expect(asked).toHaveLength(2);
    const kept = async () => JSON.parse(await readFile(join(place.dataDir, 'secrets.json'), 'utf8')).secrets.length;
    expect(await kept()).toBe(1);
    await place.reconnect({ identityFile });
    expect(await kept()).toBe(0);
  });

  it('is no possibility where the operating system does not encrypt: it is asked for each time', async () => {
    cipher.trusted = false;
    answerWith(passphrase, passphrase);
    await place.start(['first-session']);
    await place.end();
    expect(asked.map(({ canRemember }) => canRemember)).toEqual([false, false]);
    expect(await readdir(place.dataDir)).not.toContain('secrets.json');
  });
});

describe('a remembered password', { timeout: 120_000 }, () => {
  let server: LoginServer;
  let right: string;
  let refuse: (context: AuthContext) => void;
  beforeEach(async () => {
    right = 'canary-password-1';
    refuse = (context) => context.reject(['password']);
    server = await startLoginServer((context) => {
      if (context.method === 'password' && context.password === right) context.accept();
      else refuse(context);
    }, sshd.home);
    const address = { kind: 'address', user: 'ada', host: '127.0.0.1', port: server.port } as const;
    const knownHostsFile = join(place.folder, 'known_hosts');
    await place.call('connection.remove', { connection: box });
    await place.call('connection.add', { name: box, address, knownHostsFile, acceptHostKey: server.hostKey, useSshConfig: false });
  });
  afterEach(() => server.stop());
  const test = async () => (await place.call('connection.test', { connection: box })).ok;

  it('is asked for once, and lies nowhere in plain', async () => {
    answerWith(right);
    expect([await test(), await test()]).toEqual([true, true]);
    expect(asked.map(({ question }) => question)).toEqual([{ kind: 'password', again: false }]);
    expect(await filesHolding(right)).toEqual([]);
  });

  it('that was changed there is forgotten, and asked for as if for the first time', async () => {
    answerWith(right, 'canary-password-2');
    await test();
    right = 'canary-password-2';
    expect([await test(), await test()]).toEqual([true, true]);
    expect(asked.map(({ question }) => question)).toEqual([
      { kind: 'password', again: false },
      { kind: 'password', again: false },
    ]);
  });

  it('that a server hangs up on at once is not tried again', async () => {
    answerWith(right, 'canary-password-2');
    await test();
    right = 'canary-password-2';
    refuse = (context) => context.reject(context.method === 'none' ? ['password'] : []);
    expect(await test()).toBe(false);
    expect(await remembers()).toBe(false);
    refuse = (context) => context.reject(['password']);
    expect(await test()).toBe(true);
    expect(asked).toHaveLength(2);
  });
});
