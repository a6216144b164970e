import { describe, expect, it } from 'vitest';
import { isOwnName } from '../../electron/engine/state-names';
import { applyChanges, entryIn, incoming, outcomes, patience, remove, scanSkills, treeOf, write } from './contract-side';
import type { ContractContext } from './endpoint-contract';

const reason = expect.stringMatching(/./);

/** Carrying out changes when something stands in the way: that path fails with a reason, the rest goes on. */
export function describeApplyGuards(side: ContractContext): void {
  describe('apply, when something is in the way', () => {
    it('leaves a target that changed since the listing', async () => {
      await side.home.write({ 'skills/a.md': 'as listed', 'skills/b.md': 'listed too', 'skills/c.md': 'and this one' });
      const endpoint = await side.open();
      const listing = await scanSkills(endpoint);
      await side.home.write({ 'skills/a.md': 'saved meanwhile', 'skills/b.md': 'also saved', 'skills/new.md': 'appeared meanwhile' });
      await side.home.remove('skills/c.md');
      const changes = [
        write('skills/a.md', 'incoming', { expected: entryIn(listing, 'skills/a.md') }),
        remove('skills/b.md', listing),
        write('skills/c.md', 'incoming c', { expected: entryIn(listing, 'skills/c.md') }),
        write('skills/new.md', 'incoming new'),
        write('skills/fine.md', 'nothing wrong here'),
      ];
      const contents = {
        'skills/a.md': 'incoming',
        'skills/c.md': 'incoming c',
        'skills/new.md': 'incoming new',
        'skills/fine.md': 'nothing wrong here',
      };
      expect(await applyChanges(endpoint, changes, contents)).toEqual({
        'skills/a.md': reason,
        'skills/b.md': reason,
        'skills/c.md': reason,
        'skills/new.md': reason,
        'skills/fine.md': true,
      });
      expect(await treeOf(side.home)).toEqual({
        'skills/a.md': 'saved meanwhile',
        'skills/b.md': 'also saved',
        'skills/new.md': 'appeared meanwhile',
        'skills/fine.md': 'nothing wrong here',
      });
    });

    it('leaves a target whose content changed although its size and time did not', async () => {
      await side.home.write({ 'skills/a.md': 'as listed', 'skills/b.md': 'listed as well' });
      await side.home.settle();
      const endpoint = await side.open();
      const listing = await scanSkills(endpoint);
      await side.home.stealthEdit('skills/a.md', 'AS LISTED');
      await side.home.stealthEdit('skills/b.md', 'LISTED AS WELL');
      const changes = [write('skills/a.md', 'incoming', { expected: entryIn(listing, 'skills/a.md') }), remove('skills/b.md', listing)];
      expect(await applyChanges(endpoint, changes, { 'skills/a.md': 'incoming' })).toEqual({
        'skills/a.md': reason,
        'skills/b.md': reason,
      });
      expect(await treeOf(side.home)).toEqual({ 'skills/a.md': 'AS LISTED', 'skills/b.md': 'LISTED AS WELL' });
    });

    it('fails content that is not the planned one, and takes it as planned anew after another listing', async () => {
      await side.home.write({ 'skills/a.md': 'as it was' });
      const endpoint = await side.open();
      const first = [
        write('skills/a.md', 'planned', { expected: entryIn(await scanSkills(endpoint), 'skills/a.md') }),
        write('skills/longer.md', 'planned'),
        write('skills/fine.md', 'nothing wrong here'),
      ];
      const saved = { 'skills/a.md': 'SAVED !', 'skills/longer.md': 'saved, and longer' };
      const contents = incoming({ ...saved, 'skills/fine.md': 'nothing wrong here' });
      const applied = await endpoint.apply({ changes: first, contents }, patience);
      expect(outcomes(applied)).toEqual({ 'skills/a.md': reason, 'skills/longer.md': reason, 'skills/fine.md': true });
      expect(applied.map((result) => !result.ok && result.overtaken === true)).toEqual(
        endpoint.side === 'remote' ? [true, true, false] : [false, false, false],
      );
      await endpoint.remember(patience);
      expect(await treeOf(side.home)).toEqual({ 'skills/a.md': 'as it was', 'skills/fine.md': 'nothing wrong here' });

      const listing = await scanSkills(endpoint);
      const second = [
        write('skills/a.md', saved['skills/a.md'], { expected: entryIn(listing, 'skills/a.md') }),
        write('skills/longer.md', saved['skills/longer.md']),
      ];
      expect(await applyChanges(endpoint, second, saved)).toEqual({ 'skills/a.md': true, 'skills/longer.md': true });
      expect(await treeOf(side.home)).toEqual({ ...saved, 'skills/fine.md': 'nothing wrong here' });
    });

    it('fails what did not arrive, and does the rest', async () => {
      await side.home.write({ 'skills/a.md': 'as it was' });
      const endpoint = await side.open();
      const listing = await scanSkills(endpoint);
      const changes = [
        write('skills/a.md', 'never arrives', { expected: entryIn(listing, 'skills/a.md') }),
        write('skills/b.md', 'arrives'),
        write('skills/new/c.md', 'never arrives either'),
      ];
      const result = await applyChanges(endpoint, changes, { 'skills/b.md': 'arrives' });
      expect(result).toEqual({ 'skills/a.md': reason, 'skills/b.md': true, 'skills/new/c.md': reason });
      expect(await treeOf(side.home)).toEqual({ 'skills/a.md': 'as it was', 'skills/b.md': 'arrives' });
    });

    it('fails content that ends before its length', async () => {
      await side.home.write({ 'skills/a.md': 'as it was' });
      const endpoint = await side.open();
      const expected = entryIn(await scanSkills(endpoint), 'skills/a.md');
      const body = (async function* () {
        yield Buffer.from('the first part');
      })();
      const contents = (async function* () {
        yield { path: 'skills/a.md', size: 20, body };
      })();
      const changes = [write('skills/a.md', 'the first part, rest', { expected })];
      // A side may also end as a whole when a stream breaks off; the file is the old one either way.
      const result = await applyChanges(endpoint, changes, {}, { contents }).catch((error: unknown) => ({ 'skills/a.md': String(error) }));
      expect(result).toEqual({ 'skills/a.md': reason });
      await endpoint.close();
      expect(await treeOf(side.home)).toEqual({ 'skills/a.md': 'as it was' });
    });

    it('leaves a target that became a folder', async () => {
      await side.home.write({ 'skills/a.md': 'a file at first', 'skills/b.md': 'a file as well' });
      const endpoint = await side.open();
      const listing = await scanSkills(endpoint);
      await side.home.remove('skills/a.md');
      await side.home.remove('skills/b.md');
      await side.home.write({ 'skills/a.md/inner.md': 'kept', 'skills/b.md/inner.md': 'kept too' });
      const changes = [write('skills/a.md', 'incoming', { expected: entryIn(listing, 'skills/a.md') }), remove('skills/b.md', listing)];
      expect(await applyChanges(endpoint, changes, { 'skills/a.md': 'incoming' })).toEqual({
        'skills/a.md': reason,
        'skills/b.md': reason,
      });
      expect(await treeOf(side.home)).toEqual({ 'skills/a.md/inner.md': 'kept', 'skills/b.md/inner.md': 'kept too' });
    });

    it('leaves a file that lies where a folder is needed', async () => {
      await side.home.write({ 'skills/a': 'a file, not a folder' });
      const endpoint = await side.open();
      await scanSkills(endpoint);
      const result = await applyChanges(endpoint, [write('skills/a/SKILL.md', 'incoming')], { 'skills/a/SKILL.md': 'incoming' });
      expect(result).toEqual({ 'skills/a/SKILL.md': reason });
      expect(await treeOf(side.home)).toEqual({ 'skills/a': 'a file, not a folder' });
    });

    it('leaves no temporary names behind, whether changes succeed or fail', async () => {
      await side.home.write({ 'skills/a.md': 'as listed', 'skills/b.md': 'listed too' });
      const endpoint = await side.open();
      const listing = await scanSkills(endpoint);
      await side.home.write({ 'skills/a.md': 'saved meanwhile' });
      const changes = [
        write('skills/a.md', 'incoming', { expected: entryIn(listing, 'skills/a.md') }),
        write('skills/b.md', 'incoming b', { expected: entryIn(listing, 'skills/b.md') }),
        write('skills/missing.md', 'never arrives'),
      ];
      await applyChanges(endpoint, changes, { 'skills/a.md': 'incoming', 'skills/b.md': 'incoming b' });
      await endpoint.remember(new AbortController().signal);
      await endpoint.close();
      const names = [...(await side.home.read()).keys()].filter((path) => isOwnName(path.slice(path.lastIndexOf('/') + 1)));
      expect(names.filter((path) => path !== '.ebbgate')).toEqual([]);
    });

    if (side.sees.disk === true) describeOnDisk(side);
  });
}

