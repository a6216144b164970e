import { resolve } from 'node:path';
import { cannedReport, cannedView, emptyLedger } from '../support/canned';
import { expect, test } from './fixtures';
import { allStates, fullReport, heldItems, heldView } from './scenes';

const folder = resolve(import.meta.dirname, '../../test-results/window');

for (const colorScheme of ['light', 'dark'] as const) {
  test(`pictures of every screen for a person to look at, ${colorScheme}`, async ({ host, page, open }) => {
    const picture = (name: string) => page.screenshot({ path: resolve(folder, `${name}-${colorScheme}.png`) });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await open();
    await expect(page.getByRole('heading', { name: 'Add the machine' })).toBeVisible();
    await picture('empty');

    host.show(allStates());
    const older = [2, 3, 5, 6].map((days) =>
      cannedReport({ endedAt: new Date(Date.parse(fullReport.endedAt) - days * 86_400_000).toISOString() }),
    );
    host.keep({
      runs: [fullReport, cannedReport({ kind: 'push', ledger: { ...emptyLedger, written: { files: 3, bytes: 41_000 } } }), ...older],
    });
    await page.reload();
    await expect(page.locator('.row')).toHaveCount(5);
    await picture('connections');
    for (const name of ['hetzner-1', 'gpu-lab', 'phone-termux', 'build-box', 'attic-nas']) {
      await page.getByRole('link', { name: new RegExp(name) }).click();
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
      await picture(`connection-${name}`);
      await page.keyboard.press('Escape');
    }

    await page.getByRole('link', { name: /hetzner-1/ }).click();
    await page.getByText('Show files').click();
    await page.setViewportSize({ width: 400, height: 1100 });
    await picture('connection-files');
    await page.locator('.runs summary').first().click();
    await picture('connection-whole');
    host.show([heldView(), cannedView({ id: 'x', name: 'other' })]);
    host.keep({ items: heldItems });
    await page.reload();
    await expect(page.getByText('Both sides changed')).toBeVisible();
    await picture('connection-held');
    await page.setViewportSize({ width: 360, height: 480 });
    await picture('connection-held-small');
  });
}
