import { resolve } from 'node:path';
import { cannedView } from '../support/canned';
import { expect, test } from './fixtures';
import { allStates, firstSessionStop, fullReport, heldItems, heldView, refusedReport } from './scenes';

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

/** Words that stand in nearly every English sentence and in no French one. */
const english = /\b(the|was|were|is|this|that|with|nothing|changed|removed|edited|both|could|not|computer|remote|would)\b/i;

test.describe('what the core says', () => {
  test.use({ locale: 'fr-FR' });

  test('is in French: a failure, a stop, what waits and why, and the files of a run', async ({ host, page, open }) => {
    const offline = cannedView({ id: 'c-phone', name: 'phone-termux', state: 'offline', lastTeardown: null, lastRun: refusedReport });
    const stopped = cannedView({ id: 'c-gpu', name: 'gpu-lab', state: 'needs-you', lastTeardown: null, lastRun: firstSessionStop });
    host.show([cannedView({ state: 'needs-you', needsYou: 2, lastTeardown: fullReport, lastRun: fullReport }), offline, stopped]);
    host.keep({ items: heldItems, runs: [fullReport] });
    await open();
    const main = page.locator('main');
    await expect(page.getByRole('link', { name: /phone-termux/ })).toContainText('phone.example a refusé la connexion sur le port 8022.');

    await page.getByRole('link', { name: /phone-termux/ }).click();
    await expect(page.getByRole('alert')).toContainText('Rien n’a été changé d’aucun côté. Vérifiez que son serveur SSH tourne');
    expect(await main.textContent()).not.toMatch(english);

    await page.goBack();
    await page.getByRole('link', { name: /gpu-lab/ }).click();
    await expect(page.getByRole('alert')).toContainText(/Première session : à envoyer, 771 fichiers \(8,41\sMo\)/);
    await expect(page.getByRole('alert')).toContainText('Rien n’a encore été changé.');
    expect(await main.textContent()).not.toMatch(english);

    await page.goBack();
    await page.getByRole('link', { name: /hetzner-1/ }).click();
    await expect(main).toContainText('modifié des deux côtés');
    await expect(main).toContainText('fichier protégé, modifié sur la machine distante');
    await expect(main).toContainText('Tout a été comparé par contenu');
    await page.getByText('Voir les fichiers').click();
    await expect(page.locator('.paths [role=listitem]').last()).toContainText('supprimé sur la machine distante');
    expect(await main.textContent()).not.toMatch(english);
  });
});