function describeOnDisk(side: ContractContext): void {
  it('writes and removes nothing through a link below the root', async () => {
    await side.home.write({
      'outside/SKILL.md': 'not ours',
      'outside/gone.md': 'not ours at all',
      'skills/a/gone.md': 'listed here',
      'skills/b.md': 'plain',
    });
    const endpoint = await side.open();
    const listing = await scanSkills(endpoint);
    await side.home.remove('skills/a');
    await side.home.write({ 'skills/a': { link: '../outside' } });
    const changes = [
      write('skills/a/SKILL.md', 'incoming'),
      write('skills/a/new/x.md', 'incoming too'),
      remove('skills/a/gone.md', listing),
    ];
    const result = await applyChanges(endpoint, changes, { 'skills/a/SKILL.md': 'incoming', 'skills/a/new/x.md': 'incoming too' });
    expect(result).toEqual({ 'skills/a/SKILL.md': reason, 'skills/a/new/x.md': reason, 'skills/a/gone.md': reason });
    expect(await treeOf(side.home)).toEqual({
      'outside/SKILL.md': 'not ours',
      'outside/gone.md': 'not ours at all',
      'skills/a': '-> ../outside',
      'skills/b.md': 'plain',
    });
  });

  it('leaves a target whose execute bit changed since the listing', async () => {
    const file = (text: string, mode: number) => ({ text, mode, mtime: 1_600_000_000_000 });
    await side.home.write({ 'skills/a.sh': file('listed', 0o644), 'skills/b.sh': file('listed as well', 0o755) });
    const endpoint = await side.open();
    const listing = await scanSkills(endpoint);
    await side.home.write({ 'skills/a.sh': file('listed', 0o755), 'skills/b.sh': file('listed as well', 0o644) });
    const changes = [write('skills/a.sh', 'incoming', { expected: entryIn(listing, 'skills/a.sh') }), remove('skills/b.sh', listing)];
    expect(await applyChanges(endpoint, changes, { 'skills/a.sh': 'incoming' })).toEqual({ 'skills/a.sh': reason, 'skills/b.sh': reason });
    expect(await treeOf(side.home)).toEqual({ 'skills/a.sh': 'listed', 'skills/b.sh': 'listed as well' });
  });

  it('leaves a target that became a link, and what the link leads to', async () => {
    await side.home.write({ 'outside/a.md': 'not ours', 'skills/a.md': 'listed', 'skills/b.md': 'listed as well' });
    const endpoint = await side.open();
    const listing = await scanSkills(endpoint);
    await side.home.remove('skills/a.md');
    await side.home.remove('skills/b.md');
    await side.home.write({ 'skills/a.md': { link: '../outside/a.md' }, 'skills/b.md': { link: '../outside/a.md' } });
    const changes = [write('skills/a.md', 'incoming', { expected: entryIn(listing, 'skills/a.md') }), remove('skills/b.md', listing)];
    expect(await applyChanges(endpoint, changes, { 'skills/a.md': 'incoming' })).toEqual({ 'skills/a.md': reason, 'skills/b.md': reason });
    expect(await treeOf(side.home)).toEqual({
      'outside/a.md': 'not ours',
      'skills/a.md': '-> ../outside/a.md',
      'skills/b.md': '-> ../outside/a.md',
    });
  });

  it('changes no mode of an existing folder', async () => {
    await side.home.write({
      'skills/a': { folder: true, mode: 0o775 },
      'skills/a/b': { folder: true, mode: 0o700 },
      'skills/a/b/old.md': 'goes away',
      'skills/a/b/kept.md': 'stays here',
    });
    const modes = async () =>
      [...(await side.home.read())].flatMap(([path, image]) =>
        image.kind === 'folder' && !path.startsWith('.ebbgate') ? [[path, image.mode]] : [],
      );
    const before = await modes();
    const endpoint = await side.open();
    const listing = await scanSkills(endpoint);
    await applyChanges(endpoint, [write('skills/a/b/new.md', 'created'), remove('skills/a/b/old.md', listing)], {
      'skills/a/b/new.md': 'created',
    });
    expect(await modes()).toEqual(before);
  });

  it('replaces a file with several names without changing the other names', async () => {
    await side.home.write({ 'skills/a.md': 'shared content' });
    await side.home.hardLink('skills/a.md', 'elsewhere.md');
    const endpoint = await side.open();
    const listing = await scanSkills(endpoint);
    await applyChanges(endpoint, [write('skills/a.md', 'new', { expected: entryIn(listing, 'skills/a.md') })], { 'skills/a.md': 'new' });
    expect(await treeOf(side.home)).toEqual({ 'skills/a.md': 'new', 'elsewhere.md': 'shared content' });
  });
}
