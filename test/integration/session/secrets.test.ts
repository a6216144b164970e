import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AppEvent } from '../../../shared/contract';
import { makePlace, type SessionPlace } from '../../support/session';
import { startSshd, type TestSshd } from '../../support/sshd';

const inEnvironment = 'canary-environment-4f1e';
const passphrase = 'canary-passphrase-9b7c';

let sshd: TestSshd;
let seenThere: string;
let place: SessionPlace;
let heard: AppEvent[];
let keys = 0;

beforeAll(async () => {
  sshd = await startSshd({ extraConfig: ['AcceptEnv *', 'ForceCommand /bin/sh -c "exec $HOME/login.sh"'] });
  seenThere = join(sshd.dir, 'seen');
  // Writes down what reached the remote: each command as text, its environment, and every process it can see.
  const script = `{ echo "$SSH_ORIGINAL_COMMAND"; env; cat /proc/[0-9]*/cmdline; } >> ${seenThere} 2>/dev/null\nexec /bin/sh -c "$SSH_ORIGINAL_COMMAND"\n`;
  writeFileSync(join(sshd.home, 'login.sh'), `#!/bin/sh\n${script}`);
  chmodSync(join(sshd.home, 'login.sh'), 0o755);
  process.env.EBBGATE_TEST_SECRET = inEnvironment;
});
afterAll(async () => {
  delete process.env.EBBGATE_TEST_SECRET;
  await sshd.stop();
});
beforeEach(async () => {
  const identityFile = sshd.makeKey(`locked-${keys++}`, { passphrase, authorized: true });
  place = await makePlace({ sshd, connection: { identityFile } });
  heard = [];
  place.listen((event) => heard.push(event));
});
afterEach(() => place.tearDown());

/** Answers every question with this. */
function answerWith(answer: string): void {
  place.listen((event) => {
    if (event.event !== 'prompts') return;
    for (const { id } of event.data.prompts) void place.ask('prompt.answer', { id, answers: [answer], remember: false });
  });
}

/** The files below a folder that hold one of the texts, in plain form. */
async function filesHolding(folder: string, texts: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const content = await readFile(file);
    if (texts.some((text) => content.includes(text))) found.push(file);
  }
  return found;
}

describe('a secret in the environment and one as passphrase', { timeout: 240_000 }, () => {
  it('leave no trace after a whole session: not in files on either side, reports, events, commands or processes', async () => {
    answerWith(passphrase);
    await place.local.write({ 'skills/a/SKILL.md': 'a\n' });
    const reports = [await place.start(['first-session'])];
    await place.remote.write({ 'skills/a/SKILL.md': 'edited there\n' });
    reports.push(await place.end());
    expect(reports.map(({ outcome }) => outcome)).toEqual(['done', 'done']);
    await expectNoTrace(reports);
  });

  it('leave none after a wrong answer and a failure either', async () => {
    answerWith(`${passphrase}, but wrong`);
    const report = await place.start(['first-session']);
    expect(report).toMatchObject({ outcome: 'failed', error: { code: 'ssh.passphrase-needed' } });
    await expectNoTrace([report]);
  });

  it('is told while it is waited for, and the run ends when the person gives up', async () => {
    const asking = new Promise<string>((resolve) => {
      place.listen((event) => {
        const [prompt] = event.event === 'prompts' ? event.data.prompts : [];
        if (prompt !== undefined) resolve(prompt.id);
      });
    });
    const running = place.start(['first-session']);
    const id = await asking;
    // It waits for a person, and has not failed.
    expect(await place.call('status', {})).toMatchObject({ needsYou: 1, connections: [{ state: 'needs-you', asks: 'passphrase' }] });
    expect((await place.call('prompt.list', {})).prompts).toEqual([
      expect.objectContaining({ id, question: expect.objectContaining({ kind: 'passphrase' }) }),
    ]);
    await place.call('prompt.cancel', { id });
    expect((await running).error?.code).toBe('ssh.passphrase-needed');
    expect(await place.ask('prompt.answer', { id, answers: [passphrase], remember: false })).toMatchObject({
      ok: false,
      error: { code: 'prompt.closed' },
    });
  });
});

async function expectNoTrace(reports: readonly unknown[]): Promise<void> {
  const secrets = [inEnvironment, passphrase];
  expect(await filesHolding(place.folder, secrets)).toEqual([]);
  expect(await filesHolding(sshd.home, secrets)).toEqual([]);
  const said = JSON.stringify([reports, heard, await place.call('history.list', {}), await place.call('status', {})]);
  for (const secret of secrets) expect(said).not.toContain(secret);
  const there = readFileSync(seenThere, 'latin1');
  expect(there).toContain('HOME=');
  for (const secret of secrets) expect(there).not.toContain(secret);
}
