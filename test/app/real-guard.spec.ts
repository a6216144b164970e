import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeTree } from '../support/tree';
import { expect, openConnection, test } from './real-fixtures';

const lockFile = 'skills/.hub/lock.json';

test('a hub lock that was taken away comes back by a button of the window', async ({ app, page, open }) => {
  const good = await readFile(join(app.localHome, lockFile), 'utf8');
  const guard = ['guard', '--once', '--json'];
  expect(app.cli(guard).code).toBe(0);
  await writeTree(app.localHome, { [lockFile]: '{ "version": 1' });
  expect(app.cli(guard).stdout).toContain('"hub-lock"');
  await open();
  await openConnection(page, app);
  await page.getByRole('button', { name: 'Put back the lock file' }).click();
  await expect(page.getByRole('button', { name: 'Put back the lock file' })).toHaveCount(0);
  expect(await readFile(join(app.localHome, lockFile), 'utf8')).toBe(good);
});
