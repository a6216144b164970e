import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makeLocalHome } from '../../electron/demo/made-up-homes';
import { archive, backups } from '../integration/pruned-homes';
import type { RealAppOptions } from '../support/real-app';
import { contentsOf, readTree, type Tree, writeTree } from '../support/tree';
import { expect, expectReadable, openConnection, test } from './real-fixtures';

const days = ['2026-03-05', '2026-03-12', '2026-03-19'] as const;

/** Three restore points that can be restored. */
function restorePoints(side: string): Tree {
  return Object.fromEntries(
    days.flatMap((day) => {
      const id = `${day}T04-00-00Z`;
      const bytes = archive(`${side} ${day}`);
      return [
        [`${backups}/${id}/skills.tar.gz`, bytes],
        [`${backups}/${id}/manifest.json`, JSON.stringify({ id, reason: 'pre-run', archive_bytes: bytes.length })],
      ];
    }),
  );
}

const made: RealAppOptions = {
  fill: async ({ localHome, remoteHome }) => {
    await makeLocalHome(localHome);
    await writeTree(localHome, restorePoints('local'));
    await writeTree(remoteHome, restorePoints('remote'));
  },
};

test.use({ made });

test('old restore points go from both sides by one button, and all their names come back by another', async ({ app, page, open }) => {
  const homes = [app.localHome, app.remoteHome];
  const names = () => Promise.all(homes.map(async (home) => (await readdir(join(home, backups))).sort()));
  const contents = () => Promise.all(homes.map(async (home) => contentsOf(await readTree(join(home, 'skills')))));
  const all = days.map((day) => `${day}T04-00-00Z`);
  const before = await contents();
  expect(await names()).toEqual([all, all]);

  await open();
  await openConnection(page, app);
  await page.getByRole('button', { name: 'Show restore points' }).click();
  for (const side of ['This computer', app.connection])
    await expect(page.getByRole('list', { name: side }).getByRole('listitem')).toHaveText([
      /^Mar 19, 2026.*KeepNewest that can be restored, checked to the end$/,
      /^Mar 12, 2026.*RemoveOlder$/,
      /^Mar 5, 2026.*RemoveOlder$/,
    ]);
  await expectReadable(page);
  expect(await names()).toEqual([all, all]);

  await page.getByRole('button', { name: /^Remove 4 \(/ }).click();
  await expect(page.getByText(/^4 items were removed/)).toBeVisible();
  expect(await names()).toEqual([all.slice(2), all.slice(2)]);
  await expectReadable(page);

  await page.getByRole('button', { name: 'Put back' }).click();
  await expect(page.getByText('Everything is back.')).toBeVisible();
  expect(await names()).toEqual([all, all]);
  expect(await contents()).toEqual(before);
});
