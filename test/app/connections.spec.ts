import { ago, cannedReport, cannedView } from '../support/canned';
import { expect, test } from './fixtures';
import { allStates } from './scenes';

test.describe('the list of connections', () => {
  test('shows the connection that wants attention most on top', async ({ host, page, open }) => {
    host.show(allStates());
    await open();
    await expect(page.locator('.row .name')).toHaveText(['gpu-lab', 'build-box', 'phone-termux', 'attic-nas', 'hetzner-1']);
    await expect(page.locator('.row .state')).toHaveText(['Needs you', 'Working', 'Offline', 'Paused', 'Ready']);
    await expect(page.getByRole('contentinfo')).toContainText('5 connections · 1 needs you');
  });

  test('says when the last teardown was and what it wrote and refused', async ({ host, page, open }) => {
    host.show([cannedView()]);
    await open();
    const row = page.getByRole('link', { name: /hetzner-1/ });
    await expect(row).toContainText('Ended 3 hours ago 3.2 MB written, 41 MB refused');
    await expect(row.getByTitle('3,215,004 bytes')).toHaveText('3.2 MB');
    await expect(row.locator('time')).toHaveAttribute('title', /November 30, 2026/);
  });

  test('shows the date once a teardown is a day old', async ({ host, page, open }) => {
    host.show([cannedView({ lastTeardown: cannedReport({ endedAt: ago(24 * 60) }) })]);
    await open();
    await expect(page.locator('.row time')).toHaveText('Nov 29, 2026');
  });

  test('tells the states apart by shape', async ({ host, page, open }) => {
    host.show(allStates());
    await open();
    const shapes = await page.locator('.row .glyph').evaluateAll((glyphs) => glyphs.map((glyph) => glyph.innerHTML));
    expect(new Set(shapes).size).toBe(5);
  });

  test('says why a connection needs its user or is offline', async ({ host, page, open }) => {
    host.show(allStates());
    await open();
    await expect(page.getByRole('link', { name: /gpu-lab/ })).toContainText('This is the first session');
    await expect(page.getByRole('link', { name: /phone-termux/ })).toContainText('phone.example refused the connection on port 8022.');
  });

  test('without connections begins to add one, and shows how to try the demo', async ({ page, context, web, open }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: web.origin });
    await open();
    await expect(page.getByRole('heading', { name: 'Add the machine your Hermes works on' })).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Address' })).toBeVisible();
    await page.getByRole('button', { name: 'Copy: npm run demo' }).click();
    await expect(page.getByRole('status').first()).toHaveText('Copied');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('npm run demo');
  });

  test('asks again only when told that something changed', async ({ host, page, open }) => {
    host.show([cannedView()]);
    await open();
    await expect.poll(() => host.listeners).toBe(1);
    host.show([cannedView({ name: 'renamed' })]);
    host.emit({ event: 'changed', data: {} });
    await expect(page.locator('.row .name')).toHaveText('renamed');
    const before = host.asked.length;
    await page.clock.setFixedTime('2026-11-30T15:30:00.000Z');
    await page.clock.runFor(10 * 60_000);
    expect(host.asked.length).toBe(before);
  });

  test('says in words that the application behind the window is gone, and keeps what was known', async ({
    host,
    page,
    web,
    open,
    complaints,
  }) => {
    host.show([cannedView()]);
    await open();
    await expect(page.locator('.row .name')).toHaveText('hetzner-1');
    await web.close();
    await expect(page.getByRole('alert')).toContainText('The Ebbgate behind this window does not answer.');
    await expect(page.locator('.row .name')).toHaveText('hetzner-1');
    // the browser itself reports a connection that breaks
    await page.close();
    expect(complaints.filter((one) => !/ERR_|Failed to load/.test(one))).toEqual([]);
    complaints.length = 0;
  });

  test('shows the sentence of an error when the status cannot be read', async ({ host, page, web }) => {
    const message = 'Another Ebbgate (process 12) uses the data folder and does not answer.';
    host.answer('status', () => ({ ok: false, error: { code: 'store.busy', message, details: { pid: 12 } } }));
    await page.goto(web.url);
    await expect(page.getByRole('alert')).toContainText(message);
    await page.getByText('Details').click();
    await expect(page.getByRole('alert')).toContainText('store.busy');
  });
});
