import { link, readdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLocalDisk } from '../../../electron/endpoints/local-disk';
import { applyChanges } from '../../../electron/engine/apply';
import type { Disk } from '../../../electron/engine/disk';
import { storedName } from '../../../electron/engine/state-names';
import { AppError } from '../../../shared/errors';
import { entryIn, incoming, write } from '../../contract/contract-side';
import { createFaultyDisk, systemError } from '../../support/faulty-disk';
import { contentsOf, readTree, removeTempFolder, writeTree } from '../../support/tree';
import { apply, eachWithItsOwnHome, folder, home, kept, newContents, oldTree, options, scan, skillChanges, texts } from './apply-place';

eachWithItsOwnHome();

const ofSkill = (images: ReadonlyMap<string, unknown>) => new Map([...images].filter(([path]) => path.startsWith('skills/a/')));

describe('a group, when the disk fails', () => {
  for (const when of ['before', 'after'] as const) {
    it(`is as it was or wholly new, whichever operation fails ${when === 'before' ? 'before it did anything' : 'after it did its work'}`, async () => {
      await writeTree(home, oldTree);
      const flawless = createFaultyDisk(createLocalDisk(options()), null);
      await apply(skillChanges(await scan()), newContents, flawless.disk);
      const operations = flawless.calls.length;
      for (let at = 0; at < operations; at += 1) {
        await removeTempFolder(folder);
        await writeTree(home, oldTree);
        const before = ofSkill(await readTree(home));
        const changes = skillChanges(await scan());
        const faulty = createFaultyDisk(createLocalDisk(options()), { when, at });
        const result = await apply(changes, newContents, faulty.disk);
        const call = `operation ${at}, ${faulty.calls[at]?.name}`;
        expect(faulty.hasFailed(), call).toBe(true);
        const after = await readTree(home);
        const succeeded = [
          result['skills/a/SKILL.md'],
          result['skills/a/run.sh'],
          result['skills/a/new/deep.md'],
          result['skills/a/sub/gone.md'],
        ];
        if (succeeded.every((outcome) => outcome === true)) {
          const { 'skills/b.md': _, ...skill } = { ...contentsOf(after) };
          const { 'skills/b.md': __, ...expected } = newContents;
          expect(skill, call).toEqual(expected);
        } else {
          expect(
            succeeded.every((outcome) => typeof outcome === 'string'),
            call,
          ).toBe(true);
          expect(ofSkill(after), call).toEqual(before);
          expect(
            Object.values(await kept()).filter((text) => text !== 'old b'),
            call,
          ).toEqual([]);
        }
        expect(contentsOf(after)['skills/b.md'], call).toBe(result['skills/b.md'] === true ? 'newer b text' : 'old b');
      }
      expect(operations).toBeGreaterThan(12);
    });
  }

  it('says so when old content could not be put back, and keeps that content', async () => {
    await writeTree(home, oldTree);
    const disk = createLocalDisk(options());
    const failing: Disk = {
      ...disk,
      place: async (name, path) => (path === 'skills/a/run.sh' ? Promise.reject(systemError('EIO')) : disk.place(name, path)),
      putBack: async (name, path) => (path === 'skills/a/SKILL.md' ? Promise.reject(systemError('EACCES')) : disk.putBack(name, path)),
    };
    const result = await apply(skillChanges(await scan()), newContents, failing);
    expect(result['skills/a/run.sh']).toBe('the disk reported an error');
    expect(result['skills/a/SKILL.md']).toBe(
      'it could not be put back (there is no permission for it); its old content is in the undo store',
    );
    expect((await kept())[storedName('skills/a/SKILL.md')]).toBe('old skill');
    expect((await texts())['skills/a/run.sh']).toBe('old script text');
  });
});

