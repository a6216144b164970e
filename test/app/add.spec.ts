import { cannedReport, cannedView } from '../support/canned';
import { expect, test } from './fixtures';
import { fillRichly, preview } from './rich-scene';

test.describe('adding a connection', () => {
  test('goes from a machine that was found, over its test, to what would be sent, before anything moves', async ({ host, page, open }) => {
    fillRichly(host);
    host.show([]);
    await open();
    await page.getByRole('button', { name: 'Test: build-box' }).click();
    await expect(page.getByText('The connection works.')).toBeVisible();
    await expect(page.getByText('771 files will be sent (8.41 MB).')).toBeVisible();
    await expect(page.getByText('20,119 files of bookkeeping stay here (41 MB).')).toBeVisible();
    await expect(page.getByText('Nothing has been sent so far.')).toBeVisible();
    await page.getByText('Show the list (771 paths)').click();
    await expect(page.getByText('skills/notes/SKILL.md')).toBeVisible();
    expect(host.asked.map(({ name }) => name)).not.toContain('session.start');

    host.answer('session.start', () => ({ ok: true, value: cannedReport({ kind: 'push' }) }));
    await page.getByRole('button', { name: 'Start session' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('build-box');
    expect(host.asked.filter(({ name }) => name === 'session.start')).toEqual([
      { name: 'session.start', params: { connection: 'c-new', allow: ['first-session'] } },
    ]);
  });

  test('takes an address, an alias and what is set beside them; a wrong address is said at its field', async ({ host, page, open }) => {
    fillRichly(host);
    await open();
    await page.getByRole('link', { name: 'Add connection' }).click();
    const address = page.getByRole('textbox', { name: 'Address' });
    await address.fill('two words');
    await address.press('Enter');
    await expect(page.getByRole('alert')).toContainText('It looks like user@host');
    await expect(address).toHaveAttribute('aria-invalid', 'true');
    await address.fill('ada@[fe80::1]:2222');
    await page.getByText('More', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Profile' }).fill('work');
    await page.getByRole('radio', { name: 'Review first' }).check();
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await expect(page.getByText('The connection works.')).toBeVisible();
    expect(host.asked.find(({ name }) => name === 'connection.add')?.params).toEqual({
      ...{ name: 'fe80::1', address: { kind: 'address', user: 'ada', host: 'fe80::1', port: 2222 } },
      ...{ newSkills: 'review', profile: 'work' },
    });
  });

  test('lets an unknown key be compared and trusted, and can be given up', async ({ host, page, open }) => {
    fillRichly(host);
    const unknownKey = 'SHA256:9mXc1Tn5bQ0e0m4mXb1m8o2w3x4y5z6A7B8C9D0E1F2';
    const failed = { id: 'host-key', ok: false, detail: 'ssh.host-key-unknown', fix: `It shows ${unknownKey}.`, unknownKey };
    host.answer('connection.test', ({ acceptHostKey }) =>
      acceptHostKey === unknownKey
        ? { ok: true, value: { ok: true, checks: [{ ...failed, ok: true, fix: null }] } }
        : { ok: true, value: { ok: false, checks: [failed] } },
    );
    host.answer('preview', () => ({
      ok: true,
      value: { ...preview, planned: { written: { files: 0, bytes: 0 }, removed: { files: 0, bytes: 0 } } },
    }));
    await open();
    await page.getByRole('link', { name: 'Add connection' }).click();
    await page.getByRole('button', { name: 'Test: build-box' }).click();
    await expect(page.getByRole('alert')).toContainText(unknownKey);
    await page.getByRole('button', { name: 'I compared it: trust this key' }).click();
    await expect(page.getByText('There is nothing to send yet.')).toBeVisible();
    await page.getByRole('link', { name: 'Not now' }).click();
    await expect(page.getByRole('link', { name: /build-box/ }).first()).toBeVisible();
  });
});

test('a connection is removed after one question', async ({ host, page, open }) => {
  host.show([cannedView()]);
  host.answer('connection.remove', () => {
    host.show([]);
    host.emit({ event: 'changed', data: {} });
    return { ok: true, value: {} };
  });
  await open();
  await page.getByRole('link', { name: /hetzner-1/ }).click();
  await page.getByRole('button', { name: 'Remove connection' }).click();
  await expect(page.getByText('Remove hetzner-1? Its decisions, waiting items and records are forgotten.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.getByRole('button', { name: 'Remove connection' }).click();
  await expect(page.getByText('This connection is no longer there.')).toBeVisible();
});
