import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Envelope } from '../../shared/contract';
import type { Prompt } from '../../shared/prompt';
import { connectionTo } from '../support/session';
import { startSshd, type TestSshd } from '../support/sshd';
import { ensureBuilt, type StoodInApp, startStoodInApp } from '../support/stood-in-app';

const passphrase = 'canary-passphrase-e2c4';

let sshd: TestSshd;
let identityFile: string;
const apps: StoodInApp[] = [];
beforeAll(async () => {
  ensureBuilt();
  sshd = await startSshd();
  identityFile = sshd.makeKey('locked', { passphrase, authorized: true });
});
afterAll(() => sshd.stop());
afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.dispose()));
});

/** The tray app on a computer with this keyring, with a connection whose key is locked. */
async function startWith(keyring: string): Promise<StoodInApp> {
  const app = await startStoodInApp({ env: { STAND_IN_KEYRING: keyring } });
  apps.push(app);
  await app.ask('ready');
  await app.until<{ readonly visible: boolean } | undefined>('window', (window) => window?.visible === true);
  const added = await call<unknown>(app, 'connection.add', connectionTo(sshd, { identityFile }));
  expect(added.ok).toBe(true);
  return app;
}

const call = <T>(app: StoodInApp, name: string, params: unknown) => app.ask<Envelope<T>>('call', { name, params });

/** A test of the connection; returns its question, which is answered with the wish to remember, or null. */
async function testConnection(app: StoodInApp): Promise<Prompt | null> {
  let done = false;
  const running = call<{ readonly ok: boolean }>(app, 'connection.test', { connection: 'build-box' }).finally(() => {
    done = true;
  });
  let asked: Prompt | null = null;
  while (!done && asked === null) {
    const reply = await call<{ readonly prompts: readonly Prompt[] }>(app, 'prompt.list', {});
    asked = reply.ok ? (reply.value.prompts[0] ?? null) : null;
  }
  if (asked !== null) await call(app, 'prompt.answer', { id: asked.id, answers: [passphrase], remember: true });
  expect(await running).toMatchObject({ ok: true, value: { ok: true } });
  return asked;
}

const fileOf = (app: StoodInApp) => join(app.dataDir, 'secrets.json');

describe('the tray app, asked to remember a passphrase', () => {
  it('keeps it where the keyring encrypts, in a private file, and asks no second time', async () => {
    const app = await startWith('gnome_libsecret');
    expect(await testConnection(app)).toMatchObject({ canRemember: true, question: { kind: 'passphrase' } });
    expect(statSync(fileOf(app)).mode & 0o777).toBe(0o600);
    for (const name of readdirSync(app.dataDir, { recursive: true, encoding: 'utf8' })) {
      const file = join(app.dataDir, name);
      if (statSync(file).isFile()) expect(readFileSync(file, 'latin1')).not.toContain(passphrase);
    }
    expect(await testConnection(app)).toBeNull();
  });

  it.each(['basic_text', 'unavailable'])('keeps nothing and asks again with a keyring that is %s', async (keyring) => {
    const app = await startWith(keyring);
    expect(await testConnection(app)).toMatchObject({ canRemember: false });
    expect(await testConnection(app)).toMatchObject({ canRemember: false });
    expect(existsSync(fileOf(app))).toBe(false);
  });
});
