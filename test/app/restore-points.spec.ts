import type { Page } from '@playwright/test';
import { type Plan, type PlanLine, planReasons, type RemovedRun } from '../../shared/plan';
import { cannedNow, cannedReport, cannedView, emptyLedger } from '../support/canned';
import type { ScriptedHost } from '../support/scripted-host';
import { expect, test } from './fixtures';

const line = (
  side: PlanLine['side'],
  id: string,
  decision: PlanLine['decision'],
  reason: keyof typeof planReasons,
  bytes = 4_000_000,
): PlanLine => ({
  ...{ side, id, path: `skills/.curator_backups/${id}`, bytes, decision, reason: planReasons[reason] },
});
const newest = [
  line('local', '2026-11-13T04-00-00Z', 'keep', 'newest'),
  line('remote', '2026-11-20T04-00-00Z', 'keep', 'newer', 4_100_000),
  line('remote', '2026-11-13T04-00-00Z', 'keep', 'newest'),
];
const others = [line('remote', 'before-trip\u202e', 'keep', 'foreign', 1_200_000)];
const older = ['2026-11-06T04-00-00Z', '2026-10-30T04-00-00Z', '2026-10-23T04-00-00Z'];

/** The plan for so many kept. */
function planFor(keep: number): Plan {
  const lines = older.map((id, index) => (index < keep - 1 ? line('remote', id, 'keep', 'number') : line('remote', id, 'remove', 'older')));
  return { fingerprint: `plan-${keep}`, lines: [...newest, ...lines, ...others] };
}

const taken: RemovedRun = {
  ...{ run: 'run-prune', kind: 'prune', removedAt: new Date(cannedNow).toISOString() },
  ...{
    keptUntil: new Date(cannedNow + 14 * 86_400_000).toISOString(),
    local: { count: 0, bytes: 0 },
    remote: { count: 3, bytes: 12_000_000 },
  },
};

/** A host that prunes as the application does. */
function prepare(host: ScriptedHost): { removed: RemovedRun | null } {
  const state: { removed: RemovedRun | null } = { removed: null };
  const report = { kind: 'prune', ledger: emptyLedger } as const;
  host.show([cannedView()]);
  host.answer('prune.removed', () => ({ ok: true, value: { runs: state.removed === null ? [] : [state.removed] } }));
  host.answer('prune', ({ keep, apply }) => {
    if (apply) state.removed = taken;
    return { ok: true, value: cannedReport({ ...report, plan: planFor(keep) }) };
  });
  const ended = (kind: 'undo' | 'prune') => () => {
    state.removed = null;
    return { ok: true, value: cannedReport({ ...report, kind }) } as const;
  };
  host.answer('prune.undo', ended('undo'));
  host.answer('prune.free', ended('prune'));
  return state;
}

const asked = (host: ScriptedHost, name: string) => host.asked.flatMap((request) => (request.name === name ? [request.params] : []));

async function look(page: Page): Promise<void> {
  await page.getByRole('link', { name: /hetzner-1/ }).click();
  await page.getByRole('button', { name: 'Show restore points' }).click();
}

