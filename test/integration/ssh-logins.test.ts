import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AuthContext } from 'ssh2';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { connectSsh } from '../../electron/ssh/client';
import type { Person } from '../../electron/ssh/person';
import type { SshConnection } from '../../electron/ssh/ssh-connection';
import type { SshTarget } from '../../electron/ssh/target';
import { startAgent, type TestAgent } from '../support/keys';
import { type LoginServer, startLoginServer } from '../support/login-server';
import { scriptedPerson } from '../support/person';
import { startSlowAgent } from '../support/slow-agent';
import { never, runCommand } from '../support/ssh-client';
import { startSshd, type TestSshd } from '../support/sshd';
import { plainTarget } from '../support/target';
import { makeTempFolder } from '../support/tree';

const opened: SshConnection[] = [];
const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  for (const end of endings.splice(0).reverse()) await end();
});

async function connect(target: SshTarget, person?: Person, signal = never): Promise<SshConnection> {
  const made = await connectSsh(target, { signal, acceptHostKey: null, person });
  opened.push(made);
  return made;
}

describe('an agent with seven keys and a server that allows six tries', () => {
  let sshd: TestSshd;
  let agent: TestAgent;
  beforeAll(async () => {
    sshd = await startSshd({ extraConfig: ['MaxAuthTries 6'] });
    agent = await startAgent(mkdtempSync(join(sshd.dir, 'agent-')));
    for (const number of [1, 2, 3, 4, 5, 6]) agent.add(sshd.makeKey(`other-${number}`));
    // The right one is the seventh.
    agent.add(sshd.identityFile);
  });
  afterAll(async () => {
    await agent.stop();
    await sshd.stop();
  });

  it.each([
    ['its private file', (file: string) => file],
    ['nothing but its public half here', (file: string) => file.replace('client_ed25519', 'elsewhere')],
  ])('lets in with the configured identity, with %s', async (_what, place) => {
    const file = place(sshd.identityFile);
    if (file !== sshd.identityFile) copyFileSync(`${sshd.identityFile}.pub`, `${file}.pub`);
    const box = await connect(sshd.target({ identityFiles: [file], agentSockets: [agent.socket] }));
    expect((await runCommand(box, 'echo in')).out).toBe('in\n');
  });

  it('says what was offered where no identity is configured', async () => {
    await expect(connect(sshd.target({ identityFiles: [], identitiesOnly: false, agentSockets: [agent.socket] }))).rejects.toMatchObject({
      code: 'ssh.auth-rejected',
      details: { tried: [expect.stringMatching(/^agent \(other-1, .*client_ed25519\)$/)] },
    });
  });
});

describe('a key behind a passphrase', () => {
  let sshd: TestSshd;
  let locked: string;
  beforeAll(async () => {
    sshd = await startSshd();
    locked = sshd.makeKey('locked', { passphrase: 'open sesame', authorized: true });
  });
  afterAll(() => sshd.stop());

  it('asks for it once the server wants the key, and again after a wrong answer', async () => {
    const person = scriptedPerson(['wrong'], ['open sesame']);
    const box = await connect(sshd.target({ identityFiles: [locked] }), person);
    expect((await runCommand(box, 'echo in')).out).toBe('in\n');
    const machine = `${sshd.username}@127.0.0.1:${sshd.port}`;
    expect(person.asked).toEqual([
      { machine, question: { kind: 'passphrase', file: locked, again: false } },
      { machine, question: { kind: 'passphrase', file: locked, again: true } },
    ]);
  });

  it('is asked for once where several machines on the way want the same key', async () => {
    const person = scriptedPerson(['open sesame']);
    const via = sshd.target({ identityFiles: [locked] });
    const box = await connect({ ...via, route: { kind: 'jump', via } }, person);
    expect((await runCommand(box, 'echo in')).out).toBe('in\n');
    expect(person.asked).toHaveLength(1);
  });

  it('opens a PEM key whose public half nobody knows', async () => {
    const pem = sshd.makeKey('pem', { type: 'rsa', format: 'PEM', passphrase: 'pem pass', authorized: true });
    rmSync(`${pem}.pub`);
    await connect(sshd.target({ identityFiles: [pem] }), scriptedPerson(['pem pass']));
  });

  it('asks nothing about a key the server does not want', async () => {
    const person = scriptedPerson();
    const strange = sshd.makeKey('strange', { passphrase: 'unused' });
    await connect(sshd.target({ identityFiles: [strange, sshd.identityFile] }), person);
    await expect(connect(sshd.target({ identityFiles: [strange] }), person)).rejects.toMatchObject({ code: 'ssh.auth-rejected' });
    expect(person.asked).toEqual([]);
  });

  it.each([
    ['nobody answers', []],
    ['no answer opens it', [['a'], ['b'], ['c']]],
  ])('is said to need it when %s', async (_when, answers) => {
    const attempt = connect(sshd.target({ identityFiles: [locked] }), scriptedPerson(...answers));
    await expect(attempt).rejects.toMatchObject({ code: 'ssh.passphrase-needed', details: { file: locked } });
  });

  it('takes the question back when the attempt is cancelled', async () => {
    const cancel = new AbortController();
    const person: Person = {
      ask: (_machine, _question, signal) => {
        cancel.abort();
        return new Promise((resolve) => {
          if (signal.aborted) resolve(null);
          signal.addEventListener('abort', () => resolve(null));
        });
      },
    };
    await expect(connect(sshd.target({ identityFiles: [locked] }), person, cancel.signal)).rejects.toMatchObject({ code: 'run.cancelled' });
  });

  it('never asks in batch mode', async () => {
    const person = scriptedPerson(['open sesame']);
    await expect(connect(sshd.target({ identityFiles: [locked], asks: false }), person)).rejects.toMatchObject({
      code: 'ssh.passphrase-needed',
    });
    expect(person.asked).toEqual([]);
  });
});

