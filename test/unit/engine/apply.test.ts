import { appendFile, link, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLocalDisk } from '../../../electron/endpoints/local-disk';
import { applyChanges, modeAfter } from '../../../electron/engine/apply';
import { storedName } from '../../../electron/engine/state-names';
import { entryIn, incoming, patience, write } from '../../contract/contract-side';
import { contentsOf, readTree, removeTempFolder, writeTree } from '../../support/tree';
import { apply, eachWithItsOwnHome, folder, home, kept, newContents, oldTree, options, scan, skillChanges, texts } from './apply-place';

eachWithItsOwnHome();

describe('saved content', () => {
  it('is what was replaced or removed, each under the name of its path', async () => {
    await writeTree(home, oldTree);
    await apply(skillChanges(await scan()), newContents);
    expect(await kept()).toEqual({
      [storedName('skills/a/SKILL.md')]: 'old skill',
      [storedName('skills/a/run.sh')]: 'old script text',
      [storedName('skills/a/sub/gone.md')]: 'goes away',
      [storedName('skills/b.md')]: 'old b',
    });
    const images = await readTree(join(folder, 'undo'));
    expect(images.get(storedName('skills/a/run.sh'))).toEqual({
      kind: 'file',
      text: 'old script text',
      mode: 0o640,
      mtime: 1_600_000_001_000,
    });
  });

  it('does not change when another name of the old file is written in place', async () => {
    await writeTree(home, { 'skills/a.md': 'shared content' });
    await link(join(home, 'skills/a.md'), join(home, 'other.md'));
    const listing = await scan();
    await apply([write('skills/a.md', 'new', { expected: entryIn(listing, 'skills/a.md') })], { 'skills/a.md': 'new' });
    await appendFile(join(home, 'other.md'), ', and more');
    expect(await kept()).toEqual({ [storedName('skills/a.md')]: 'shared content' });
  });

  it('is never overwritten by a second change of the same path', async () => {
    await writeTree(home, { 'skills/a.md': 'the first' });
    await apply([write('skills/a.md', 'second', { expected: entryIn(await scan(), 'skills/a.md') })], { 'skills/a.md': 'second' });
    const again = await apply([write('skills/a.md', 'third one', { expected: entryIn(await scan(), 'skills/a.md') })], {
      'skills/a.md': 'third one',
    });
    expect(again).toEqual({ 'skills/a.md': 'older content of it is still kept' });
    expect([await texts(), await kept()]).toEqual([{ 'skills/a.md': 'second' }, { [storedName('skills/a.md')]: 'the first' }]);
  });
});

describe('modes', () => {
  const cases = [
    { existing: null, executable: false, expected: 0o600, name: 'a new file is private' },
    { existing: null, executable: true, expected: 0o700, name: 'a new executable is private' },
    { existing: 0o664, executable: false, expected: 0o664, name: 'bits stay where nothing changes' },
    { existing: 0o710, executable: true, expected: 0o710, name: 'execute bits stay where nothing changes' },
    { existing: 0o640, executable: true, expected: 0o750, name: 'whoever may read may execute' },
    { existing: 0o604, executable: true, expected: 0o705, name: 'whoever may not read may not execute' },
    { existing: 0o755, executable: false, expected: 0o644, name: 'nobody executes what is no executable' },
    { existing: 0o400, executable: true, expected: 0o500, name: 'a read-only file stays read-only' },
  ];
  it.each(cases)('$name', ({ existing, executable, expected }) => {
    expect(modeAfter(existing, executable)).toBe(expected);
  });

  it('reach the disk', async () => {
    await writeTree(home, oldTree);
    await apply(skillChanges(await scan()), newContents);
    const images = await readTree(home);
    const modes = Object.fromEntries([...images].map(([path, image]) => [path, 'mode' in image ? image.mode : null]));
    expect(modes).toMatchObject({
      'skills/a/run.sh': 0o750,
      'skills/a/SKILL.md': 0o644,
      'skills/a/new': 0o700,
      'skills/a/new/deep.md': 0o600,
    });
  });
});

describe('what apply returns and refuses', () => {
  it('does not vouch for a file that was touched right after it was placed', async () => {
    const disk = createLocalDisk(options());
    const settle = async () => {
      await writeFile(join(home, 'skills/touched.md'), 'aaa');
      await disk.settle();
    };
    const changes = [write('skills/touched.md', 'one'), write('skills/quiet.md', 'two two')];
    const request = { changes, contents: incoming({ 'skills/touched.md': 'one', 'skills/quiet.md': 'two two' }) };
    const applied = await applyChanges({ ...disk, settle }, request, patience);
    const vouched = applied.map((result) => [result.path, result.ok && result.entry !== null && result.entry.stamp !== '']);
    expect(vouched).toEqual([
      ['skills/touched.md', false],
      ['skills/quiet.md', true],
    ]);
  });

  it('fails paths that lead outside the home, and touches nothing there', async () => {
    await writeTree(folder, { 'precious.md': 'outside', 'home/skills/a.md': 'inside' });
    const paths = ['../evil.md', 'skills/../../evil.md', '/evil.md', 'skills//evil.md', 'skills/./evil.md', 'skills\\evil.md', ''];
    const contents = Object.fromEntries(paths.map((path) => [path, 'evil']));
    const result = await apply(
      paths.map((path) => write(path, 'evil')),
      contents,
    );
    expect(Object.values(result).filter((outcome) => typeof outcome !== 'string')).toEqual([]);
    const stolen = { kind: 'remove', path: '../precious.md', expected: entryIn(await scan(), 'skills/a.md'), group: null } as const;
    expect(await apply([stolen])).toEqual({ '../precious.md': 'its path leads outside the Hermes home' });
    expect(contentsOf(await readTree(folder))).toEqual({ 'precious.md': 'outside', 'home/skills/a.md': 'inside' });
  });

  it('makes a missing home, but not what is missing above it', async () => {
    await removeTempFolder(folder);
    await writeTree(folder, { 'here.md': 'the folder exists' });
    expect(await apply([write('skills/a.md', 'one')], { 'skills/a.md': 'one' })).toEqual({ 'skills/a.md': true });
    const orphaned = createLocalDisk({ ...options(), home: join(folder, 'not', 'there') });
    expect(await apply([write('skills/b.md', 'two')], { 'skills/b.md': 'two' }, orphaned)).toEqual({ 'skills/b.md': 'it is not there' });
    expect(contentsOf(await readTree(folder))).toEqual({ 'here.md': 'the folder exists', 'home/skills/a.md': 'one' });
  });
});
