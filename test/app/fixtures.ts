import { resolve } from 'node:path';
import { test as base, expect, type Locator, type Page } from '@playwright/test';
import { startWebHost, type WebHost } from '../../electron/web/server';
import { cannedNow } from '../support/canned';
import { createScriptedHost, type ScriptedHost } from '../support/scripted-host';

const builtRenderer = process.env.EBBGATE_RENDERER_DIR ?? resolve(import.meta.dirname, '../../out/renderer');

interface Fixtures {
  /** The moment at which the page's clock stands; null lets it run. */
  readonly clock: number | null;
  /** Folder of the built window. */
  readonly rendererDir: string;
  readonly host: ScriptedHost;
  readonly web: WebHost;
  /** What the page must not do; checked after each test. A test that provokes one takes it out again. */
  readonly complaints: string[];
  /** Opens the window and waits for its first answer. */
  readonly open: () => Promise<void>;
}

function watch(page: Page, origin: string, complaints: string[]): void {
  page.on('console', (message) => complaints.push(`console ${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(`page error: ${error.message}`));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith('data:')) complaints.push(`request to ${url}`);
  });
}

/** The window in a real browser, over the real web host, with a scripted application behind it. */
export const test = base.extend<Fixtures>({
  clock: [cannedNow, { option: true }],
  rendererDir: [builtRenderer, { option: true }],
  // biome-ignore lint/correctness/noEmptyPattern: the runner wants a pattern here
  host: async ({}, use) => {
    await use(createScriptedHost());
  },
  web: async ({ host, rendererDir }, use) => {
    const web = await startWebHost({ host, rendererDir });
    await use(web);
    await web.close();
  },
  complaints: async ({ page, web }, use) => {
    const complaints: string[] = [];
    watch(page, web.origin, complaints);
    await use(complaints);
    expect(complaints).toEqual([]);
  },
  open: async ({ page, web, complaints, clock }, use) => {
    void complaints; // watching starts before the first page
    await use(async () => {
      if (clock !== null) await page.clock.setFixedTime(clock);
      await page.goto(web.url);
      await expect(page.getByRole('contentinfo')).not.toHaveText('');
    });
  },
});

/** What the open connection's screen tells a reader who listens. Its parts have words of their own. */
export function announced(page: Page): Locator {
  return page.locator('main > [role=status]');
}

export { expect };
