import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import { cannedReport, cannedView } from '../support/canned';
import { expect, test } from './fixtures';
import { allStates, firstSessionStop, fullReport, heldComparison, heldItems, heldView, refusedReport } from './scenes';

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string }[];
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe holds to be serious or critical, in short form. */
async function graveViolations(page: Page): Promise<readonly string[]> {
  // evaluated by the debugger, so the page's own policy stays as strict as it is
  await page.evaluate(axeSource);
  const result = await page.evaluate(() => (window as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } }).axe.run());
  return result.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

const appearances = [
  { name: 'light', media: { colorScheme: 'light', forcedColors: 'none' } },
  { name: 'dark', media: { colorScheme: 'dark', forcedColors: 'none' } },
  { name: 'forced colours', media: { colorScheme: 'dark', forcedColors: 'active' } },
] as const;

for (const { name, media } of appearances) {
  test(`${name}: no grave finding on any screen`, async ({ host, page, open }) => {
    await page.emulateMedia(media);
    await open();
    expect({ screen: 'empty', found: await graveViolations(page) }).toEqual({ screen: 'empty', found: [] });
    host.show([...allStates().slice(1), heldView()]);
    host.keep({
      items: heldItems,
      runs: [fullReport, { ...firstSessionStop, connection: { id: 'c-hetzner', name: 'hetzner-1' } }, cannedReport({ outcome: 'failed' })],
    });
    await page.reload();
    await expect(page.locator('.row')).toHaveCount(5);
    expect({ screen: 'list', found: await graveViolations(page) }).toEqual({ screen: 'list', found: [] });
    for (const connection of ['gpu-lab', 'build-box', 'phone-termux', 'hetzner-1']) {
      await page.getByRole('link', { name: new RegExp(connection) }).click();
      await expect(page.getByRole('heading', { level: 1, name: connection })).toBeVisible();
      for (const fold of await page.locator('summary').all()) await fold.click();
      expect({ screen: connection, found: await graveViolations(page) }).toEqual({ screen: connection, found: [] });
      await page.keyboard.press('Escape');
    }
  });
}

test('an opened item has no grave finding in any appearance', async ({ host, page, open }) => {
  host.show([heldView()]);
  host.keep({ items: heldItems });
  host.answer('inbox.compare', () => ({ ok: true, value: heldComparison }));
  await open();
  await page.getByRole('link', { name: /hetzner-1/ }).click();
  await page.getByRole('button', { name: /Both sides changed/ }).click();
  await expect(page.getByRole('region', { name: 'The versions' })).toBeVisible();
  for (const { name, media } of appearances) {
    await page.emulateMedia(media);
    expect({ name, found: await graveViolations(page) }).toEqual({ name, found: [] });
  }
});

test('every control of a connection is reached by Tab, in the order it is read, with a visible focus', async ({ host, page, open }) => {
  host.show([cannedView({ state: 'offline', lastTeardown: fullReport, lastRun: refusedReport })]);
  await open();
  await page.getByRole('link', { name: /hetzner-1/ }).click();
  await expect(page.getByText('Show files')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  const order: string[] = [];
  for (let i = 0; i < 7; i += 1) {
    await page.keyboard.press(i === 0 ? 'Shift+Tab' : 'Tab');
    const focus = await page.evaluate(() => {
      const element = document.activeElement;
      const style = element === null ? null : getComputedStyle(element);
      return { text: element?.textContent ?? '', outline: style?.outlineStyle, tag: element?.tagName };
    });
    if (focus.tag === 'BODY') break;
    if (focus.tag === 'MAIN') continue; // a scrolling area takes the focus so that arrow keys can scroll it
    expect(focus).toMatchObject({ outline: 'solid' });
    order.push(focus.text);
  }
  expect(order.slice(0, 3)).toEqual(['‹Back to connections', 'Details', 'Show files (15 files)']);
  expect(order.slice(-2)).toEqual(['Test connection', 'Start session']);
});

test('nothing moves when the user asked for less motion', async ({ host, page, open }) => {
  host.show(allStates());
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await open();
  await expect(page.locator('.glyph-working')).toBeVisible();
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(1);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
});

test('everything stays in reach at 360 × 480', async ({ host, page, open }) => {
  await page.setViewportSize({ width: 360, height: 480 });
  host.show([heldView()]);
  host.keep({ items: heldItems, runs: [fullReport] });
  await open();
  await page.getByRole('link', { name: /hetzner-1/ }).click();
  await expect(page.getByRole('button', { name: 'End session' })).toBeInViewport({ ratio: 1 });
  await page.locator('.place').scrollIntoViewIfNeeded();
  await expect(page.locator('.place')).toBeInViewport();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});
