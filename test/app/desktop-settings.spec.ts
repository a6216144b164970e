import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';

/** The page as the app's own window has it: with a bridge, which here takes the way of a browser. */
async function asDesktop(page: Page, canNotify: boolean): Promise<void> {
  await page.addInitScript((notifies) => {
    const call = async (name: string, params: object) => {
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(params) };
      return (await fetch(`/api/${name}`, init)).json();
    };
    Object.assign(window, { ebbgate: { call, listen: () => () => undefined, canNotify: notifies } });
  }, canNotify);
}

test.describe('the settings of the desktop app', () => {
  test('offer notifications where the system shows them', async ({ host, page, open }) => {
    await asDesktop(page, true);
    await open();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('checkbox', { name: 'Notify me' }).click();
    expect(host.asked.filter(({ name }) => name === 'settings.change')).toMatchObject([{ params: { notifications: false } }]);
  });

  test('say that there are none where the system shows none', async ({ page, open }) => {
    await asDesktop(page, false);
    await open();
    await page.getByRole('link', { name: 'Settings' }).click();
    await expect(page.getByText('Notifications are not available here.')).toBeVisible();
    await expect(page.getByRole('checkbox', { name: 'Notify me' })).toHaveCount(0);
    await expect(page.getByRole('checkbox', { name: 'Start Ebbgate when I log in' })).toBeVisible();
  });
});
