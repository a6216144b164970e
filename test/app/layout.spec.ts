import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { buildPseudoRenderer } from './pseudo-renderer';
import { parts, walk } from './walk';

/**
 * What reaches out of the window sideways, or loses the end of its text, innermost parts only. Areas that scroll by themselves
 * may hold what is wider, and what is there for screen readers alone is hidden from sight.
 */
async function cutOff(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const shown = [...document.querySelectorAll<HTMLElement>('body *')].filter((element) => {
      const { position, clipPath } = getComputedStyle(element);
      return element.checkVisibility({ visibilityProperty: true }) && !(position === 'absolute' && clipPath !== 'none');
    });
    const scrollsItself = (element: Element) => element.tagName !== 'MAIN' && /auto|scroll/.test(getComputedStyle(element).overflowX);
    const isCut = (element: HTMLElement) =>
      /hidden|clip/.test(getComputedStyle(element).overflowX) && element.clientWidth > 1 && element.scrollWidth > element.clientWidth + 1;
    const sticksOut = (element: HTMLElement) => {
      for (let around = element.parentElement; around !== null; around = around.parentElement) if (scrollsItself(around)) return false;
      const { left, right } = element.getBoundingClientRect();
      return left < -1 || right > window.innerWidth + 1;
    };
    const found = shown.filter((element) => isCut(element) || sticksOut(element));
    const innermost = found.filter((element) => !found.some((other) => other !== element && element.contains(other)));
    const scrolling = [document.documentElement, ...document.querySelectorAll('main')].filter(
      (area) => area.scrollWidth > area.clientWidth,
    );
    const main = document.querySelector('main');
    return [
      ...(main !== null && main.clientHeight < 100 ? [`only ${main.clientHeight} pixels are left for what the screen is about`] : []),
      ...innermost.map((element) => `${element.tagName}.${element.className}: ${(element.textContent ?? '').slice(0, 60)}`),
      ...scrolling.map((area) => `${area.tagName} scrolls sideways`),
    ];
  });
}

test.use({
  // biome-ignore lint/correctness/noEmptyPattern: the runner wants a pattern here
  rendererDir: async ({}, use) => {
    await use(await buildPseudoRenderer());
  },
});

for (const [index, part] of parts.entries())
  test(`long words are whole and nothing scrolls sideways in the smallest window, at 200 % too: part ${index + 1}`, async ({
    host,
    page,
    open,
  }) => {
    const found: string[] = [];
    await open();
    await walk(page, host, part, async (screen) => {
      for (const fold of await page.locator('details:not([open]) > summary').all()) await fold.click();
      // a window of 360 × 480 at 200 % has half as many CSS pixels each way
      for (const [width, height] of [
        [360, 480],
        [180, 240],
      ] as const) {
        await page.setViewportSize({ width, height });
        for (const cut of await cutOff(page)) found.push(`${screen} at ${width}: ${cut}`);
      }
      await page.setViewportSize({ width: 360, height: 480 });
    });
    expect(found).toEqual([]);
  });
