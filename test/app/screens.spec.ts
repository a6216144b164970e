import { cannedReport, cannedView, emptyLedger } from '../support/canned';
import { expect, test } from './fixtures';
import { cleanPlan, fillRichly, inspection, planned } from './rich-scene';

test.describe('the settings', () => {
  test('switch the language of the whole window at once, and back to the computer’s', async ({ host, page, open }) => {
    host.show([cannedView()]);
    await open();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('combobox', { name: 'Language' }).selectOption({ label: 'Français' });
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Réglages');
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('link', { name: /hetzner-1/ })).toContainText(/3,2\sMo écrits, 41\sMo refusés/);
    await page.reload();
    await page.getByRole('link', { name: 'Réglages' }).click();
    await page.getByRole('combobox', { name: 'Langue' }).selectOption({ index: 0 });
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Settings');
    expect(host.asked.flatMap(({ name, params }) => (name === 'settings.change' ? [params] : []))).toEqual([
      { language: 'fr' },
      { language: null },
    ]);
  });
});

const inStep = inspection.parity;

test.describe('the inspection', () => {
  test('shows both sides beside each other, and tells what cannot be read from what is not there', async ({ host, page, open }) => {
    fillRichly(host);
    await open();
    await page.getByRole('link', { name: /hetzner-1/ }).click();
    await page.getByRole('link', { name: 'Inspect both sides' }).click();
    await expect(page.getByRole('row', { name: /skills\/\.curator_backups not there 24\.1 MB/ })).toBeVisible();
    await expect(page.getByRole('row', { name: /skills\/web\/node_modules not there at least 16\.9 MB/ })).toBeVisible();
    await expect(page.getByText('The sides have different hub locks.')).toBeVisible();
    await expect(page.getByRole('row', { name: /Nov 20, 2026.* not there 4\.1 MB cannot be restored/ })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('link', { name: 'Inspect both sides' })).toBeFocused();
  });

  test('tells how the rules compare with those of the installed Hermes', async ({ host, page, open }) => {
    fillRichly(host);
    await open();
    await page.getByRole('link', { name: /hetzner-1/ }).click();
    await page.getByRole('link', { name: 'Inspect both sides' }).click();
    const rules = page.locator('.block', { has: page.getByRole('heading', { name: 'Rules' }) }).locator('.card');
    await expect(rules).toHaveText('In step with the installed Hermes.');
    const file = '/opt/hermes/skill_utils.py';
    for (const { parity, told } of [
      { parity: { ...inStep, state: 'not-found' }, told: /^No Hermes is installed on this computer/ },
      { parity: { ...inStep, state: 'unreadable', file }, told: /cannot be read.*Read from: \/opt\/hermes\/skill_utils\.py$/ },
      {
        parity: { ...inStep, state: 'differs', added: ['.newcache', '.other'], absent: ['.venv'], unusable: ['a/b'] },
        told: /too: \.newcache, \.other.*still left out here: \.venv.*rule here: a\/b$/,
      },
    ] as const) {
      host.answer('inspect', () => ({ ok: true, value: { ...inspection, parity } }));
      await page.getByRole('button', { name: 'Look again' }).click();
      await expect(rules).toHaveText(told);
    }
  });

  test('shows this computer alone while the remote is away', async ({ host, page, open }) => {
    fillRichly(host);
    const error = { code: 'ssh.refused', message: 'hetzner-1.example refused the connection. Nothing was changed.', details: {} };
    host.answer('inspect', ({ side }) => (side === 'local' ? { ok: true, value: { ...inspection, remote: null } } : { ok: false, error }));
    await open();
    await page.getByRole('link', { name: /hetzner-1/ }).click();
    await page.getByRole('link', { name: 'Inspect both sides' }).click();
    await expect(page.getByRole('alert')).toContainText('Only this computer is shown.');
    await expect(page.getByRole('button', { name: 'Look what can go' })).toHaveCount(0);
  });
});