test.describe('restore points', () => {
  test('are not asked for until they are wanted, then shown with a reason on each line', async ({ host, page, open }) => {
    prepare(host);
    await open();
    await page.getByRole('link', { name: /hetzner-1/ }).click();
    await expect(page.getByText('Looking changes nothing.')).toBeVisible();
    expect(asked(host, 'prune')).toEqual([]);
    await page.getByRole('button', { name: 'Show restore points' }).click();
    await expect(page.getByText('This computer: 1 restore point, 4 MB. None can go.')).toBeVisible();
    await expect(page.getByText('hetzner-1: 5 restore points, 20.1 MB. 3 of them, 12 MB, can go.')).toBeVisible();
    await expect(page.getByRole('list', { name: 'hetzner-1' }).getByRole('listitem')).toHaveText([
      /Nov 20, 2026.*4\.1\sMBKeepNewer than the newest that can be restored/,
      /Nov 13, 2026.*4\sMBKeepNewest that can be restored, checked to the end/,
      /Nov 6, 2026.*4\sMBRemoveOlder/,
      /Oct 30, 2026.*4\sMBRemoveOlder/,
      /Oct 23, 2026.*4\sMBRemoveOlder/,
      /before-trip‹U\+202E›1\.2\sMBKeepNot a restore point of Hermes, never touched/,
    ]);
    expect(asked(host, 'prune')).toEqual([{ connection: 'c-hetzner', side: 'both', keep: 1, apply: false }]);
  });

  test('keep as many as is chosen, and go with one click on exactly the shown plan', async ({ host, page, open }) => {
    prepare(host);
    await open();
    await look(page);
    await page.getByRole('radio', { name: '3' }).check();
    const button = page.getByRole('button', { name: 'Remove 1 (4 MB)' });
    await button.click();
    await expect(page.getByText('3 items were removed, 12 MB.')).toBeVisible();
    expect(asked(host, 'prune').at(-1)).toEqual({ connection: 'c-hetzner', side: 'both', keep: 3, apply: true, plan: 'plan-3' });
  });

  test('come back with one click', async ({ host, page, open }) => {
    prepare(host).removed = taken;
    await open();
    await page.getByRole('link', { name: /hetzner-1/ }).click();
    await page.getByRole('button', { name: 'Put back' }).click();
    await expect(page.getByText('Everything is back.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Put back' })).toHaveCount(0);
    expect(asked(host, 'prune.undo')).toEqual([{ connection: 'c-hetzner', run: 'run-prune' }]);
  });

  test('are deleted on the remote only after one question whose first answer is no', async ({ host, page, open }) => {
    prepare(host).removed = taken;
    await open();
    await page.getByRole('link', { name: /hetzner-1/ }).click();
    await page.getByRole('button', { name: 'Free space now' }).click();
    await expect(page.getByText('Delete 3 items (12 MB) on hetzner-1 for good? This cannot be undone.')).toBeVisible();
    await expect(page.getByRole('group', { name: /for good/ }).getByRole('button', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press('Enter');
    expect(asked(host, 'prune.free')).toEqual([]);
    await page.getByRole('button', { name: 'Free space now' }).click();
    await page.getByRole('button', { name: 'Delete for good' }).click();
    await expect(page.getByText('The space is free.')).toBeVisible();
    expect(asked(host, 'prune.free')).toEqual([{ connection: 'c-hetzner', run: 'run-prune' }]);
  });

  test('show the new plan when something changed, and cannot go while that is in the way', async ({ host, page, open }) => {
    prepare(host);
    await open();
    await look(page);
    const stopped = (guard: 'plan-changed' | 'session-active', message: string) =>
      host.answer('prune', ({ keep }) => ({
        ok: true,
        value: cannedReport({
          kind: 'prune',
          ledger: emptyLedger,
          outcome: 'stopped',
          stop: { guard, message, details: {} },
          plan: planFor(keep + 1),
        }),
      }));
    stopped('plan-changed', 'Something changed since the plan was made.');
    await page.getByRole('button', { name: 'Remove 3 (12 MB)' }).click();
    await expect(page.getByRole('alert')).toContainText('The plan has changed. Something changed');
    await expect(page.getByRole('button', { name: 'Remove 2 (8 MB)' })).toBeEnabled();
    stopped('session-active', 'A session is open on hetzner-1.');
    await page.getByRole('button', { name: 'Look again' }).click();
    await expect(page.getByRole('alert')).toContainText('A session is active. A session is open on hetzner-1.');
    await expect(page.getByRole('button', { name: /^Remove \d/ })).toBeDisabled();
  });

  test('say why they cannot be looked at', async ({ host, page, open }) => {
    prepare(host);
    const error = { code: 'ssh.refused', message: 'hetzner.example refused the connection.', details: {} };
    host.answer('prune', () => ({ ok: true, value: cannedReport({ kind: 'prune', outcome: 'failed', error }) }));
    await open();
    await look(page);
    await expect(page.getByRole('alert')).toContainText('hetzner.example refused the connection.');
  });

  for (const locale of ['fr-FR', 'pt-BR', 'zh-CN']) {
    test.describe(locale, () => {
      test.use({ locale });
      test('nothing of them is cut off at 360 × 480', async ({ host, page, open }) => {
        prepare(host).removed = taken;
        await open();
        await page.setViewportSize({ width: 360, height: 480 });
        await page.getByRole('link', { name: /hetzner-1/ }).click();
        const card = page.locator('.restore');
        await card.locator('> .actions button').click();
        await expect(card.locator('.plan li')).toHaveCount(7);
        await card.locator('.removed button').last().click();
        await expect(card.locator('.confirm button')).toHaveCount(2);
        const cut = await card
          .locator('button, p, li, legend, label, small')
          .evaluateAll((all) =>
            all
              .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.getBoundingClientRect().right > 360)
              .map((one) => one.outerHTML),
          );
        expect(cut.filter((html) => !html.includes('class="hidden"'))).toEqual([]);
      });
    });
  }
});
