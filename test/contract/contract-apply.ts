import { describe, expect, it } from 'vitest';
import { contentText, sha256 } from '../support/tree';
import {
  applyChanges,
  entryIn,
  incoming,
  listSkills,
  outcomes,
  patience,
  plainRules,
  remove,
  scanSkills,
  seededBytes,
  treeOf,
  write,
} from './contract-side';
import type { ContractContext } from './endpoint-contract';

/** Carrying out changes that nothing stands in the way of. */
export function describeApply(side: ContractContext): void {
  describe('apply', () => {
    it('creates, updates and removes', async () => {
      await side.home.write({ 'skills/a/SKILL.md': 'old', 'skills/a/gone.md': 'goes away', 'skills/b/SKILL.md': 'stays as it is' });
      const endpoint = await side.open();
      const listing = await scanSkills(endpoint);
      const changes = [
        write('skills/a/SKILL.md', 'newer text', { expected: entryIn(listing, 'skills/a/SKILL.md') }),
        write('skills/a/new.md', 'created'),
        remove('skills/a/gone.md', listing),
      ];
      const result = await applyChanges(endpoint, changes, { 'skills/a/SKILL.md': 'newer text', 'skills/a/new.md': 'created' });
      expect(result).toEqual({ 'skills/a/SKILL.md': true, 'skills/a/new.md': true, 'skills/a/gone.md': true });
      expect(await treeOf(side.home)).toEqual({
        'skills/a/SKILL.md': 'newer text',
        'skills/a/new.md': 'created',
        'skills/b/SKILL.md': 'stays as it is',
      });
    });

    it('makes new folders, and the root itself, as deep as needed', async () => {
      const deep = `skills/${Array.from({ length: 24 }, (_, index) => `level ${index}`).join('/')}/SKILL.md`;
      const endpoint = await side.open();
      await scanSkills(endpoint);
      const contents = { [deep]: 'deep down', 'skills/top.md': 'at the top' };
      const result = await applyChanges(endpoint, [write(deep, 'deep down'), write('skills/top.md', 'at the top')], contents);
      expect(result).toEqual({ [deep]: true, 'skills/top.md': true });
      expect(await treeOf(side.home)).toEqual(contents);
    });

    it('writes odd names byte for byte', async () => {
      const contents = {
        'skills/-rf/$(id) `x`.md': 'one',
        'skills/it\'s\n/"quoted".md': 'two two',
        'skills/🌊/caf\u00e9.md': 'composed',
        'skills/🌊/cafe\u0301.md': 'decomposed',
      };
      const endpoint = await side.open();
      await scanSkills(endpoint);
      const changes = Object.entries(contents).map(([path, content]) => write(path, content));
      expect(await applyChanges(endpoint, changes, contents)).toEqual(Object.fromEntries(changes.map(({ path }) => [path, true])));
      expect(await treeOf(side.home)).toEqual(contents);
    });

    it('writes empty and big files, and counts the bytes of both', async () => {
      const big = seededBytes(3_000_001, 'a big file that is written');
      const endpoint = await side.open();
      await scanSkills(endpoint);
      const progress: number[] = [];
      const changes = [write('skills/big.bin', big), write('skills/empty.md', '')];
      const contents = { 'skills/big.bin': big, 'skills/empty.md': '' };
      const result = await applyChanges(endpoint, changes, contents, { onProgress: (bytes) => progress.push(bytes) });
      expect(result).toEqual({ 'skills/big.bin': true, 'skills/empty.md': true });
      expect(await treeOf(side.home)).toEqual({ 'skills/big.bin': contentText(big), 'skills/empty.md': '' });
      expect(progress.at(-1)).toBe(3_000_001);
      expect(progress).toEqual([...progress].sort((a, b) => a - b));
    });

    it('sets the owner execute bit as the content says', async () => {
      await side.home.write({
        'skills/on.sh': { text: 'becomes executable', mode: 0o644 },
        'skills/off.sh': { text: 'no more', mode: 0o755 },
      });
      const endpoint = await side.open();
      const listing = await scanSkills(endpoint);
      const contents = {
        'skills/on.sh': '#!/bin/sh',
        'skills/off.sh': 'text',
        'skills/new.sh': '#!/bin/sh new',
        'skills/new.md': 'plain text',
      };
      const changes = [
        write('skills/on.sh', contents['skills/on.sh'], { expected: entryIn(listing, 'skills/on.sh'), executable: true }),
        write('skills/off.sh', contents['skills/off.sh'], { expected: entryIn(listing, 'skills/off.sh'), executable: false }),
        write('skills/new.sh', contents['skills/new.sh'], { executable: true }),
        write('skills/new.md', contents['skills/new.md']),
      ];
      await applyChanges(endpoint, changes, contents);
      await endpoint.close();
      const after = (await listSkills(await side.open())).entries;
      expect(Object.fromEntries([...after].map(([path, { executable }]) => [path, executable]))).toEqual({
        'skills/on.sh': true,
        'skills/off.sh': false,
        'skills/new.sh': true,
        'skills/new.md': false,
      });
    });

    it('gives written files the time of their content', async () => {
      const mtime = Date.UTC(2024, 2, 3, 4, 5, 6);
      const endpoint = await side.open();
      await scanSkills(endpoint);
      await applyChanges(endpoint, [write('skills/a.md', 'one', { mtime })], { 'skills/a.md': 'one' });
      const image = (await side.home.read()).get('skills/a.md');
      expect(image?.kind === 'file' ? image.mtime : image).toBe(mtime);
    });

    it('returns entries under which the next run knows the content', async () => {
      await side.home.write({ 'skills/a.md': 'old', 'skills/gone.md': 'goes away' });
      await side.home.settle();
      const endpoint = await side.open();
      const listing = await scanSkills(endpoint);
      const changes = [
        write('skills/a.md', 'newer', { expected: entryIn(listing, 'skills/a.md') }),
        write('skills/new.md', 'created', { executable: true }),
        remove('skills/gone.md', listing),
      ];
      const applied = await endpoint.apply(
        { changes, contents: incoming({ 'skills/a.md': 'newer', 'skills/new.md': 'created' }) },
        patience,
      );
      expect(outcomes(applied)).toEqual({ 'skills/a.md': true, 'skills/new.md': true, 'skills/gone.md': true });
      const token = await endpoint.remember(patience);
      const entries = new Map(
        applied.flatMap((result) => (result.ok && result.entry !== null ? [[result.path, result.entry] as const] : [])),
      );
      expect([...entries].map(([path, { kind, size, executable, hash }]) => ({ path, kind, size, executable, hash }))).toEqual([
        { path: 'skills/a.md', kind: 'file', size: 5, executable: false, hash: sha256('newer') },
        { path: 'skills/new.md', kind: 'file', size: 7, executable: true, hash: sha256('created') },
      ]);
      const next = await (await side.open()).list({ roots: ['skills'], rules: plainRules, memory: { token, entries } }, patience);
      expect([...next.entries].map(([path, { hash }]) => [path, hash]).sort()).toEqual([
        ['skills/a.md', sha256('newer')],
        ['skills/new.md', sha256('created')],
      ]);
    });

    it('removes folders that a removal emptied, up to the root, and no others', async () => {
      await side.home.write({
        'skills/a/b/c/only.md': 'the only file',
        'skills/k/gone.md': 'goes away',
        'skills/k/kept.md': 'stays here',
        'skills/h/gone.md': 'goes as well',
        'skills/h/.venv/lib.py': 'never listed',
        ...(side.sees.disk === true ? { 'skills/e': { folder: true } as const } : {}),
      });
      const endpoint = await side.open();
      const listing = await scanSkills(endpoint);
      await applyChanges(endpoint, [
        remove('skills/a/b/c/only.md', listing),
        remove('skills/k/gone.md', listing),
        remove('skills/h/gone.md', listing),
      ]);
      const left = [...(await side.home.read()).keys()].filter((path) => !path.startsWith('.ebbgate')).sort();
      const untouched = side.sees.disk === true ? ['skills/e'] : [];
      expect(left).toEqual(['skills', ...untouched, 'skills/h', 'skills/h/.venv', 'skills/h/.venv/lib.py', 'skills/k', 'skills/k/kept.md']);
    });

    it('keeps the root when its last file is removed', async () => {
      await side.home.write({ 'skills/a/only.md': 'the only file' });
      const endpoint = await side.open();
      await applyChanges(endpoint, [remove('skills/a/only.md', await scanSkills(endpoint))]);
      expect([...(await side.home.read()).keys()].filter((path) => !path.startsWith('.ebbgate'))).toEqual(['skills']);
    });

    it('changes nothing when what is about to be done cannot be written down, and says why', async () => {
      await side.home.write({ 'skills/a.md': 'as it was', 'skills/b.md': 'not yet removed' });
      const endpoint = await side.open();
      const listing = await scanSkills(endpoint);
      const changes = [
        write('skills/a.md', 'incoming', { expected: entryIn(listing, 'skills/a.md') }),
        write('skills/new.md', 'incoming new'),
        remove('skills/b.md', listing),
      ];
      const contents = incoming({ 'skills/a.md': 'incoming', 'skills/new.md': 'incoming new' });
      const full = new Error('no room for the plan');
      const recorded = Promise.reject(full);
      recorded.catch(() => undefined);
      await expect(endpoint.apply({ changes, contents, recorded }, patience)).rejects.toBe(full);
      await endpoint.close();
      expect(await treeOf(side.home)).toEqual({ 'skills/a.md': 'as it was', 'skills/b.md': 'not yet removed' });
    });

    it('carries out every one of many changes with very long paths', async () => {
      const deep = `skills/${'abcdefghijklmn'.replace(/./g, (letter) => `${letter.repeat(240)}/`)}`;
      const names = Array.from({ length: 24 }, (_, index) => `${deep}file-${index}.md`);
      await side.home.write(Object.fromEntries(names.map((path) => [path, 'as it was'])));
      const endpoint = await side.open();
      const listing = await scanSkills(endpoint);
      const [updated, removed] = [names.slice(0, 12), names.slice(12)];
      const changes = [
        ...updated.map((path) => write(path, 'newer', { expected: entryIn(listing, path) })),
        ...removed.map((path) => remove(path, listing)),
      ];
      const applied = await applyChanges(endpoint, changes, Object.fromEntries(updated.map((path) => [path, 'newer'])));
      expect(applied).toEqual(Object.fromEntries(names.map((path) => [path, true])));
      expect(await treeOf(side.home)).toEqual(Object.fromEntries(updated.map((path) => [path, 'newer'])));
    });
  });
}
