import type { Page } from '@playwright/test';
import type { Decision } from '../../shared/decision';
import type { InboxComparison, InboxItem } from '../../shared/inbox';
import type { RunReport } from '../../shared/run-report';
import { ago, cannedItem, cannedReport, cannedView, emptyLedger } from '../support/canned';
import type { ScriptedHost } from '../support/scripted-host';
import { announced, expect, test } from './fixtures';

const version = (bytes: number) => ({ hash: String(bytes % 10).repeat(64), bytes, executable: false });
const both = { local: version(31), remote: version(22) };
const conflict = cannedItem({ ...both, id: 'conflict' });
const guarded = cannedItem({ ...both, id: 'guarded', kind: 'guarded', path: 'skills/.usage.json', createdAt: ago(190) });
const review = cannedItem({
  ...{ id: 'review', kind: 'review', path: 'skills/new/SKILL.md', createdAt: ago(180), stored: false },
  ...{ local: null, remote: version(7) },
});

const text = (content: string) => ({ state: 'available', bytes: content.length, text: content }) as const;
const comparison: InboxComparison = {
  base: { state: 'not-kept', bytes: 12, text: null },
  local: text('# title\nmine\nlast\n'),
  remote: text('# title\ntheirs\nlast\n'),
  localChanged: false,
};

/** A host whose items go when they are resolved, as the application's do. */
function prepare(host: ScriptedHost, items: readonly InboxItem[], report: Partial<RunReport> = {}): void {
  let waiting = items;
  const show = () => {
    host.show([cannedView({ state: waiting.length > 0 ? 'needs-you' : 'ready', needsYou: waiting.length })]);
    host.keep({ items: waiting });
  };
  show();
  host.answer('inbox.compare', () => ({ ok: true, value: comparison }));
  host.answer('inbox.resolve', ({ ids }) => {
    const run = cannedReport({ kind: 'resolve', ledger: emptyLedger, ...report });
    if (run.outcome === 'done') waiting = waiting.filter(({ id }) => !ids.includes(id));
    show();
    host.emit({ event: 'run', data: run });
    return { ok: true, value: run };
  });
}

async function openConnection(page: Page): Promise<void> {
  await page.getByRole('link', { name: /hetzner-1/ }).click();
}

const resolved = (host: ScriptedHost) => host.asked.flatMap(({ name, params }) => (name === 'inbox.resolve' ? [params] : []));

