import { resolve } from 'node:path';
import { expect, test } from './fixtures';
import { allStates, heldItems, heldView } from './scenes';

const folder = resolve(import.meta.dirname, '../../test-results/window');

const languages = [
  {
    locale: 'fr-FR',
    lang: 'fr',
    states: ['À vous de voir', 'Au travail', 'Hors ligne', 'En pause', 'Prêt'],
    moved: /3,2\sMo écrits, 41\sMo refusés/,
  },
  {
    locale: 'pt-PT',
    lang: 'pt-BR',
    states: ['Precisa de você', 'Trabalhando', 'Sem conexão', 'Pausada', 'Pronta'],
    moved: /3,2\sMB gravados, 41\sMB recusados/,
  },
  { locale: 'zh-CN', lang: 'zh-CN', states: ['需要您处理', '进行中', '离线', '已暂停', '就绪'], moved: /3\.2\s?MB 已写入, 41\s?MB 已拒绝/ },
] as const;

for (const { locale, lang, states, moved } of languages) {
  test.describe(locale, () => {
    test.use({ locale });

    test('the window speaks it, and nothing is cut off at 360 × 480', async ({ host, page, open }) => {
      host.show(allStates());
      await open();
      await page.setViewportSize({ width: 360, height: 480 });
      await expect(page.locator('html')).toHaveAttribute('lang', lang);
      await expect(page.locator('.row .state')).toHaveText([...states]);
      await expect(page.getByRole('link', { name: /hetzner-1/ })).toContainText(moved);
      await page.screenshot({ path: resolve(folder, `connections-${locale}.png`) });

      host.show([heldView()]);
      host.keep({ items: heldItems });
      await page.reload();
      await page.getByRole('link', { name: /hetzner-1/ }).click();
      await expect(page.getByText('skills/.hub/lock.json')).toBeVisible();
      await page.screenshot({ path: resolve(folder, `connection-${locale}.png`) });
      const cut = await page
        .locator('button, dt, dd, h2, footer, header')
        .evaluateAll((all) =>
          all.filter((one) => one.scrollWidth > one.clientWidth + 1 || one.getBoundingClientRect().right > 360).map((one) => one.outerHTML),
        );
      expect(cut).toEqual([]);
    });
  });
}
