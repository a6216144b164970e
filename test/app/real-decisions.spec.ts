import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { contentsOf, readTree, writeTree } from '../support/tree';
import { announced } from './fixtures';
import { expect, expectReadable, ledgerLine, openConnection, test } from './real-fixtures';

const mine = 'skills/ops/log-reader/SKILL.md';
const taken = 'skills/writing/release-notes/SKILL.md';
const both = 'skills/writing/release-notes/templates/notes.md';
const copy = 'skills/writing/release-notes/templates/notes.ebbgate-copy-build-box.md';

/** Opens what waits at a path. */
async function openItem(page: Page, path: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(path.replaceAll('.', '\\.')) }).click();
  await expect(page.getByRole('group', { name: 'What should happen?' })).toBeVisible();
}

async function startAndEnd(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Start session' }).click();
  await page.getByRole('button', { name: 'End session' }).click();
  await expect(page.getByRole('contentinfo')).toContainText('No session open');
}

test('three conflicts are compared and decided three ways, and each side holds what was said', async ({ app, page, open }) => {
  expect(app.cli(['session', 'start', app.connection, '--allow', 'first-session']).code).toBe(0);
  const paths = [mine, taken, both];
  const edit = (word: string) => Object.fromEntries(paths.map((path) => [path, `${path} as ${word}\n`]));
  const [here, there] = [edit('this computer has it'), edit('the remote made it')];
  await writeTree(app.localHome, here);
  await writeTree(app.remoteHome, there);
  await open();
  await openConnection(page, app);
  await page.getByRole('button', { name: 'End session' }).click();
  await expect(page.getByRole('button', { name: /Both sides changed/ })).toHaveCount(3);
  expect(contentsOf(await readTree(app.localHome))).toMatchObject(here);

  await openItem(page, mine);
  const versions = page.getByRole('region', { name: 'The versions' });
  await expect(versions).toContainText(`${mine} as this computer has it`);
  await expect(versions).toContainText(`${mine} as the remote made it`);
  await expectReadable(page);
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await expect(page.getByRole('button', { name: /Both sides changed/ })).toHaveCount(2);
  await openItem(page, taken);
  await page.getByRole('button', { name: 'Keep the one of build-box' }).click();
  await expect(page.getByRole('button', { name: /Both sides changed/ })).toHaveCount(1);
  await openItem(page, both);
  await page.getByRole('button', { name: 'Keep both' }).click();
  await expect(page.getByText('Waiting for you')).toHaveCount(0);
  await expect(announced(page)).toHaveText('Decision: Done.');

  const decided = { [mine]: here[mine], [taken]: there[taken], [both]: here[both] };
  expect(contentsOf(await readTree(app.localHome))).toMatchObject({ ...decided, [copy]: there[both] });
  // The remote hears of it at the next start, and no sooner.
  expect(contentsOf(await readTree(app.remoteHome))).toMatchObject(there);
  await page.getByRole('button', { name: 'Start session' }).click();
  await expect(page.getByRole('contentinfo')).toContainText('Session open');
  const remote = contentsOf(await readTree(app.remoteHome));
  expect(remote).toMatchObject(decided);
  expect(Object.keys(remote)).not.toContain(copy);
  await page.getByRole('button', { name: 'End session' }).click();
  await expect(page.getByRole('heading', { name: /^Last teardown/ })).toContainText('Done');
  await expect(page.getByText('Waiting for you')).toHaveCount(0);
});

test('a folder that grew is held before a byte of it is fetched, and comes home once it is released', async ({ app, page, open }) => {
  expect(app.cli(['session', 'start', app.connection, '--allow', 'first-session']).code).toBe(0);
  const large = randomBytes(26_000_000);
  await writeTree(app.remoteHome, { [mine]: 'learned on the remote', 'skills/ops/log-reader/samples/day.bin': large });
  await open();
  await openConnection(page, app);
  await page.getByRole('button', { name: 'End session' }).click();
  const held = page.getByRole('button', { name: /Unusually large/ });
  await expect(held).toContainText('skills/ops/log-reader/samples');
  await expect(held).toContainText('26 MB');
  await expect(page.getByRole('heading', { name: /^Last teardown/ })).toContainText('Held');
  await expectReadable(page);
  expect((await ledgerLine(page, 'Last teardown', 'Transferred')).bytes).toBeLessThan(1_000_000);
  const home = contentsOf(await readTree(app.localHome));
  expect(home[mine]).toBe('learned on the remote');
  expect(Object.keys(home).filter((path) => path.includes('/samples/'))).toEqual([]);

  await held.click();
  await page.getByRole('button', { name: 'Let it come home' }).click();
  await expect(page.getByText('Waiting for you')).toHaveCount(0);
  await startAndEnd(page);
  await expect(page.getByRole('heading', { name: /^Last teardown/ })).toContainText('Done');
  expect(await ledgerLine(page, 'Last teardown', 'Written here')).toEqual({ files: 1, bytes: large.length });
  const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
  expect(digest(await readFile(join(app.localHome, 'skills/ops/log-reader/samples/day.bin')))).toBe(digest(large));
});
