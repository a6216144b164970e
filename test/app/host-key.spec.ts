import { cannedReport, cannedView, emptyLedger } from '../support/canned';
import { announced, expect, test } from './fixtures';

const fingerprint = 'SHA256:9mXc1Tn5bQ0e0m4mXb1m8o2w3x4y5z6A7B8C9D0E1F2';

const forget = "ssh-keygen -R '[hetzner-1.example]:2222' -f '/home/ada/.ssh/known_hosts'";

function failedView(code: 'ssh.host-key-unknown' | 'ssh.host-key-changed') {
  const error = {
    code,
    message: `hetzner-1.example shows ${fingerprint}. Nothing was sent.`,
    details: code === 'ssh.host-key-unknown' ? { fingerprint } : { fingerprint, forget },
  };
  const run = cannedReport({ kind: 'push', outcome: 'failed', ledger: emptyLedger, error });
  return cannedView({ state: 'needs-you', lastTeardown: null, lastRun: run });
}

test.describe('a host key', () => {
  test('that is unknown can be trusted after a look at its fingerprint', async ({ host, page, open }) => {
    host.show([failedView('ssh.host-key-unknown')]);
    const checks = [{ id: 'host-key', ok: true, detail: 'The host key is known now.', fix: null }];
    host.answer('connection.test', () => ({ ok: true, value: { ok: true, checks } }));
    await open();
    await page.getByRole('link', { name: /hetzner-1/ }).click();
    await expect(page.getByRole('alert')).toContainText(fingerprint);
    await page.getByRole('button', { name: 'I compared it: trust this key' }).click();
    await expect(page.getByText('The host key is known now.')).toBeVisible();
    await expect(announced(page)).toHaveText('The connection works.');
    expect(host.asked.filter((one) => one.name === 'connection.test').map((one) => one.params)).toEqual([
      { connection: 'c-hetzner', acceptHostKey: fingerprint },
    ]);
  });

  test('that changed cannot be accepted here; the command that forgets the old one can be copied', async ({
    host,
    page,
    open,
    context,
    web,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: web.origin });
    host.show([failedView('ssh.host-key-changed')]);
    await open();
    await page.getByRole('link', { name: /hetzner-1/ }).click();
    await expect(page.getByRole('alert')).toContainText(fingerprint);
    await expect(page.getByRole('alert').getByRole('button')).toHaveCount(1);
    await page.getByRole('button', { name: `Copy: ${forget}` }).click();
    await expect(page.getByRole('button', { name: `Copy: ${forget}` })).toHaveText('Copied');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(forget);
  });
});

test('a connection test says what fails and what to do about it', async ({ host, page, open }) => {
  host.show([cannedView()]);
  const checks = [
    { id: 'reach', ok: true, detail: 'hetzner-1.example answers on port 22.', fix: null },
    { id: 'login', ok: false, detail: 'ada was not let in.', fix: 'Add the public key to authorized_keys there.' },
  ];
  host.answer('connection.test', () => ({ ok: true, value: { ok: false, checks } }));
  await open();
  await page.getByRole('link', { name: /hetzner-1/ }).click();
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect(page.getByRole('alert')).toHaveText(
    'The connection does not work yet.✓ Network hetzner-1.example answers on port 22.✗ Login Add the public key to authorized_keys there.',
  );
});