describe('a group', () => {
  it('names the file that failed to the others, and leaves other groups alone', async () => {
    await writeTree(home, oldTree);
    const { 'skills/a/run.sh': _, ...arriving } = newContents;
    const others = 'another file of this skill failed: skills/a/run.sh: its content did not arrive';
    expect(await apply(skillChanges(await scan()), arriving)).toEqual({
      'skills/a/SKILL.md': others,
      'skills/a/run.sh': 'its content did not arrive',
      'skills/a/new/deep.md': others,
      'skills/a/sub/gone.md': others,
      'skills/b.md': true,
    });
    expect(await texts()).toEqual({
      'skills/a/SKILL.md': 'old skill',
      'skills/a/run.sh': 'old script text',
      'skills/a/sub/gone.md': 'goes away',
      'skills/b.md': 'newer b text',
    });
  });

  it('is put back when one of its files is saved by the user in the middle', async () => {
    await writeTree(home, oldTree);
    const changes = skillChanges(await scan());
    const disk = createLocalDisk(options());
    const place: Disk['place'] = async (name, path) => {
      await disk.place(name, path);
      if (path === 'skills/a/SKILL.md') await writeFile(join(home, 'skills/a/run.sh'), 'saved by the user meanwhile');
    };
    const result = await apply(changes, newContents, { ...disk, place });
    expect(result['skills/a/run.sh']).toBe('it changed here meanwhile');
    expect(await texts()).toMatchObject({
      'skills/a/SKILL.md': 'old skill',
      'skills/a/run.sh': 'saved by the user meanwhile',
      'skills/a/sub/gone.md': 'goes away',
    });
    expect(await kept()).toEqual({ [storedName('skills/b.md')]: 'old b' });
  });

  it('is put back when a folder becomes a link in the middle, and nothing is touched behind the link', async () => {
    await writeTree(home, { ...oldTree, 'outside/gone.md': 'not ours' });
    const changes = skillChanges(await scan());
    const disk = createLocalDisk(options());
    const place: Disk['place'] = async (name, path) => {
      await disk.place(name, path);
      if (path !== 'skills/a/SKILL.md') return;
      await rename(join(home, 'skills/a/sub'), join(home, 'moved'));
      await symlink('../../outside', join(home, 'skills/a/sub'));
    };
    const result = await apply(changes, newContents, { ...disk, place });
    expect(result['skills/a/sub/gone.md']).toBe('skills/a/sub is a link, not a folder');
    expect(await texts()).toMatchObject({ 'skills/a/SKILL.md': 'old skill', 'outside/gone.md': 'not ours', 'moved/gone.md': 'goes away' });
  });

  it('keeps a file that the user makes at the last moment, when placing there then fails', async () => {
    await writeTree(home, oldTree);
    const changes = skillChanges(await scan());
    const disk = createLocalDisk(options());
    const place: Disk['place'] = async (name, path) => {
      if (path !== 'skills/a/new/deep.md') return disk.place(name, path);
      await writeFile(join(home, path), 'made by the user');
      throw systemError('EACCES');
    };
    const result = await apply(changes, newContents, { ...disk, place });
    expect(result['skills/a/new/deep.md']).toBe('there is no permission for it');
    expect(await texts()).toMatchObject({ 'skills/a/SKILL.md': 'old skill', 'skills/a/new/deep.md': 'made by the user' });
  });

  it('replaces two names of one file', async () => {
    await writeTree(home, { 'skills/a/one.md': 'shared content' });
    await link(join(home, 'skills/a/one.md'), join(home, 'skills/a/two.md'));
    const listing = await scan();
    const changes = ['skills/a/one.md', 'skills/a/two.md'].map((path) =>
      write(path, `new ${path}`, { expected: entryIn(listing, path), group: 'a' }),
    );
    const contents = { 'skills/a/one.md': 'new skills/a/one.md', 'skills/a/two.md': 'new skills/a/two.md' };
    expect(await apply(changes, contents)).toEqual({ 'skills/a/one.md': true, 'skills/a/two.md': true });
    expect(await texts()).toEqual(contents);
  });

  it('is finished before a cancellation ends the apply, and the next one is not begun', async () => {
    await writeTree(home, oldTree);
    const changes = skillChanges(await scan());
    const controller = new AbortController();
    const disk = createLocalDisk(options());
    const place: Disk['place'] = async (name, path) => {
      controller.abort();
      return disk.place(name, path);
    };
    const request = { changes, contents: incoming(newContents) };
    await expect(applyChanges({ ...disk, place }, request, controller.signal)).rejects.toEqual(new AppError('run.cancelled', {}));
    expect(await texts()).toEqual({ ...newContents, 'skills/b.md': 'old b' });
    expect(await readdir(join(folder, 'staging'))).toEqual([]);
  });

  it('is followed by all others after a cancellation where that was asked for, and by none when it came before', async () => {
    await writeTree(home, oldTree);
    const changes = skillChanges(await scan());
    const controller = new AbortController();
    const disk = createLocalDisk(options());
    const request = () => ({ changes, contents: incoming(newContents), goesOn: true });
    const cancelAt = (name: 'place' | 'syncStaging') => {
      const work = disk[name] as (...args: readonly unknown[]) => Promise<void>;
      return { ...disk, [name]: (...args: readonly unknown[]) => work(...args).finally(() => controller.abort()) };
    };
    const early = applyChanges(cancelAt('syncStaging'), request(), controller.signal);
    await expect(early).rejects.toEqual(new AppError('run.cancelled', {}));
    expect(await texts()).toEqual(contentsOf(await readTree(home)));
    expect((await texts())['skills/b.md']).toBe('old b');

    const late = new AbortController();
    const place: Disk['place'] = (...names) => disk.place(...names).finally(() => late.abort());
    const applied = await applyChanges({ ...disk, place }, request(), late.signal);
    expect(applied.every(({ ok }) => ok)).toBe(true);
    expect(await texts()).toEqual(newContents);
  });
});