test.describe('a clean-up', () => {
  test('takes what was ticked, and only if it is still as it was shown', async ({ host, page, open }) => {
    fillRichly(host);
    const [modules, venv, link, remain] = cleanPlan;
    const shown = { fingerprint: 'f'.repeat(64), lines: cleanPlan };
    const now = { fingerprint: 'e'.repeat(64), lines: [{ ...modules, bytes: 17_000_000 }, venv, link, remain] as typeof cleanPlan };
    const stop = { guard: 'plan-changed', message: 'Something changed.', details: {} } as const;
    host.answer('clean', ({ apply, only, plan }) => {
      if (!apply) return { ok: true, value: planned('clean', shown.lines) };
      if (plan === shown.fingerprint) return { ok: true, value: cannedReport({ kind: 'clean', outcome: 'stopped', stop, plan: now }) };
      return { ok: true, value: cannedReport({ kind: 'clean', ledger: emptyLedger, paths: only.map((one) => ({ ...path, path: one })) }) };
    });
    await open();
    await page.getByRole('link', { name: /hetzner-1/ }).click();
    await page.getByRole('link', { name: 'Inspect both sides' }).click();
    await page.getByRole('button', { name: 'Look what can go' }).click();
    await expect(page.getByRole('checkbox', { name: /node_modules-link/ })).toBeDisabled();
    await page.getByRole('checkbox', { name: /hermes-sync-back-4711-x Left on this computer/ }).check();
    await page.getByRole('checkbox', { name: /skills\/web\/node_modules 16\.9 MB/ }).check();
    await page.getByRole('button', { name: 'Remove 2 (17.8 MB)' }).click();
    await expect(page.getByRole('alert')).toContainText('Something changed.');
    await page.getByRole('button', { name: 'Remove 2 (17.9 MB)' }).click();
    await expect(page.getByRole('checkbox')).toHaveCount(0);
    const only = ['skills/web/node_modules', '/tmp/hermes-sync-back-4711-x'];
    const applied = host.asked.flatMap(({ name, params }) => (name === 'clean' && (params as { apply: boolean }).apply ? [params] : []));
    const request = { connection: 'c-hetzner', side: 'both', only, all: false, apply: true };
    expect(applied).toEqual([shown, now].map(({ fingerprint }) => ({ ...request, plan: fingerprint })));
  });
});

const path = { path: '', outcome: 'removed', change: 'delete', bytes: 17_000_000, reason: '' } as const;

test.describe('a question of the remote', () => {
  const prompt = {
    ...{ id: 'p1', connection: { id: 'c-hetzner', name: 'hetzner-1' }, machine: 'ada@hetzner-1.example' },
    question: { kind: 'passphrase', file: '/home/ada/.ssh/id', again: false },
    canRemember: false,
  } as const;

  test('is asked over whatever is open, answered once, and goes when it is settled', async ({ host, page, open }) => {
    host.show([cannedView()]);
    host.answer('prompt.answer', () => {
      host.emit({ event: 'prompts', data: { prompts: [] } });
      return { ok: true, value: {} };
    });
    await open();
    await expect.poll(() => host.listeners).toBe(1);
    host.emit({ event: 'prompts', data: { prompts: [prompt] } });
    const dialog = page.getByRole('dialog', { name: 'hetzner-1 asks' });
    await expect(dialog.getByLabel('Passphrase')).toBeFocused();
    await expect(dialog.getByRole('checkbox')).toHaveCount(0);
    await page.keyboard.type('open sesame');
    await page.keyboard.press('Enter');
    await expect(dialog).toHaveCount(0);
    expect(host.asked.filter(({ name }) => name === 'prompt.answer')).toEqual([
      { name: 'prompt.answer', params: { id: 'p1', answers: ['open sesame'], remember: false } },
    ]);
  });

  test('is remembered only where that is possible and the person says so', async ({ host, page, open }) => {
    host.show([cannedView({ remembers: true })]);
    host.answer('prompt.answer', () => {
      host.emit({ event: 'prompts', data: { prompts: [] } });
      return { ok: true, value: {} };
    });
    host.answer('connection.forget-secrets', () => ({ ok: true, value: {} }));
    await open();
    await page.getByRole('link', { name: 'hetzner-1' }).click();
    await expect.poll(() => host.listeners).toBe(1);
    host.emit({ event: 'prompts', data: { prompts: [{ ...prompt, canRemember: true }] } });
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Passphrase').fill('open sesame');
    await expect(dialog).toContainText('neither kept');
    await dialog.getByRole('checkbox', { name: 'Remember it on this computer' }).check();
    await expect(dialog).toContainText('encrypted by the operating system');
    await dialog.getByRole('button', { name: 'Answer' }).click();
    await expect(dialog).toHaveCount(0);
    await page.getByRole('button', { name: 'Forget remembered secrets' }).click();
    await expect
      .poll(() => host.asked.filter(({ name }) => /^prompt.answer$|secrets/.test(name)))
      .toEqual([
        { name: 'prompt.answer', params: { id: 'p1', answers: ['open sesame'], remember: true } },
        { name: 'connection.forget-secrets', params: { connection: 'c-hetzner' } },
      ]);
  });

  test('that is closed gives up the attempt', async ({ host, page, open }) => {
    host.show([cannedView()]);
    host.answer('prompt.list', () => ({ ok: true, value: { prompts: [prompt] } }));
    host.answer('prompt.cancel', () => {
      host.emit({ event: 'prompts', data: { prompts: [] } });
      return { ok: true, value: {} };
    });
    await open();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expect.poll(() => host.listeners).toBe(1);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    expect(host.asked.map(({ name }) => name)).toContain('prompt.cancel');
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();

    const settings = page.getByRole('link', { name: 'Settings' });
    await settings.focus();
    host.emit({ event: 'prompts', data: { prompts: [{ ...prompt, id: 'p2' }] } });
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(settings).toBeFocused();
  });
});
