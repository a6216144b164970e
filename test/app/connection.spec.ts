import { ago, cannedReport, cannedView, emptyLedger } from '../support/canned';
import { expect, test } from './fixtures';
import { allStates, fullReport, heldItems, heldSubtree, heldView, refusedReport } from './scenes';

test.describe('one connection', () => {
  test('opens and closes by keyboard, and the focus goes along', async ({ host, page, open }) => {
    host.show(allStates());
    await open();
    for (let i = 0; i < 7; i += 1) await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: /hetzner-1/ })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: 'hetzner-1' })).toBeFocused();
    await expect(page).toHaveTitle('hetzner-1 · Ebbgate');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('link', { name: /hetzner-1/ })).toBeFocused();
  });

  test('shows the byte ledger of the last teardown to the byte', async ({ host, page, open }) => {
    host.show([cannedView({ lastTeardown: fullReport, lastRun: fullReport })]);
    await open();
    await page.getByRole('link', { name: /hetzner-1/ }).click();
    await expect(page.getByRole('heading', { name: /Last teardown · 3 hours ago, took 0.3 sec · Done/ })).toBeVisible();
    const lines = await page
      .locator('.ledger')
      .first()
      .locator('.ledger-line')
      .evaluateAll((all) => all.map((line) => [...line.children].map((part) => part.textContent?.replaceAll('\u00a0', ' '))));
    expect(lines).toEqual([
      ['Written here', '14 files · 3.22 MB'],
      ['Refused, left there', '20,119 files · 41 MB'],
      ['.curator_backups', '115 files · 24.1 MB'],
      ['node_modules', '20,000 files · 16.9 MB'],
      ['other rules', '4 files · 12.3 kB'],
      ['Removed here', '1 file · 2.05 kB'],
      ['Unchanged', '771 files · 8.41 MB'],
      ['Transferred', '14 files · 3.22 MB'],
      ['On the wire', '1.1 MB'],
      ['On the remote', '20,904 files · 52.6 MB'],
    ]);
    const exact = await page
      .locator('.ledger')
      .first()
      .locator('[title]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('title')));
    expect(exact).toEqual([
      '3,215,004 bytes',
      '41,012,345 bytes',
      '24,100,000 bytes',
      '16,900,000 bytes',
      '12,345 bytes',
      '2,048 bytes',
      '8,407,218 bytes',
      '3,215,004 bytes',
      '1,100,123 bytes',
      '52,634,567 bytes',
    ]);
  });

  test('says why its link waits, and has it tried at once', async ({ host, page, open }) => {
    const { error } = refusedReport;
    host.show([cannedView({ state: 'offline', link: { state: 'lost', error } })]);
    host.answer('connection.try-now', () => ({ ok: true, value: {} }));
    await open();
    await page.getByRole('link', { name: /hetzner-1/ }).click();
    await expect(page.getByRole('alert')).toContainText('phone.example refused the connection');
    await page.getByRole('button', { name: 'Try now' }).click();
    await expect.poll(() => host.asked.at(-1)).toEqual({ name: 'connection.try-now', params: { connection: 'c-hetzner' } });
    host.show([cannedView({ state: 'needs-you', link: { state: 'paused', error } })]);
    host.emit({ event: 'changed', data: {} });
    await expect(page.getByRole('button', { name: 'Try now' })).toHaveCount(0);
    await expect(page.getByRole('alert')).toBeVisible();
  });

  test('lists the paths that did not stay unchanged on demand, and says how many are left out', async ({ host, page, open }) => {
    host.show([cannedView({ lastTeardown: fullReport, lastRun: fullReport })]);
    await open();
    await page.getByRole('link', { name: /hetzner-1/ }).click();
    await expect(page.locator('.paths')).toHaveCount(0);
    await page.getByText('Show files (15 files)').click();
    await expect(page.locator('.paths [role=listitem]')).toHaveText([
      'skills/git-workflow/SKILL.mdconflictchanged4.21 kBedited on both sides',
      'skills/notes/today.mdwrittennew3.22 MB',
      'skills/old/README.mdremoved2.05 kBremoved on the remote',
    ]);
    await expect(page.getByText('12 more are not listed')).toBeVisible();
    await expect(page.getByText('The record of the last session could not be read')).toBeVisible();
  });

  test('shows the last runs, newest first, and leads to all of them', async ({ host, page, open }) => {
    host.show([cannedView({ lastTeardown: fullReport, lastRun: fullReport })]);
    const pruned = { ...emptyLedger, removed: { files: 4, bytes: 24_000_000 } };
    host.keep({
      runs: [
        fullReport,
        cannedReport({ kind: 'push', endedAt: ago(220), outcome: 'partly', ledger: emptyLedger }),
        cannedReport({ kind: 'prune', endedAt: ago(230), ledger: pruned }),
      ],
    });
    await open();
    await page.getByRole('link', { name: /hetzner-1/ }).click();
    await expect(page.locator('.run')).toHaveText([
      'Teardown3 hours agoDone · 3.2 MB written, 41 MB refused',
      'Start3 hours agoPartly done',
      'Prune3 hours agoDone · 24 MB removed',
    ]);
    await page.getByRole('link', { name: 'All runs' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('History of hetzner-1');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('link', { name: 'All runs' })).toBeFocused();
  });

  test('shows what waits, why, and that ignoring it is safe', async ({ host, page, open }) => {
    host.show([heldView()]);
    host.keep({ items: [heldSubtree, ...heldItems] });
    await open();
    await expect(page.getByRole('link', { name: /hetzner-1/ })).toContainText('2 items wait for your decision');
    await page.getByRole('link', { name: /hetzner-1/ }).click();
    await expect(page.getByText('Both sides changed')).toBeVisible();
    await expect(page.getByText('skills/.hub/lock.json')).toBeVisible();
    await expect(page.getByRole('button', { name: /skills\/web\/\.npm/ })).toContainText('60 MB, usually 400 kB.');
    await expect(page.getByRole('button', { name: 'End session' })).toBeEnabled();
    await expect(page.getByRole('contentinfo')).toContainText('Session open 42 min');
  });

  test('shows the sentence of the last failure, and its facts on demand', async ({ host, page, open }) => {
    host.show([cannedView({ state: 'offline', lastRun: refusedReport })]);
    await open();
    await page.getByRole('link', { name: /hetzner-1/ }).click();
    const alert = page.getByRole('alert');
    await expect(alert).toContainText(
      'refused the connection on port 8022. Nothing was changed on either side. Check that its SSH server runs',
    );
    await expect(alert).not.toContainText('ssh.refused');
    await alert.getByText('Details').click();
    await expect(alert).toContainText('ssh.refused');
    await expect(alert).toContainText('8022');
  });

  test('shows the sentence of a request that was refused', async ({ host, page, open }) => {
    const message = 'hetzner-1 is busy: a preview. Nothing was done. Wait for it to end and try again.';
    host.show([cannedView()]);
    host.answer('session.start', () => ({ ok: false, error: { code: 'run.busy', message, details: {} } }));
    await open();
    await page.getByRole('link', { name: /hetzner-1/ }).click();
    await page.getByRole('button', { name: 'Start session' }).click();
    await expect(page.getByRole('alert')).toContainText(message);
    await expect(page.getByRole('button', { name: 'Start session' })).toBeEnabled();
  });

  test('says so when the connection is no longer there', async ({ host, page, open }) => {
    host.show([cannedView()]);
    await open();
    await page.getByRole('link', { name: /hetzner-1/ }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('hetzner-1');
    await expect.poll(() => host.listeners).toBe(1);
    host.show([]);
    host.emit({ event: 'changed', data: {} });
    await expect(page.getByText('This connection is no longer there.')).toBeVisible();
    await page.getByRole('link', { name: 'Back to connections' }).click();
    await expect(page.getByRole('heading', { name: 'Add the machine your Hermes works on' })).toBeVisible();
  });
});
