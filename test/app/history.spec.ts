import { readFile } from 'node:fs/promises';
import { rowOf } from '../../electron/app/history-rows';
import { ago, cannedReport, cannedView } from '../support/canned';
import { expect, test } from './fixtures';
import { manyRuns } from './rich-scene';

const days = 10_000;

test.describe('the history', () => {
  test('holds ten thousand runs, draws those in sight, and leads back to the one that was opened', async ({ host, page, open }) => {
    const runs = Array.from({ length: days }, (_, index) => cannedReport({ id: `run-${index}-of-many`, endedAt: ago(index * 50) }));
    host.show([cannedView()]);
    host.keep({ runs });
    await open();
    await page.getByRole('link', { name: 'History' }).click();
    await expect(page.getByText('10,000 runs')).toBeVisible();
    expect(await page.locator('.run').count()).toBeLessThan(200);
    await page.locator('main').evaluate((main) => main.scrollTo(0, main.scrollHeight));
    const last = page.locator('[aria-posinset="10000"] a');
    await expect(last).toBeInViewport();
    expect(await page.locator('.run').count()).toBeLessThan(300);
    await last.click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Teardown · hetzner-1');
    await page.keyboard.press('Escape');
    await expect(last).toBeFocused();
    await page.keyboard.press('ArrowUp');
    await expect(page.locator('[aria-posinset="9999"] a')).toBeFocused();
  });

  test('shows the newest runs while the rest is still being read', async ({ host, page, open }) => {
    const rows = manyRuns().map(rowOf);
    let readOn = (): void => undefined;
    const whole = new Promise<void>((done) => {
      readOn = done;
    });
    host.show([cannedView()]);
    host.answer('history.rows', async ({ limit }) => {
      if (limit === undefined) await whole;
      return { ok: true, value: { rows: rows.slice(0, limit === undefined ? rows.length : 3) } };
    });
    await open();
    await page.evaluate(() => {
      window.location.hash = '#/history';
    });
    await expect(page.locator('.run')).toHaveCount(3);
    await expect(page.getByRole('contentinfo')).not.toContainText('runs');
    readOn();
    await expect(page.getByText('47 runs')).toBeVisible();
  });

  test('is searched and filtered, and says when nothing is like that', async ({ host, page, open }) => {
    host.show([cannedView()]);
    host.keep({ runs: manyRuns() });
    await open();
    await page.getByRole('link', { name: 'History' }).click();
    await expect(page.getByText('47 runs')).toBeVisible();
    await page.getByRole('combobox', { name: 'Outcome' }).selectOption({ label: 'Held' });
    await expect(page.getByText('1 run', { exact: true })).toBeVisible();
    await page.getByRole('searchbox', { name: 'Search' }).fill('nowhere');
    await expect(page.getByText('No run is like that.')).toBeVisible();
    await page.getByRole('button', { name: 'Show all runs' }).click();
    await expect(page.getByText('47 runs')).toBeVisible();
    expect(host.asked.filter(({ name }) => name === 'history.rows').map(({ params }) => params)).toContainEqual({ search: 'nowhere' });
  });

  test('is saved as a file, part by part', async ({ host, page, open }) => {
    host.show([cannedView()]);
    host.keep({ runs: manyRuns() });
    host.answer('history.export', ({ before }) => ({
      ok: true,
      value: before === undefined ? { text: 'first\r\n', next: 'run-1' } : { text: 'second\r\n', next: null },
    }));
    await open();
    await page.getByRole('link', { name: 'History' }).click();
    const waiting = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    const download = await waiting;
    expect(download.suggestedFilename()).toBe('ebbgate-history.csv');
    expect(await readFile(await download.path(), 'utf8')).toBe('first\r\nsecond\r\n');
    await expect(page.getByText('Saved among your downloads.')).toBeVisible();
  });

  test('shows one run with its ledger and every file, however many', async ({ host, page, open }) => {
    const paths = Array.from({ length: 50_000 }, (_, index) => ({
      ...{ path: `skills/many/references/file-${index}.md`, outcome: 'written', change: 'create', bytes: index, reason: '' },
    })) as Parameters<typeof cannedReport>[0] extends { readonly paths?: infer P } ? P : never;
    host.show([cannedView()]);
    host.keep({ runs: [cannedReport({ id: 'wide', paths: paths ?? [] })] });
    await open();
    await page.getByRole('link', { name: 'History' }).click();
    await page.locator('.run').click();
    await expect(page.getByText('skills/many/references/file-0.md')).toBeVisible();
    expect(await page.locator('.path').count()).toBeLessThan(300);
    await page.locator('main').evaluate((main) => main.scrollTo(0, main.scrollHeight));
    await expect(page.getByText('skills/many/references/file-49999.md')).toBeInViewport();
  });

  test('is drawn per connection, with the same figures in a table', async ({ host, page, open }) => {
    const runs = manyRuns();
    host.show([cannedView()]);
    host.keep({ runs });
    await open();
    await page.getByRole('link', { name: /hetzner-1/ }).click();
    await expect(page.getByRole('img', { name: /Bytes written and refused by each teardown/ })).toBeVisible();
    await page.getByText('Show the figures').click();
    const rows = page.locator('.figures tbody tr');
    await expect(rows).toHaveCount(41);
    await expect(rows.first()).toHaveText('3 hours ago3.22 MB41 MBDone');
    expect(await page.locator('.chart g').count()).toBe(41);
  });
});
