import { cannedItem, cannedReport, cannedView, emptyLedger } from '../support/canned';
import { expect, test } from './fixtures';

const markup = '<img src=x onerror=alert(1)><script>alert(2)</script>';
const reversed = 'invoice\u202egnp.exe';
const long = 'a-very-long-name-without-any-place-to-break-'.repeat(5).slice(0, 200);
const arabic = 'مهارات/ملف';

/** Names from a remote are its own choice: they are shown, never obeyed. */
function hostileView() {
  const report = cannedReport({
    outcome: 'held',
    ledger: { ...emptyLedger, refused: { files: 1, bytes: 5, estimated: true, byTree: { [markup]: { files: 1, bytes: 5 } }, byRule: {} } },
    notes: [markup],
    alerts: [{ kind: 'growth', actual: 9, usual: 1, culprit: markup, holding: true }],
    stop: {
      guard: 'mass-delete',
      message: markup,
      details: { folder: markup, largest: [{ path: reversed, files: 1, bytes: 1 }], [markup]: markup },
    },
    error: { code: markup, message: `The remote said: ${markup}\u202e`, details: { said: markup } },
    paths: [markup, reversed, long, arabic, `${long}/${arabic}/..`].map((path) => ({
      path,
      outcome: 'refused',
      change: 'create',
      bytes: 1,
      reason: markup,
    })),
  });
  return cannedView({
    id: `c/${markup}`,
    name: markup,
    address: markup,
    localHome: long,
    roots: [markup],
    state: 'needs-you',
    lastTeardown: report,
    lastRun: report,
  });
}

test.describe('hostile names', () => {
  test('are shown as text in the list', async ({ host, page, open }) => {
    host.show([hostileView(), cannedView({ id: 'c-long', name: long }), cannedView({ id: 'c-rtl', name: reversed })]);
    await open();
    await expect(page.locator('.row .name')).toHaveText([markup, long, 'invoice‹U+202E›gnp.exe']);
    await expect(page.locator('img')).toHaveCount(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(400);
  });

  test('are shown as text in every part of a connection, and nothing sticks out', async ({ host, page, open }) => {
    const view = hostileView();
    host.show([view]);
    host.keep({
      items: [cannedItem({ connection: view.id, path: markup, reason: markup }), cannedItem({ id: 'b', connection: view.id, path: long })],
    });
    await open();
    await page.setViewportSize({ width: 360, height: 480 });
    await page.getByRole('link', { name: markup }).click();
    await page.getByText(/^Show files/).click();
    for (const details of await page.getByText('Details').all()) await details.click();
    await expect(page.locator('.paths bdi')).toHaveText([markup, 'invoice‹U+202E›gnp.exe', long, arabic, `${long}/${arabic}/..`]);
    await expect(page.getByText(`The remote said: ${markup}‹U+202E›`)).toBeVisible();
    await expect(page.locator('img, script[src="x"]')).toHaveCount(0);
    const widths = await page.evaluate(() => [document.documentElement.scrollWidth, document.querySelector('main')?.scrollWidth]);
    expect(widths).toEqual([360, 360]);
    expect(await page.locator('body').textContent()).not.toContain('\u202e');
  });
});
