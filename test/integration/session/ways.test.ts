import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Prompt } from '../../../shared/prompt';
import { startAgent, type TestAgent } from '../../support/keys';
import { type LoginServer, startLoginServer } from '../../support/login-server';
import { makePlace, type SessionPlace } from '../../support/session';
import { startSshd, type TestSshd } from '../../support/sshd';
import { makeTempFolder, removeTempFolder } from '../../support/tree';

const passphrase = 'open sesame';
const wanted = [
  { prompt: 'Password: ', echo: false },
  { prompt: 'Code: ', echo: true },
];
const codes = ['first secret', '123456'];

let home: string;
let remote: TestSshd;
let hops: readonly TestSshd[];
let twoPrompts: LoginServer;
let agent: TestAgent;
let place: SessionPlace | null = null;
const { HOME: homeBefore, SSH_AUTH_SOCK: agentBefore } = process.env;

const stanza = (name: string, sshd: TestSshd, ...more: readonly string[]): string =>
  [`Host ${name}`, 'HostName 127.0.0.1', `Port ${sshd.port}`, `User ${sshd.username}`, ...more].join('\n  ');

beforeAll(async () => {
  [remote, ...hops] = await Promise.all([startSshd({ extraConfig: ['MaxAuthTries 6'] }), startSshd(), startSshd()]);
  const [first, second] = hops as [TestSshd, TestSshd];
  home = await makeTempFolder('ways');
  mkdirSync(join(home, '.ssh/conf.d'), { recursive: true, mode: 0o700 });
  mkdirSync(join(home, 'there'));
  twoPrompts = await startLoginServer(
    (context) => {
      if (context.method !== 'keyboard-interactive') return context.reject(['keyboard-interactive']);
      context.prompt(wanted, 'Two factors', '', (answers) => (String(answers) === String(codes) ? context.accept() : context.reject()));
    },
    join(home, 'there'),
  );
  agent = await startAgent(mkdtempSync(join(home, 'agent-')));
  for (const number of [1, 2, 3, 4, 5, 6]) agent.add(remote.makeKey(`other-${number}`));
  agent.add(remote.makeKey('seventh', { authorized: true }));
  const locked = remote.makeKey('locked', { passphrase, authorized: true });
  const relay = join(home, 'relay.cjs');
  writeFileSync(relay, "const s = require('net').connect(+process.argv[2], process.argv[3]); process.stdin.pipe(s).pipe(process.stdout);");
  const config = [
    stanza('first', first, `IdentityFile ${first.identityFile}`),
    stanza('second', second, `IdentityFile ${second.identityFile}`),
    stanza('behind-two', remote, `IdentityFile ${remote.identityFile}`, 'ProxyJump first,second'),
    stanza('by-command', remote, `IdentityFile ${remote.identityFile}`, `ProxyCommand ${process.execPath} ${relay} %p %h`),
    stanza('by-agent', remote, `IdentityFile ${join(remote.dir, 'seventh.pub')}`),
    stanza('by-locked-key', remote, `IdentityFile ${locked}`),
    ['Host by-two-prompts', 'HostName 127.0.0.1', `Port ${twoPrompts.port}`, 'User ada', 'PubkeyAuthentication no'].join('\n  '),
  ];
  writeFileSync(join(home, '.ssh/conf.d/boxes'), `${config.join('\n')}\n`, { mode: 0o600 });
  writeFileSync(join(home, '.ssh/config'), 'Include conf.d/*\n', { mode: 0o600 });
  const known = [remote, ...hops].map(({ knownHostsFile }) => readFileSync(knownHostsFile, 'utf8'));
  writeFileSync(join(home, '.ssh/known_hosts'), known.join(''));
  Object.assign(process.env, { HOME: home, SSH_AUTH_SOCK: agent.socket });
});
afterEach(() => place?.tearDown());
afterAll(async () => {
  Object.assign(process.env, { HOME: homeBefore, SSH_AUTH_SOCK: agentBefore });
  if (agentBefore === undefined) delete process.env.SSH_AUTH_SOCK;
  await agent.stop();
  await twoPrompts.stop();
  await Promise.all([remote, ...hops].map((sshd) => sshd.stop()));
  await removeTempFolder(home);
});

const answersTo = ({ question }: Prompt) => (question.kind === 'interactive' ? codes : [passphrase]);

/** The test is green, and so is a whole session with the same parameters. Whatever is asked is answered. */
async function expectSession(at: SessionPlace, alias: string, consent: { readonly acceptHostKey?: string } = {}): Promise<void> {
  at.listen((event) => {
    if (event.event !== 'prompts') return;
    for (const prompt of event.data.prompts) void at.ask('prompt.answer', { id: prompt.id, answers: answersTo(prompt), remember: false });
  });
  await at.call('connection.add', { name: 'build-box', address: { kind: 'alias', alias } });
  await at.local.write({ 'skills/a/SKILL.md': 'a\n' });
  expect(await at.call('connection.test', { connection: 'build-box', ...consent })).toMatchObject({ ok: true });
  expect((await at.start(['first-session'])).outcome).toBe('done');
  await at.remote.write({ 'skills/a/SKILL.md': 'edited there\n' });
  expect((await at.call('inspect', { connection: 'build-box', side: 'both' })).remote?.readable).toBe(true);
  expect((await at.end()).outcome).toBe('done');
  expect(await at.localContents()).toEqual({ 'skills/a/SKILL.md': 'edited there\n' });
}

describe('test, start, inspect and end', { timeout: 240_000 }, () => {
  it.each([
    ['behind a jump chain of two', 'behind-two'],
    ['through a proxy command', 'by-command'],
    ['with the seventh key of an agent where six tries are allowed', 'by-agent'],
    ['with a key behind a passphrase', 'by-locked-key'],
  ])('pass for an included alias %s', async (_how, alias) => {
    place = await makePlace({ sshd: remote, without: 'connection' });
    await expectSession(place, alias);
  });

  it('pass where every login asks two things of the keyboard', async () => {
    place = await makePlace({ sshd: remote, without: 'connection', remoteHome: join(home, 'there/.hermes') });
    await expectSession(place, 'by-two-prompts', { acceptHostKey: twoPrompts.hostKey });
    expect(new Set(twoPrompts.tried)).toEqual(new Set(['keyboard-interactive']));
  });

  it('start with what "import" proposes', async () => {
    place = await makePlace({ sshd: remote, without: 'connection' });
    await place.local.write({
      'config.yaml': `terminal:\n  backend: ssh\n  ssh_host: 127.0.0.1\n  ssh_port: ${remote.port}\n  ssh_user: ${remote.username}\n  ssh_key: ${remote.identityFile}\n`,
      'skills/a/SKILL.md': 'a\n',
    });
    const { proposals, notes } = await place.call('connection.proposals', {});
    expect(notes).toEqual([]);
    expect(proposals.map(({ origin, connection }) => [origin, connection.name])).toEqual([
      ['hermes', '127.0.0.1'],
      ...['first', 'second', 'behind-two', 'by-command', 'by-agent', 'by-locked-key', 'by-two-prompts'].map((alias) => [
        'ssh-config',
        alias,
      ]),
    ]);
    const [fromHermes] = proposals;
    if (fromHermes === undefined) throw new Error('nothing was proposed');
    await place.call('connection.add', { ...fromHermes.connection, name: 'build-box' });
    expect((await place.start(['first-session'])).outcome).toBe('done');
    const again = await place.call('connection.proposals', {});
    expect(again.proposals[0]?.savedAs).toBe('build-box');
  });
});
