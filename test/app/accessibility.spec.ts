import { cannedView } from '../support/canned';
import { graveViolations } from './axe';
import { expect, test } from './fixtures';
import { allStates, fullReport, heldItems, heldView, refusedReport } from './scenes';
import { parts, walk } from './walk';

for (const [index, part] of parts.entries()) {
  test(`no screen of part ${index + 1} has a grave finding, or is hard to read in the dark or in forced colours`, async ({
    host,
    page,
    open,
  }) => {
    await open();
    await walk(page, host, part, async (screen) => {
      for (const fold of await page.locator('details:not([open]) > summary').all()) await fold.click();
      await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
      expect({ screen, found: await graveViolations(page) }).toEqual({ screen, found: [] });
      // What a screen is made of is the same in every appearance; its colours are not.
      await page.emulateMedia({ colorScheme: 'dark', forcedColors: 'none' });
      expect({ screen, dark: await graveViolations(page, 'color-contrast') }).toEqual({ screen, dark: [] });
      await page.emulateMedia({ colorScheme: 'dark', forcedColors: 'active' });
      expect({ screen, forced: await graveViolations(page, 'color-contrast') }).toEqual({ screen, forced: [] });
    });
  });
}

test('every control of a connection is reached by Tab, in the order it is read, with a visible focus', async ({ host, page, open }) => {
  host.show([cannedView({ state: 'offline', lastTeardown: fullReport, lastRun: refusedReport })]);
  await open();
  await page.getByRole('link', { name: /hetzner-1/ }).click();
  await expect(page.getByText('Show files')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  const order: string[] = [];
  for (let i = 0; i < 12; i += 1) {
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
  expect(order.slice(0, 4)).toEqual(['‹Back to connections', 'Details', 'Show files (15 files)', 'Inspect both sides']);
  expect(order.slice(-3)).toEqual(['Test connection', 'Remove connection', 'Start session']);
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
