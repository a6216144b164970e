import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { closedEnvironment, type ServingProgram, startServing } from '../support/real-app';
import { contentsOf, makeTempFolder, readTree, removeTempFolder, writeTree } from '../support/tree';
import { expect, test as scripted } from './fixtures';
import { expectReadable, ledgerLine } from './real-fixtures';

interface Demo extends ServingProgram {
  /** What the program handed to the desktop to open. */
  opened(): Promise<string>;
  /** The folders it works in. What locks a Hermes home belongs to the user's account, and is not counted. */
  folders(): Promise<readonly string[]>;
  /** A home whose every file must stay as it is. */
  readonly userHome: string;
}

// The demo must read and write nothing here, although the environment points at it.
const userFiles = { '.hermes/skills/mine/SKILL.md': 'mine', 'data/state.json': 'not even JSON' };

const test = scripted.extend<{ readonly demo: Demo }>({
  clock: null,
  // biome-ignore lint/correctness/noEmptyPattern: the runner wants a pattern here
  demo: async ({}, use) => {
    const folder = await makeTempFolder('real-demo');
    const [userHome, temporary, tools, note] = ['home', 'tmp', 'tools', 'opened'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
      string,
    ];
    await mkdir(temporary);
    await mkdir(userHome);
    await writeTree(userHome, userFiles);
    // What the desktop would open goes into a file instead.
    await mkdir(tools);
    await writeTree(tools, {
      'xdg-open': { text: `#!/bin/sh\nprintf %s "$1" >"${note}.new" && mv "${note}.new" "${note}"\n`, executable: true },
    });
    const surroundings = { TMPDIR: temporary, HERMES_HOME: join(userHome, '.hermes'), EBBGATE_DATA_DIR: join(userHome, 'data') };
    const env = closedEnvironment(userHome, { PATH: `${tools}:${process.env.PATH}`, ...surroundings });
    const demo = await startServing(['demo'], env);
    await use({
      ...demo,
      userHome,
      opened: async () => (existsSync(note) ? readFile(note, 'utf8') : ''),
      folders: async () => (await readdir(temporary)).filter((name) => name.startsWith('ebbgate-demo-')),
    });
    await demo.stop();
    await removeTempFolder(folder);
  },
  web: async ({ demo }, use) => {
    await use({ url: demo.url, origin: demo.origin, close: async () => undefined });
  },
});

test('the demo opens its window, ends a session in it, and leaves nothing behind', async ({ demo, page, open }) => {
  await expect.poll(demo.opened).toBe(demo.url);
  await open();
  await page.getByRole('link', { name: /demo-box/ }).click();
  await expect(page.getByRole('contentinfo')).toContainText('Session open');
  expect((await ledgerLine(page, 'Last teardown', '.curator_backups')).bytes).toBeGreaterThanOrEqual(24_000_000);
  expect((await ledgerLine(page, 'Last teardown', 'Written here')).files).toBe(4);

  await page.getByRole('button', { name: 'End session' }).click();
  await expect(page.getByRole('contentinfo')).toContainText('No session open');
  await page
    .getByText(/^Show files/)
    .first()
    .click();
  await expect(page.getByText('skills/ops/café check 2/SKILL.md')).toBeVisible();
  expect((await ledgerLine(page, 'Last teardown', 'Written here')).files).toBe(4);

  await expectReadable(page);
  // A window whose program ends says so in the console; that is not the matter here.
  await page.goto('about:blank');
  expect(await demo.folders()).toHaveLength(1);
  expect(await demo.stop()).toBe(0);
  expect(await demo.folders()).toEqual([]);
  expect(contentsOf(await readTree(demo.userHome))).toEqual(userFiles);
});