test.describe('an item that waits', () => {
  test('opens to both versions, line by line, each line said to be whose', async ({ host, page, open }) => {
    prepare(host, [conflict]);
    await open();
    await openConnection(page);
    const item = page.getByRole('button', { name: /Both sides changed/ });
    await expect(item).toHaveAttribute('aria-expanded', 'false');
    await item.click();
    await expect(item).toHaveAttribute('aria-expanded', 'true');
    const diff = page.getByRole('region', { name: 'The versions' });
    await expect(diff.locator(':scope > div')).toHaveText([/# title/, /This computer: ?mine/, /hetzner-1: ?theirs/, /last/]);
    await expect(page.getByText('12 bytes, not kept')).toBeVisible();
    await item.click();
    await expect(diff).toHaveCount(0);
  });

  test('offers what fits its kind, the safe choice first, and says which machine changes', async ({ host, page, open }) => {
    prepare(host, [conflict, guarded]);
    await open();
    await openConnection(page);
    await page.getByRole('button', { name: /Both sides changed/ }).click();
    const choices = page.getByRole('group', { name: 'What should happen?' }).getByRole('button');
    await expect(choices).toHaveText(['Keep mine', 'Keep the one of hetzner-1', 'Keep both', 'Discard', 'Always exclude']);
    await expect(page.getByRole('button', { name: 'Keep the one of hetzner-1' })).toHaveAccessibleDescription(/^Changes this computer/);
    await expect(page.getByRole('button', { name: 'Keep mine' })).toHaveAccessibleDescription(/goes to hetzner-1 at the next start/);
    await page.getByRole('button', { name: /Guarded file differs/ }).click();
    await expect(choices).toHaveText(['Keep mine', 'Let it come home', 'Discard', 'Always keep mine']);
  });

  test('does not offer to place what is not stored', async ({ host, page, open }) => {
    prepare(host, [review]);
    await open();
    await openConnection(page);
    await page.getByRole('button', { name: /New, to review/ }).click();
    const release = page.getByRole('button', { name: 'Let it come home' });
    await expect(release).toBeDisabled();
    await expect(release).toHaveAccessibleDescription(/End a session to fetch it/);
    await expect(page.getByRole('button', { name: 'Discard' })).toBeEnabled();
  });

  test('says when the file changed since, and when there is nothing to compare', async ({ host, page, open }) => {
    prepare(host, [conflict]);
    const gone = { state: 'gone', bytes: null, text: null } as const;
    const binary = { state: 'available', bytes: 5_000, text: null } as const;
    host.answer('inbox.compare', () => ({ ok: true, value: { base: gone, local: gone, remote: binary, localChanged: true } }));
    await open();
    await openConnection(page);
    await page.getByRole('button', { name: /Both sides changed/ }).click();
    await expect(page.getByText('5 kB, not shown: no text, or too long')).toBeVisible();
    await expect(page.getByText(/changed since this item came/)).toBeVisible();
    await expect(page.getByRole('region', { name: 'The versions' })).toHaveCount(0);
  });
});

test.describe('deciding', () => {
  test('by keyboard alone goes from item to item and ends at the top', async ({ host, page, open }) => {
    prepare(host, [conflict, guarded]);
    await open();
    await openConnection(page);
    await page.getByRole('button', { name: /Both sides changed/ }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('region', { name: 'The versions' })).toBeVisible();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('region', { name: 'The versions' })).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'Keep mine' })).toBeFocused();
    await page.keyboard.press('Enter');
    const next = page.getByRole('button', { name: /Guarded file differs/ });
    await expect(next).toBeFocused();
    await expect(page.getByRole('button', { name: /Both sides changed/ })).toHaveCount(0);
    await expect(announced(page)).toHaveText('Decision: Done.');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Let it come home' }).press('Enter');
    await expect(page.getByRole('heading', { name: 'hetzner-1' })).toBeFocused();
    await expect(page.getByText('Waiting for you')).toHaveCount(0);
    expect(resolved(host)).toEqual([
      { ids: ['conflict'], choice: 'keep-local' },
      { ids: ['guarded'], choice: 'release' },
    ]);
  });

  test('that fails says why, keeps the item and the place', async ({ host, page, open }) => {
    const path = conflict.path;
    const failed = { path, outcome: 'failed', change: 'update', bytes: 22, reason: 'it changed here meanwhile' } as const;
    prepare(host, [conflict], { outcome: 'partly', paths: [failed] });
    await open();
    await openConnection(page);
    await page.getByRole('button', { name: /Both sides changed/ }).click();
    await page.getByRole('button', { name: 'Keep the one of hetzner-1' }).click();
    await expect(page.getByRole('alert')).toContainText('skills/git-workflow/SKILL.md: it changed here meanwhile');
    await expect(page.getByRole('button', { name: /Both sides changed/ })).toBeFocused();
    await expect(page.getByRole('button', { name: 'Keep mine' })).toBeEnabled();
  });

  test('that is refused shows the reason', async ({ host, page, open }) => {
    prepare(host, [conflict]);
    host.answer('inbox.resolve', () => ({ ok: false, error: { code: 'run.busy', message: 'hetzner-1 is busy.', details: {} } }));
    await open();
    await openConnection(page);
    await page.getByRole('button', { name: /Both sides changed/ }).click();
    await page.getByRole('button', { name: 'Keep both' }).click();
    await expect(page.getByRole('alert')).toContainText('hetzner-1 is busy.');
    await expect(page.getByRole('button', { name: /Both sides changed/ })).toBeVisible();
  });
});

test('standing decisions are listed and can be taken back', async ({ host, page, open }) => {
  prepare(host, []);
  const made = { connection: 'c-hetzner', hash: null, createdAt: ago(60) };
  let decisions: readonly Decision[] = [
    { ...made, id: 'd1', path: 'skills/big', choice: 'exclude' },
    { ...made, id: 'd2', path: 'skills/.usage.json', choice: 'keep-local' },
  ];
  host.answer('decision.list', () => ({ ok: true, value: { decisions } }));
  host.answer('decision.revoke', ({ id }) => {
    decisions = decisions.filter((one) => one.id !== id);
    host.emit({ event: 'changed', data: {} });
    return { ok: true, value: {} };
  });
  await open();
  await openConnection(page);
  await page.getByText('Standing decisions (2)').click();
  await expect(page.getByText('Excluded', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Take back: skills/big' }).click();
  await expect(page.getByText('Standing decisions (1)')).toBeVisible();
  await expect(page.getByText('Always keep mine')).toBeVisible();
  await expect(page.getByText('Excluded', { exact: true })).toHaveCount(0);
});
