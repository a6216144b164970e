import { resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { test } from '../app/fixtures';
import { buildPseudoRenderer } from '../app/pseudo-renderer';
import { screens, walk } from '../app/walk';

const folder = resolve(import.meta.dirname, '../../test-results/pictures');

const looks = [
  { name: 'light', locale: 'en-US', media: { colorScheme: 'light', forcedColors: 'none' } },
  { name: 'dark', locale: 'en-US', media: { colorScheme: 'dark', forcedColors: 'none' } },
  { name: 'forced-colors', locale: 'en-US', media: { colorScheme: 'dark', forcedColors: 'active' } },
  { name: 'fr', locale: 'fr-FR', media: { colorScheme: 'light', forcedColors: 'none' } },
  { name: 'pt-BR', locale: 'pt-BR', media: { colorScheme: 'light', forcedColors: 'none' } },
  { name: 'zh-CN', locale: 'zh-CN', media: { colorScheme: 'light', forcedColors: 'none' } },
] as const;

/** A picture of the whole screen, however long it is. */
async function picture(page: Page, look: string, name: string): Promise<void> {
  await page.setViewportSize({ width: 400, height: 600 });
  const height = await page.evaluate(() => {
    const main = document.querySelector('main');
    return main === null ? 600 : 600 + Math.max(0, main.scrollHeight - main.clientHeight);
  });
  await page.setViewportSize({ width: 400, height: Math.min(height, 2400) });
  await page.screenshot({ path: resolve(folder, look, `${name}.png`) });
  await page.setViewportSize({ width: 400, height: 600 });
}

for (const { name, locale, media } of looks) {
  test.describe(name, () => {
    test.use({ locale });

    test('pictures of every screen', async ({ host, page, open }) => {
      await page.emulateMedia({ ...media, reducedMotion: 'reduce' });
      await open();
      await walk(page, host, screens, (screen) => picture(page, name, screen));
    });
  });
}

test.describe('the pseudo-locale', () => {
  test.use({
    // biome-ignore lint/correctness/noEmptyPattern: the runner wants a pattern here
    rendererDir: async ({}, use) => {
      await use(await buildPseudoRenderer());
    },
  });

  test('pictures of every screen', async ({ host, page, open }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await open();
    await walk(page, host, screens, (screen) => picture(page, 'pseudo', screen));
  });
});
