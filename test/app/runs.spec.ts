import type { RunReport } from '../../shared/run-report';
import { ago, cannedReport, cannedView, emptyLedger } from '../support/canned';
import { announced, expect, test } from './fixtures';
import { allStates, firstSessionStop } from './scenes';

test.describe('a stopped run', () => {
  test('shows the totals and repeats the request with its guard let through', async ({ host, page, open }) => {
    host.show(allStates());
    const done: RunReport = cannedReport({ kind: 'push', connection: { id: 'c-gpu', name: 'gpu-lab' } });
    host.answer('session.start', () => ({ ok: true, value: done }));
    await open();
    await page.getByRole('link', { name: /gpu-lab/ }).click();
    const alert = page.getByRole('alert');
    await expect(alert).toContainText('771 files (8.41 MB) would be sent');
    await expect(alert).toContainText('skills/web · 212 files · 5.1 MB');
    await expect(alert).toContainText('Nothing was changed on either side.');
    await alert.getByRole('button', { name: 'Start anyway' }).click();
    await expect
      .poll(() => host.asked.filter((one) => one.name === 'session.start'))
      .toEqual([{ name: 'session.start', params: { connection: 'c-gpu', allow: ['first-session'] } }]);
  });

  test('lets a second guard through together with the first, and forgets both after the run', async ({ host, page, open }) => {
    const stopped = (guard: 'first-session' | 'mass-change') =>
      cannedReport({ outcome: 'stopped', ledger: emptyLedger, stop: { guard, message: `Stopped by ${guard}.`, details: {} } });
    const first = cannedView({
      state: 'needs-you',
      session: { connection: 'c-hetzner', state: 'open', startedAt: ago(9) },
      lastRun: stopped('first-session'),
    });
    const second = { ...first, lastRun: stopped('mass-change') };
    host.show([first]);
    host.answer('session.end', (params) => {
      host.show(params.allow.length === 1 ? [second] : [cannedView()]);
      host.emit({ event: 'changed', data: {} });
      return { ok: true, value: params.allow.length === 1 ? stopped('mass-change') : cannedReport() };
    });
    await open();
    await expect.poll(() => host.listeners).toBe(1);
    await page.getByRole('link', { name: /hetzner-1/ }).click();
    await page.getByRole('button', { name: 'End anyway' }).click();
    await expect(page.getByRole('alert')).toContainText('Stopped by mass-change.');
    await page.getByRole('button', { name: 'End anyway' }).click();
    await expect(page.getByRole('alert')).toHaveCount(0);
    expect(host.asked.filter((one) => one.name === 'session.end').map((one) => one.params)).toEqual([
      { connection: 'c-hetzner', allow: ['first-session'] },
      { connection: 'c-hetzner', allow: ['first-session', 'mass-change'] },
    ]);
  });

  test('has no way through when both sides are the same folder', async ({ host, page, open }) => {
    const stop = { guard: 'same-folder', message: 'Both sides are /home/ada/.hermes.', details: {} } as const;
    host.show([cannedView({ state: 'needs-you', lastRun: { ...firstSessionStop, stop } })]);
    await open();
    await page.getByRole('link', { name: /hetzner-1/ }).click();
    await expect(page.getByRole('alert')).toContainText('Both sides are /home/ada/.hermes.');
    await expect(page.getByRole('button', { name: /anyway/ })).toHaveCount(0);
  });
});

test.describe('a run that goes on', () => {
  test('shows its phase and numbers as they come, and can be cancelled', async ({ host, page, open }) => {
    let finish: (report: RunReport) => void = () => {};
    host.show([cannedView()]);
    host.answer(
      'session.start',
      () =>
        new Promise((resolve) => {
          finish = (value) => resolve({ ok: true, value });
        }),
    );
    await open();
    await expect.poll(() => host.listeners).toBe(1);
    await page.getByRole('link', { name: /hetzner-1/ }).click();
    await page.getByRole('button', { name: 'Start session' }).click();
    await expect(announced(page)).toHaveText('Starting…');
    await expect(page.getByRole('button', { name: 'Starting…' })).toBeDisabled();
    await expect(page.getByRole('button', { name: 'Test connection' })).toBeDisabled();

    const progress = { connection: 'c-hetzner', kind: 'push', phase: 'transferring', done: 200, total: 800, unit: 'files' } as const;
    host.emit({ event: 'progress', data: progress });
    await expect(announced(page)).toHaveText('Sending out: transferring');
    await expect(page.getByText('200 of 800 files')).toBeVisible();
    await expect(page.getByRole('progressbar')).toHaveAttribute('value', '200');
    host.emit({ event: 'progress', data: { ...progress, done: 4_000_000, total: 8_400_000, unit: 'bytes' } });
    await expect(page.getByText('4 MB of 8.4 MB')).toBeVisible();
    host.emit({ event: 'progress', data: { ...progress, phase: 'recording', total: null, unit: null } });
    await expect(announced(page)).toHaveText('Sending out: writing it down');
    await expect(page.getByRole('progressbar')).not.toHaveAttribute('value');

    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('button', { name: 'Cancelling…' })).toBeDisabled();
    await expect.poll(() => host.asked.at(-1)).toEqual({ name: 'run.cancel', params: { connection: 'c-hetzner' } });

    const report = cannedReport({ kind: 'push', outcome: 'interrupted', endedAt: ago(0), ledger: emptyLedger });
    host.keep({ runs: [report] });
    host.emit({ event: 'run', data: report });
    finish(report);
    await expect(page.getByRole('progressbar')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Start session' })).toBeEnabled();
    await expect(announced(page)).toHaveText('Start: Interrupted. 0 bytes written, 0 bytes refused.');
    await expect(page.locator('.run').first()).toHaveText('StartnowInterrupted');
  });

  test('is shown with its way to cancel when another window started it', async ({ host, page, open }) => {
    host.show(allStates());
    await open();
    await expect(page.getByRole('link', { name: /build-box/ })).toContainText('Bringing home: transferring, 3 of 14 files');
    await page.getByRole('link', { name: /build-box/ }).click();
    await expect(page.getByRole('progressbar')).toHaveAttribute('value', '3');
    await expect(page.getByRole('button', { name: 'End session' })).toBeDisabled();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => host.asked.at(-1)).toEqual({ name: 'run.cancel', params: { connection: 'c-build' } });
  });
});