describe('a server that asks', () => {
  const fields = [
    { prompt: 'Password: ', echo: false },
    { prompt: 'Code: ', echo: true },
  ];
  const start = async (decide: (context: AuthContext) => void): Promise<{ server: LoginServer; target: SshTarget; consent: string }> => {
    const server = await startLoginServer(decide);
    const dir = await makeTempFolder('logins');
    endings.push(
      async () => rmSync(dir, { recursive: true }),
      () => server.stop(),
    );
    const knownHostsFiles = [join(dir, 'known_hosts')];
    const target = { ...plainTarget, host: '127.0.0.1', port: server.port, user: 'ann', identityFiles: [], knownHostsFiles };
    return { server, target, consent: server.hostKey };
  };
  const log = async (from: { target: SshTarget; consent: string }, person?: Person): Promise<SshConnection> => {
    const made = await connectSsh(from.target, { signal: never, acceptHostKey: from.consent, person });
    opened.push(made);
    return made;
  };

  it('gets both answers of a keyboard-interactive login, and then lets in', async () => {
    const place = await start((context) => {
      if (context.method !== 'keyboard-interactive') return context.reject(['keyboard-interactive']);
      context.prompt(fields, 'Second factor', 'Use your token.', (answers) => {
        if (answers.join() === 'secret,123456') context.accept();
        else context.reject(['keyboard-interactive']);
      });
    });
    const person = scriptedPerson(['secret', '000000'], ['secret', '123456']);
    await log(place, person);
    expect(person.asked).toHaveLength(2);
    expect(person.asked[0]).toEqual({
      machine: `ann@127.0.0.1:${place.server.port}`,
      question: {
        kind: 'interactive',
        title: 'Second factor',
        instructions: 'Use your token.',
        fields: [
          { text: 'Password: ', echo: false },
          { text: 'Code: ', echo: true },
        ],
      },
    });
  });

  it('gets a password only if it takes one, at most three times', async () => {
    const place = await start((context) => {
      if (context.method === 'password' && context.password === 'right') context.accept();
      else context.reject(['password']);
    });
    const person = scriptedPerson(['wrong'], ['right']);
    await log(place, person);
    expect(person.asked.map(({ question }) => question)).toEqual([
      { kind: 'password', again: false },
      { kind: 'password', again: true },
    ]);
    const stubborn = scriptedPerson(['a'], ['b'], ['c'], ['right']);
    await expect(log(place, stubborn)).rejects.toMatchObject({
      code: 'ssh.auth-rejected',
      details: { tried: ['password', 'password', 'password'] },
    });
    expect(stubborn.asked).toHaveLength(3);
  });

  it('is told apart from one that refuses, when nobody can be asked', async () => {
    const place = await start((context) => context.reject(['password', 'keyboard-interactive']));
    await expect(log(place)).rejects.toMatchObject({ code: 'ssh.answer-needed', details: { user: 'ann', host: '127.0.0.1' } });
    await expect(log(place, scriptedPerson())).rejects.toMatchObject({ code: 'ssh.answer-needed' });
  });

  it('lets in without a question where it wants none', async () => {
    await log(await start((context) => context.accept()));
  });

  it('offers the ways in the preferred order', async () => {
    const place = await start((context) => {
      if (context.method === 'keyboard-interactive') context.accept();
      else context.reject(['password', 'keyboard-interactive']);
    });
    const target = { ...place.target, loginMethods: ['password', 'keyboard-interactive'] as const };
    await log({ ...place, target }, scriptedPerson(['wrong'], ['wrong'], ['wrong']));
    expect(place.server.tried).toEqual(['none', 'password', 'password', 'password', 'keyboard-interactive']);
  });
});

describe('an agent that waits for its owner', () => {
  it('is a state that is told, ends with the signature, and can be given up', async () => {
    const sshd = await startSshd();
    endings.push(() => sshd.stop());
    const agent = await startAgent(mkdtempSync(join(sshd.dir, 'agent-')));
    endings.push(() => agent.stop());
    agent.add(sshd.identityFile);
    const slow = await startSlowAgent(agent.socket, join(sshd.dir, 'slow.sock'));
    endings.push(() => slow.stop());
    const target = sshd.target({ agentSockets: [slow.socket] });
    const told: string[] = [];
    const patient: Person = {
      ask: (_machine, question, signal) => {
        if (question.kind === 'agent') told.push(...question.keys);
        slow.confirm();
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve(null)));
      },
    };
    await connect(target, patient);
    expect(told).toEqual(['client_ed25519']);
    await expect(connect(target, scriptedPerson())).rejects.toMatchObject({
      code: 'ssh.agent-waiting',
      details: { keys: ['client_ed25519'] },
    });
  });
});
