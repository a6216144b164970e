import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { contentsOf, readTree } from '../support/tree';
import { expect, expectReadable, openConnection, test } from './real-fixtures';

const skillFile = 'skills/ops/log-reader/SKILL.md';

test.describe('a machine of the SSH configuration', () => {
  test.use({
    made: {
      sshFolder: ({ sshd, identityFile }) => ({
        config: [
          'Host build-box',
          `  HostName ${sshd.host}`,
          `  Port ${sshd.port}`,
          `  User ${sshd.username}`,
          `  IdentityFile ${identityFile}`,
          '  IdentitiesOnly yes',
          '',
        ].join('\n'),
      }),
    },
  });

  test('is found, compared, tested and looked at before its first push, and sends what was said', async ({ app, page, open }) => {
    const homeBefore = contentsOf(await readTree(app.localHome));
    await open();
    await expect(page.getByRole('heading', { name: 'Add the machine your Hermes works on' })).toBeVisible();
    await expectReadable(page);
    await page.getByRole('button', { name: 'Test: build-box' }).click();

    const question = page.getByRole('alert');
    await expect(question).toContainText('The connection does not work yet.');
    const shown = /SHA256:[\w+/]{43}/.exec((await question.textContent()) ?? '')?.[0];
    expect([app.sshd.fingerprint('ed25519'), app.sshd.fingerprint('ecdsa')]).toContain(shown);
    await expectReadable(page);
    await page.getByRole('button', { name: 'I compared it: trust this key' }).click();

    await expect(page.getByText('The connection works.')).toBeVisible();
    expect(await readFile(join(app.userHome, '.ssh/known_hosts'), 'utf8')).toContain(`[${app.sshd.host}]:${app.sshd.port} `);
    await expect(page.getByText(/^5 files will be sent/)).toBeVisible();
    await expect(page.getByText(/1 file of bookkeeping stays here/)).toBeVisible();
    await expect(page.getByText('Nothing has been sent so far.')).toBeVisible();
    await page.getByText(/^Show the list/).click();
    await expect(page.getByText(skillFile)).toBeVisible();
    await expectReadable(page);
    expect(Object.keys(contentsOf(await readTree(app.remoteHome)))).not.toContain(skillFile);

    await page.getByRole('button', { name: 'Start session' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('build-box');
    await expect(page.getByRole('contentinfo')).toContainText('Session open');
    const [push] = app.history();
    const sent = contentsOf(await readTree(app.remoteHome));
    expect(push?.ledger.written.files).toBe(5);
    expect(push?.paths.map(({ path, outcome }) => ({ outcome, text: sent[path] }))).toEqual(
      push?.paths.map(({ path }) => ({ outcome: 'written', text: homeBefore[path] })),
    );
  });
});

test.describe('a machine that is typed', () => {
  test.use({ made: { sshFolder: ({ sshd }) => ({ known_hosts: readFileSync(sshd.knownHostsFile, 'utf8') }) } });

  test('is kept for later with its key and its folder, and nothing has moved by then', async ({ app, page, open }) => {
    await open();
    await page.getByRole('textbox', { name: 'Address' }).fill(`${app.sshd.username}@${app.sshd.host}:${app.sshd.port}`);
    await page.getByRole('textbox', { name: 'Name' }).fill(app.connection);
    await page.getByText('More', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Private key file' }).fill(app.identityFile);
    await page.getByRole('textbox', { name: 'Hermes home there' }).fill(app.remoteHome);
    await expectReadable(page);
    const remoteBefore = contentsOf(await readTree(app.remoteHome));
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await expect(page.getByText('Nothing has been sent so far.')).toBeVisible();
    await page.getByRole('link', { name: 'Not now' }).click();
    expect(contentsOf(await readTree(app.remoteHome))).toEqual(remoteBefore);

    await openConnection(page, app);
    await page.getByRole('button', { name: 'Start session' }).click();
    await page.getByRole('button', { name: 'Start anyway' }).click();
    await expect(page.getByRole('contentinfo')).toContainText('Session open');
    expect(await readFile(join(app.remoteHome, skillFile), 'utf8')).toBe(await readFile(join(app.localHome, skillFile), 'utf8'));
  });
});
