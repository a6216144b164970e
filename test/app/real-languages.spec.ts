import type { Page } from '@playwright/test';
import { workOnRemote } from '../../electron/demo/made-up-homes';
import { expect, expectReadable, openConnection, test } from './real-fixtures';

interface Spoken {
  readonly lang: string;
  /** As the list of languages names it. */
  readonly choice: string;
  readonly start: string;
  readonly end: string;
  readonly closed: string;
  readonly result: RegExp;
  readonly written: RegExp;
  readonly refused: RegExp;
  readonly settings: string;
}

const spoken: readonly Spoken[] = [
  {
    ...{ lang: 'fr', choice: 'Français', start: 'Commencer la session', end: 'Terminer la session', settings: 'Réglages' },
    ...{ closed: 'Aucune session ouverte', result: /^Dernier retour.*Terminé$/ },
    ...{ written: /^Écrits ici4 fichiers · \d+(,\d+)?\s[ko]?o$/, refused: /^Refusés, laissés là-bas\d+ fichiers · 24,\d\sMo$/ },
  },
  {
    ...{ lang: 'pt-BR', choice: 'Português (Brasil)', start: 'Começar sessão', end: 'Encerrar sessão', settings: 'Ajustes' },
    ...{ closed: 'Nenhuma sessão aberta', result: /^Último retorno.*Concluído$/ },
    ...{ written: /^Gravados aqui4 arquivos · \d+(,\d+)?\skB$/, refused: /^Recusados, ficaram lá\d+ arquivos · 24,\d\sMB$/ },
  },
  {
    ...{ lang: 'zh-CN', choice: '简体中文', start: '开始会话', end: '结束会话', settings: '设置' },
    ...{ closed: '没有打开的会话', result: /^上次回传.*完成$/ },
    ...{ written: /^写入本机4 个文件 · \d+(\.\d+)?\s?kB$/, refused: /^已拒绝，留在远程端\d+ 个文件 · 24\.\d\s?MB$/ },
  },
  {
    ...{ lang: 'en', choice: 'English', start: 'Start session', end: 'End session', settings: 'Settings' },
    ...{ closed: 'No session open', result: /^Last teardown.*Done$/ },
    ...{ written: /^Written here4 files · \d+(\.\d+)?\skB$/, refused: /^Refused, left there\d+ files · 24\.\d\sMB$/ },
  },
];

async function speak(page: Page, before: string, { choice, lang, settings }: Spoken): Promise<void> {
  await page.getByRole('link', { name: before }).click();
  await page.locator('select').selectOption({ label: choice });
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(settings);
  await expect(page.locator('html')).toHaveAttribute('lang', lang);
  await expectReadable(page);
  await page.keyboard.press('Escape');
}

test('each language is switched to without a restart, and a teardown is started and read in it', async ({ app, page, open }) => {
  expect(app.cli(['session', 'start', app.connection, '--allow', 'first-session']).code).toBe(0);
  await open();
  let before = 'Settings';
  for (const [round, language] of spoken.entries()) {
    await speak(page, before, language);
    before = language.settings;
    await openConnection(page, app);
    if (round > 0) await page.getByRole('button', { name: language.start }).click();
    await expect(page.getByRole('button', { name: language.end })).toBeVisible();
    await workOnRemote(app.remoteHome, round + 1);
    await page.getByRole('button', { name: language.end }).click();
    await expect(page.getByRole('contentinfo')).toContainText(language.closed);
    const teardown = page.locator('.block', { has: page.getByRole('heading', { name: language.result }) });
    await expect(teardown.locator('.ledger-line.lead')).toHaveText([language.written, language.refused]);
    await expectReadable(page);
    await page.keyboard.press('Escape');
  }
  expect(
    app
      .history()
      .filter(({ kind }) => kind === 'sync-back')
      .map(({ outcome }) => outcome),
  ).toEqual(['done', 'done', 'done', 'done']);
});
