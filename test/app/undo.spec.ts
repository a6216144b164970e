import type { UndoUsage } from '../../shared/contract';
import { cannedReport, cannedView, emptyLedger } from '../support/canned';
import type { ScriptedHost } from '../support/scripted-host';
import { expect, test } from './fixtures';

const none: UndoUsage = { runs: 0, files: 0, bytes: 0 };

/** A host that keeps something for undo, as the application does. */
function prepare(host: ScriptedHost): void {
  let kept: UndoUsage = { runs: 2, files: 12, bytes: 3_200_000 };
  host.show([cannedView()]);
  host.answer('undo.usage', () => ({ ok: true, value: kept }));
  host.answer('undo', () => ({ ok: true, value: cannedReport({ kind: 'undo', ledger: emptyLedger }) }));
  host.answer('undo.free', () => {
    const freed = kept;
    kept = none;
    return { ok: true, value: freed };
  });
}

const asked = (host: ScriptedHost, name: string) => host.asked.filter((request) => request.name === name).length;

test.describe('undo', () => {
  test('says how much is kept, and takes the last run back', async ({ host, page, open }) => {
    prepare(host);
    await open();
    await page.getByRole('link', { name: /hetzner-1/ }).click();
    await expect(page.getByText('Kept for 14 days: 12 files (3.2 MB) that runs replaced or removed on this computer.')).toBeVisible();
    await page.getByRole('button', { name: 'Undo the last run here' }).click();
    await expect(page.getByText('The last run was taken back on this computer.')).toBeVisible();
    expect(asked(host, 'undo')).toBe(1);
  });

  test('asks once before it frees the space, with the safe answer at hand', async ({ host, page, open }) => {
    prepare(host);
    await open();
    await page.getByRole('link', { name: /hetzner-1/ }).click();
    await page.getByRole('button', { name: 'Free space', exact: true }).click();
    await expect(page.getByText('Delete what is kept for good?')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press('Enter');
    expect(asked(host, 'undo.free')).toBe(0);
    await page.getByRole('button', { name: 'Free space', exact: true }).click();
    await page.getByRole('button', { name: 'Delete for good' }).click();
    await expect(page.getByText('The space is free.')).toBeVisible();
    await expect(page.getByText('Kept for 14 days')).toBeHidden();
    await expect(page.getByRole('button', { name: 'Undo the last run here' })).toBeHidden();
  });

  test('is not shown while nothing is kept', async ({ host, page, open }) => {
    host.show([cannedView()]);
    await open();
    await page.getByRole('link', { name: /hetzner-1/ }).click();
    await expect(page.getByRole('heading', { name: 'Restore points' })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Undo' })).toBeHidden();
  });
});
