import { randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { workOnRemote } from '../../electron/demo/made-up-homes';
import { contentsOf, readTree, writeTree } from '../support/tree';
import { announced } from './fixtures';
import { expect, ledgerLine, openConnection, test } from './real-fixtures';

const skillFile = 'skills/ops/log-reader/SKILL.md';
const otherKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIw8nRE7jg8p29WYwESe9gBUz8qMoTkRoipX51UJa+9j';

test('a first session asks, goes out, and comes home with exact numbers on screen', async ({ app, page, open }) => {
  const homeBefore = contentsOf(await readTree(app.localHome));
  await open();
  await expect(page.getByRole('link', { name: new RegExp(app.connection) })).toContainText('No teardown yet');
  await openConnection(page, app);

  await page.getByRole('button', { name: 'Start session' }).click();
  const question = page.getByRole('alert');
  await expect(question).toContainText('Nothing was changed on either side.');
  await expect(question).toContainText('skills/writing/release-notes');
  expect(await readFile(join(app.remoteHome, skillFile), 'utf8').catch(() => null)).toBeNull();
  await question.getByRole('button', { name: 'Start anyway' }).click();
  await expect(page.getByRole('contentinfo')).toContainText('Session open');
  await expect(page.getByRole('alert')).toHaveCount(0);
  expect(await readFile(join(app.remoteHome, skillFile), 'utf8')).toBe(homeBefore[skillFile]);
  const [push] = app.history();
  expect(await ledgerLine(page, 'Last start', 'Written there')).toEqual(push?.ledger.written);

  await workOnRemote(app.remoteHome, 1);
  await page.getByRole('button', { name: 'End session' }).click();
  await expect(page.getByRole('heading', { name: /^Last teardown/ })).toContainText('Done');
  const [end] = app.history();
  expect(end?.ledger.refused.byTree['.curator_backups']?.bytes).toBeGreaterThanOrEqual(24_000_000);
  expect(end?.paths.filter(({ outcome }) => outcome === 'written').length).toBe(4);
  for (const [name, tally] of [
    ['Written here', end?.ledger.written],
    ['Refused, left there', end?.ledger.refused],
    ['.curator_backups', end?.ledger.refused.byTree['.curator_backups']],
    ['node_modules', end?.ledger.refused.byTree.node_modules],
    ['Removed here', end?.ledger.removed],
    ['Unchanged', end?.ledger.unchanged],
    ['Transferred', end?.ledger.transferred],
    ['On the remote', end?.ledger.onRemote],
  ] as const) {
    const { files, bytes } = tally ?? {};
    expect({ name, ...(await ledgerLine(page, 'Last teardown', name)) }).toEqual({ name, files, bytes });
  }
  const wire = (end?.ledger.wire.sent ?? 0) + (end?.ledger.wire.received ?? 0);
  expect((await ledgerLine(page, 'Last teardown', 'On the wire')).bytes).toBe(wire);

  const homeAfter = contentsOf(await readTree(app.localHome));
  const changed = Object.keys(homeAfter).filter((path) => homeAfter[path] !== homeBefore[path]);
  expect(changed.sort()).toEqual(end?.paths.flatMap(({ path, outcome }) => (outcome === 'written' ? [path] : [])).sort());
  expect(homeAfter['skills/.hub/lock.json']).toBe(homeBefore['skills/.hub/lock.json']);
});

test('an edit on both sides waits in the window and leaves the local file alone', async ({ app, page, open }) => {
  expect(app.cli(['session', 'start', app.connection, '--allow', 'first-session']).code).toBe(0);
  await open();
  await openConnection(page, app);
  await writeTree(app.localHome, { [skillFile]: 'as this computer has it' });
  await writeTree(app.remoteHome, { [skillFile]: 'as the remote made it' });
  await page.getByRole('button', { name: 'End session' }).click();
  const waiting = page.getByRole('listitem').filter({ hasText: 'Both sides changed' });
  await expect(waiting).toContainText(skillFile);
  await expect(page.getByRole('heading', { name: /^Last teardown/ })).toContainText('Held');
  expect(await readFile(join(app.localHome, skillFile), 'utf8')).toBe('as this computer has it');
});

test('a remote that went away is offline in words on both screens', async ({ app, page, open }) => {
  await open();
  await openConnection(page, app);
  await app.sshd.stop();
  await page.getByRole('button', { name: 'Start session' }).click();
  await expect(page.getByRole('alert')).toContainText('The remote could not be reached');
  await expect(page.getByRole('alert')).toContainText(`127.0.0.1 refused the connection on port ${app.sshd.port}`);
  await expect(page.getByRole('banner')).toContainText('Offline');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('link', { name: new RegExp(app.connection) })).toContainText('Offline');
});

