import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { A, eachInItsOwnPlace, entryOf, L, path, place, R } from './resolving';

eachInItsOwnPlace();

const copy = 'skills/a/notes.ebbgate-copy-build-box.md';
const other = { 'skills/a/SKILL.md': '# a\n' };

async function arrange(): Promise<void> {
  await place.write({ ...other, [path]: L });
  await place.agree({ [path]: A, 'skills/a/SKILL.md': '# a\n' });
}

describe('a copy', () => {
  const second = 'skills/a/notes.ebbgate-copy-build-box-2.md';

  it('takes the next number where a name is taken, by whatever lies there', async () => {
    await arrange();
    await place.write({ [copy]: 'an earlier one\n', [second]: { link: 'nowhere' } });
    const item = await place.wait({ path, local: L, remote: R });
    await place.resolve('keep-both', item.id);
    expect(await place.contents()).toEqual({
      ...{ ...other, [path]: L, [copy]: 'an earlier one\n', [second]: '-> nowhere' },
      'skills/a/notes.ebbgate-copy-build-box-3.md': R,
    });
  });

  it('gets a name of its own when two files of one run would share it', async () => {
    const stem = 'n'.repeat(240);
    const both = [`skills/a/${stem}1.md`, `skills/a/${stem}2.md`] as const;
    await place.write({ [both[0]]: L, [both[1]]: L });
    await place.agree({ [both[0]]: A, [both[1]]: A });
    const items = [
      await place.wait({ path: both[0], local: L, remote: 'one\n' }),
      await place.wait({ path: both[1], local: L, remote: 'two, longer\n' }),
    ];
    expect((await place.resolve('keep-both', ...items.map(({ id }) => id))).outcome).toBe('done');
    const copies = Object.entries(await place.contents()).filter(([name]) => name.includes('.ebbgate-copy-'));
    expect(copies.map(([, text]) => text).sort()).toEqual(['one\n', 'two, longer\n']);
  });

  it('leaves the item when the folder cannot be written', async () => {
    await arrange();
    const item = await place.wait({ path, local: L, remote: R });
    const blocked = join(place.home, 'skills/a/notes.ebbgate-copy-build-box.md');
    await mkdir(blocked);
    const report = await place.resolve('keep-both', item.id);
    expect(report.paths).toMatchObject([{ outcome: 'failed', reason: 'a folder is in its place' }]);
    expect(await place.agreed()).toMatchObject({ [path]: entryOf(A) });
    expect(place.inbox.list()).toEqual([item]);
  });
});
