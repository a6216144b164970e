import type { Page } from '@playwright/test';
import { makeLocalHome, makeRemoteHome } from '../../electron/demo/made-up-homes';
import { type RealApp, type RealAppOptions, startRealApp } from '../support/real-app';
import { graveViolations } from './axe';
import { expect, test as scripted } from './fixtures';

interface RealFixtures {
  readonly made: RealAppOptions;
  readonly app: RealApp;
  /** Axe finds nothing grave on the screen that a test ends with. */
  readonly readable: undefined;
}

/** Skills on this computer; 24 MB of restore points, a hub lock and a node_modules on the remote. */
const madeUp: RealAppOptions = {
  fill: async ({ localHome, remoteHome }) => {
    await makeLocalHome(localHome);
    await makeRemoteHome(remoteHome);
  },
};

/** The window in a real browser with the built program behind it, and a real SSH server behind that. */
export const test = scripted.extend<RealFixtures>({
  clock: null,
  made: [madeUp, { option: true }],
  app: async ({ made }, use) => {
    const app = await startRealApp({ ...madeUp, ...made });
    await use(app);
    expect(await app.stop()).toBe(0);
  },
  web: async ({ app }, use) => {
    await use({ url: app.url, origin: app.origin, close: async () => undefined });
  },
  readable: [
    async ({ page, complaints }, use) => {
      void complaints; // looked at afterwards, so that what axe provokes counts
      await use(undefined);
      await expectReadable(page);
    },
    { auto: true },
  ],
});

/** Axe finds nothing grave on this screen. */
export async function expectReadable(page: Page): Promise<void> {
  expect(await graveViolations(page)).toEqual([]);
}

/** Opens the app's only connection. */
export async function openConnection(page: Page, app: RealApp): Promise<void> {
  await page.getByRole('link', { name: new RegExp(app.connection) }).click();
  await expect(page.getByRole('heading', { level: 1, name: app.connection })).toBeVisible();
}

/** Files and exact bytes of a line of a ledger; bytes come from its hover text. */
export async function ledgerLine(page: Page, heading: string, name: string): Promise<{ readonly files: number; readonly bytes: number }> {
  const line = page.locator('.block', { has: page.getByRole('heading', { name: new RegExp(`^${heading}`) }) }).locator('.ledger-line');
  const shown = line.filter({ has: page.locator('dt').getByText(name, { exact: true }) });
  const text = (await shown.locator('dd').textContent()) ?? '';
  const exact = (await shown.locator('dd [title]').getAttribute('title')) ?? '';
  const number = (words: string) => Number(/^[\d,]+/.exec(words)?.[0].replaceAll(',', '') ?? Number.NaN);
  return { files: number(text), bytes: number(exact) };
}

export { expect };