test.describe('a push that takes its time', () => {
  // Unpacking waits while a file named wait lies in the remote user's home.
  const waitingTar = `#!/bin/sh
case $1 in -x*) while [ -e "$HOME/wait" ]; do sleep 0.05; done ;; esac
PATH=/usr/bin:/bin exec tar "$@"
`;
  test.use({ made: { remoteTools: { tar: { text: waitingTar, executable: true } } } });

  test('shows its bytes as they go out, and leaves nothing behind when it is cancelled', async ({ app, page, open }) => {
    // More than an SSH channel takes on credit, and nothing that compresses.
    await writeTree(app.localHome, { 'skills/large/SKILL.md': 'large', 'skills/large/data.bin': randomBytes(9_000_000) });
    await writeTree(app.sshd.home, { wait: '' });
    await open();
    await openConnection(page, app);
    await page.getByRole('button', { name: 'Start session' }).click();
    await page.getByRole('button', { name: 'Start anyway' }).click();
    await expect(announced(page)).toHaveText('Sending out: transferring');
    await expect(page.getByRole('region', { name: 'Working' })).toContainText(/[1-8](\.\d+)?\sMB of 9\sMB/);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(announced(page)).toContainText('Interrupted');
    await rm(join(app.sshd.home, 'wait'));
    expect(Object.keys(contentsOf(await readTree(app.remoteHome))).filter((path) => path.startsWith('skills/large'))).toEqual([]);

    // The question was answered before; what was cancelled is sent now.
    await page.getByRole('button', { name: 'Start session' }).click();
    await expect(page.getByRole('contentinfo')).toContainText('Session open');
    expect((await readTree(app.remoteHome)).get('skills/large/data.bin')).toMatchObject({ kind: 'file' });
  });
});

test.describe('a host key', () => {
  test.describe('that nobody knows', () => {
    test.use({ made: { knownHosts: () => '' } });

    test('is shown, and known once the user says so', async ({ app, page, open }) => {
      await open();
      await openConnection(page, app);
      await page.getByRole('button', { name: 'Start session' }).click();
      const question = page.getByRole('alert');
      await expect(question).toContainText('This machine’s key is not known yet');
      const shown = /SHA256:[\w+/]{43}/.exec((await question.textContent()) ?? '')?.[0];
      expect([app.sshd.fingerprint('ed25519'), app.sshd.fingerprint('ecdsa')]).toContain(shown);
      await page.getByRole('button', { name: 'I compared it: trust this key' }).click();
      await expect(announced(page)).toHaveText('The connection works.');
      await page.getByRole('button', { name: 'Start session' }).click();
      await expect(page.getByRole('button', { name: 'Start anyway' })).toBeVisible();
    });
  });

  test.describe('that is another than before', () => {
    test.use({ made: { knownHosts: (sshd) => `[${sshd.host}]:${sshd.port} ${otherKey}\n` } });

    test('stops everything and cannot be accepted', async ({ app, page, open }) => {
      await open();
      await openConnection(page, app);
      await page.getByRole('button', { name: 'Start session' }).click();
      const alert = page.getByRole('alert');
      await expect(alert).toContainText('This machine shows another key than before');
      await expect(alert).toContainText(app.sshd.fingerprint('ed25519'));
      // Nothing accepts the key: the one button copies the command that forgets the known one.
      await expect(alert.getByRole('button')).toHaveCount(1);
      await expect(alert.getByRole('button', { name: /^Copy: ssh-keygen -R/ })).toBeVisible();
      expect(await readFile(join(app.remoteHome, skillFile), 'utf8').catch(() => null)).toBeNull();
    });
  });
});
