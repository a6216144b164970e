import { cannedReport, cannedView, emptyLedger } from '../support/canned';
import type { ScriptedHost } from '../support/scripted-host';
import { expect, test } from './fixtures';
import { guardEvent } from './scenes';

const title = 'A sync-back of Hermes brought something here';

/** A host with one event, which its decisions change as those of the application do. */
function prepare(host: ScriptedHost): void {
  const show = (...guard: readonly (typeof guardEvent)[]) => {
    host.show([cannedView({ state: 'needs-you', needsYou: guard.length, guard })]);
    host.emit({ event: 'changed', data: {} });
  };
  show(guardEvent);
  host.answer('guard.put-back', () => {
    show({ ...guardEvent, kinds: ['bookkeeping'], hubLock: null, canPutBack: false });
    return { ok: true, value: cannedReport({ kind: 'put-back', ledger: emptyLedger }) };
  });
  host.answer('guard.dismiss', () => {
    show();
    return { ok: true, value: {} };
  });
}

test.describe('what guard mode found', () => {
  test('is shown with its size, who brought it and what it replaced, until both are decided', async ({ host, page, open }) => {
    prepare(host);
    await open();
    await page.getByRole('link', { name: /hetzner-1/ }).click();
    const card = page.getByRole('region', { name: title });
    await expect(card).toContainText('24 MB in 4 files appeared on this computer.');
    await expect(card.getByRole('listitem')).toHaveText('skills/.curator_backups24 MB');
    await expect(card).toContainText('The hub’s lock file was replaced. The last good one is kept.');
    await expect(card).toContainText('Skills whose entries differ: git-workflow, release-notes');
    await card.getByRole('button', { name: 'Put back the lock file' }).click();
    await expect(card).not.toContainText('lock file was replaced');
    await expect(card.getByRole('button')).toHaveText(['Dismiss']);
    await card.getByRole('button', { name: 'Dismiss' }).click();
    await expect(card).toHaveCount(0);
    expect(host.asked.filter(({ name }) => name.startsWith('guard.'))).toEqual([
      { name: 'guard.put-back', params: { id: guardEvent.id } },
      { name: 'guard.dismiss', params: { id: guardEvent.id } },
    ]);
  });

  test('stays, with the reason, when its lock file cannot be put back', async ({ host, page, open }) => {
    prepare(host);
    const error = { code: 'run.busy', message: 'Another run works in this Hermes home.', details: {} } as const;
    host.answer('guard.put-back', () => ({ ok: false, error }));
    await open();
    await page.getByRole('link', { name: /hetzner-1/ }).click();
    const card = page.getByRole('region', { name: title });
    await card.getByRole('button', { name: 'Put back the lock file' }).click();
    await expect(card.getByRole('alert')).toContainText(error.message);
    await expect(card.getByRole('button', { name: 'Put back the lock file' })).toBeEnabled();
  });

  test('says where it watches without events', async ({ host, page, open }) => {
    host.show([cannedView({ watch: 'rescan' }), cannedView({ id: 'c-2', name: 'attic' })]);
    await open();
    const note = page.getByText('Guard mode only looks every 10 minutes.');
    await page.getByRole('link', { name: /hetzner-1/ }).click();
    await expect(note).toBeVisible();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: /attic/ }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('attic');
    await expect(note).toHaveCount(0);
  });
});
