import type { UndoableRun, UndoUsage } from '../../shared/contract';
import { cannedReport, cannedView, emptyLedger } from '../support/canned';
import type { ScriptedHost } from '../support/scripted-host';
import { expect, test } from './fixtures';

const none: UndoUsage = { runs: 0, files: 0, bytes: 0 };
const time = new Date().toISOString();

/** A host that keeps something for undo, as the application does; what it answers is the next run to be undone. */
function prepare(host: ScriptedHost): { next: UndoableRun | null } {
  let kept: UndoUsage = { runs: 2, files: 12, bytes: 3_200_000 };
  const state: { next: UndoableRun | null } = { next: { run: 'brought', kind: 'sync-back', time } };
  host.show([cannedView()]);
  host.answer('undo.usage', () => ({ ok: true, value: { ...kept, next: state.next } }));
  host.answer('undo', () => {
    state.next = { run: 'undone', kind: 'undo', time };
    return { ok: true, value: cannedReport({ kind: 'undo', ledger: emptyLedger }) };
  });
  host.answer('undo.free', () => {
    const freed = kept;
    kept = none;
    state.next = null;
    return { ok: true, value: freed };
  });
  return state;
}

const asked = (host: ScriptedHost, name: string) => host.asked.filter((request) => request.name === name).length;

test.describe('undo', () => {
  test('says how much is kept, and names the run that the button undoes', async ({ host, page, open }) => {
    const state = prepare(host);
    await open();
    await page.getByRole('link', { name: /hetzner-1/ }).click();
    await expect(page.getByText('Kept for 14 days: 12 files (3.2 MB) that runs replaced or removed on this computer.')).toBeVisible();
    await page.getByRole('button', { name: 'Undo: Teardown (now)' }).click();
    await expect(page.getByText('That run was undone.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Take the undo back (now)' })).toBeVisible();
    expect(host.asked.filter(({ name }) => name === 'undo').map(({ params }) => params)).toEqual([
      { connection: cannedView().id, run: 'brought' },
    ]);
    state.next = { run: 'newer', kind: 'sync-back', time };
    host.emit({ event: 'run', data: cannedReport({ id: 'newer' }) });
    await expect(page.getByRole('button', { name: 'Undo: Teardown (now)' })).toBeVisible();
    await expect(page.getByText('That run was undone.')).toBeHidden();
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
    await expect(page.getByRole('button', { name: /^Undo/ })).toBeHidden();
  });

  test('is not shown while nothing is kept', async ({ host, page, open }) => {
    host.show([cannedView()]);
    await open();
    await page.getByRole('link', { name: /hetzner-1/ }).click();
    await expect(page.getByRole('heading', { name: 'Restore points' })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Undo' })).toBeHidden();
  });
});
