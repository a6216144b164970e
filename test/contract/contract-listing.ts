import { describe, expect, it } from 'vitest';
import type { Endpoint, Listing } from '../../electron/engine/endpoint';
import type { EnginePath, ListedEntry } from '../../electron/engine/entry';
import { sha256 } from '../support/tree';
import { entryIn, listSkills, patience, plainRules, withHashes } from './contract-side';
import type { ContractContext } from './endpoint-contract';

const roots = ['skills'];

/** What a run knows at its end: every hash, under what the side calls it. */
async function learn(
  endpoint: Endpoint,
  listing: Listing,
): Promise<{ token: string | null; entries: ReadonlyMap<EnginePath, ListedEntry> }> {
  const { entries } = await withHashes(endpoint, listing);
  return { token: await endpoint.remember(patience), entries };
}

/** Names that quoting, splitting or normalizing would spoil. */
const oddNames = [
  'skills/a b/with  two spaces.md',
  'skills/-n/-rf',
  'skills/$(id)/`id`.md',
  'skills/it\'s/"quoted".md',
  'skills/new\nline/x\n.md',
  'skills/tab\there.md',
  'skills/🌊 tide/潮.md',
  'skills/*/[a-z]?.md',
  'skills/percent%s/%n.md',
  'skills/trailing /space .md',
  'skills/#!x/~/a.md',
  'skills/caf\u00e9.md',
  'skills/cafe\u0301.md',
];

/** Listing, memory, identity and totals. */
export function describeListing(side: ContractContext): void {
  describe('listing', () => {
    it('gives each file its path, size, time and execute bit', async () => {
      const mtime = Date.UTC(2025, 4, 6, 7, 8, 9);
      await side.home.write({
        'skills/a/SKILL.md': { text: 'twelve bytes', mtime },
        'skills/a/deep/er/run.sh': { text: '#!/bin/sh\n', executable: true, mtime },
        'elsewhere.md': 'not in a root',
      });
      const { entries, missingRoots, unreadable, identity } = await listSkills(await side.open());
      const seen = Object.fromEntries(
        [...entries].map(([path, { kind, size, mtime, executable }]) => [path, { kind, size, mtime, executable }]),
      );
      expect(seen).toEqual({
        'skills/a/SKILL.md': { kind: 'file', size: 12, mtime, executable: false },
        'skills/a/deep/er/run.sh': { kind: 'file', size: 10, mtime, executable: true },
      });
      expect({ missingRoots, unreadable, identity }).toEqual({ missingRoots: [], unreadable: [], identity: null });
    });

    it('gives odd names byte for byte, twins by Unicode form included', async () => {
      await side.home.write(Object.fromEntries(oddNames.map((path, index) => [path, 'x'.repeat(index + 1)])));
      const endpoint = await side.open();
      const { entries } = await listSkills(endpoint);
      expect([...entries.keys()].sort()).toEqual([...oddNames].sort());
      const hashes = await endpoint.hash(oddNames, patience);
      expect(hashes).toEqual(new Map(oddNames.map((path, index) => [path, sha256('x'.repeat(index + 1))])));
    });

    it('does not enter folders that the rules refuse, and lists refused files', async () => {
      await side.home.write({
        'skills/a/SKILL.md': 'in',
        'skills/a/.venv/lib/x.so': 'out',
        'skills/.hub/lock.json': 'out too',
        'skills/a/node_modules/p/index.js': 'and out',
        'skills/b/.git': 'gitdir: elsewhere',
        'skills/a/venv-guide.md': 'a name that only begins like one',
      });
      const { entries } = await listSkills(await side.open());
      expect([...entries.keys()].sort()).toEqual(['skills/a/SKILL.md', 'skills/a/venv-guide.md', 'skills/b/.git']);
    });

    it('tells an empty root from a missing one', async () => {
      await side.home.write({ skills: { folder: true } });
      const listing = await (await side.open()).list({ roots: ['skills', 'memories'], rules: plainRules, memory: null }, patience);
      expect([listing.entries.size, listing.missingRoots, listing.unreadable]).toEqual([0, ['memories'], []]);
    });

    it('hashes what lies there, and leaves out what does not', async () => {
      await side.home.write({ 'skills/a.md': 'one', 'skills/empty.md': '' });
      const endpoint = await side.open();
      await listSkills(endpoint);
      const hashes = await endpoint.hash(['skills/a.md', 'skills/gone.md', 'skills/empty.md'], patience);
      expect(hashes).toEqual(
        new Map([
          ['skills/a.md', sha256('one')],
          ['skills/empty.md', sha256('')],
        ]),
      );
    });

    if (side.sees.disk === true) describeDiskListing(side);
    if (side.sees.unreadable === true) {
      it('reports an unreadable folder as unreadable, not as empty', async () => {
        await side.home.write({ 'skills/a/SKILL.md': 'readable', 'skills/locked/SKILL.md': 'not readable' });
        if (side.side.withUnreadable === undefined) throw new Error('sees.unreadable needs withUnreadable');
        const listing = await side.side.withUnreadable('skills/locked', async () => listSkills(await side.open()));
        expect([...listing.entries.keys()]).toEqual(['skills/a/SKILL.md']);
        expect(listing.unreadable).toEqual(['skills/locked']);
      });
    }
  });

  describe('memory', () => {
    it('knows unchanged content without reading it', async () => {
      await side.home.write({ 'skills/a.md': 'one', 'skills/b.md': 'two two' });
      await side.home.settle();
      const first = await side.open();
      const memory = await learn(first, await listSkills(first));
      const listing = await (await side.open()).list({ roots, rules: plainRules, memory }, patience);
      expect([...listing.entries].map(([path, { hash }]) => [path, hash]).sort()).toEqual([
        ['skills/a.md', sha256('one')],
        ['skills/b.md', sha256('two two')],
      ]);
    });

    it('does not take a changed file for the remembered one', async () => {
      await side.home.write({ 'skills/a.md': 'one', 'skills/b.md': 'two two' });
      await side.home.settle();
      const first = await side.open();
      const memory = await learn(first, await listSkills(first));
      await side.home.write({ 'skills/a.md': 'one, longer now' });
      const second = await side.open();
      const listing = await second.list({ roots, rules: plainRules, memory }, patience);
      const { entries } = await learn(second, listing);
      expect([entries.get('skills/a.md')?.hash, entries.get('skills/b.md')?.hash]).toEqual([sha256('one, longer now'), sha256('two two')]);
    });

    if (side.sees.stealthEdits === true) {
      it('notices an edit of the same length with the time put back', async () => {
        await side.home.write({ 'skills/a.md': { text: 'old text', mtime: Date.UTC(2025, 1, 1) } });
        await side.home.settle();
        const first = await side.open();
        const memory = await learn(first, await listSkills(first));
        await side.home.stealthEdit('skills/a.md', 'new text');
        const second = await side.open();
        const listing = await second.list({ roots, rules: plainRules, memory }, patience);
        const { entries } = await learn(second, listing);
        expect(entries.get('skills/a.md')?.hash).toBe(sha256('new text'));
      });
    }
  });

  describe('identity and totals', () => {
    it('writes the identity once and keeps the first', async () => {
      await side.home.write({ skills: { folder: true } });
      expect(await (await side.open()).identify('first-identity', patience)).toBe('first-identity');
      const second = await side.open();
      expect(await second.identify('second-identity', patience)).toBe('first-identity');
      expect((await listSkills(await side.open())).identity).toBe('first-identity');
      expect([...(await side.home.read()).keys()].sort()).toEqual(['.ebbgate', '.ebbgate/id', 'skills']);
    });

    it('counts what lies in refused folders, by the outermost name', async () => {
      await side.home.write({
        'skills/a/SKILL.md': 'not counted',
        'skills/a/node_modules/p/index.js': '12345',
        'skills/a/node_modules/p/.git/config': '123',
        'skills/b/node_modules/q.js': '1',
        'skills/b/node_modules/.bin/q': { link: '../q.js' },
        'skills/.hub/lock.json': '1234567',
      });
      const endpoint = await side.open();
      const listing = endpoint.list({ roots, rules: plainRules, memory: null, counts: true }, patience);
      const totals = await endpoint.totals({ roots, rules: plainRules }, patience);
      await listing;
      expect(totals).toEqual({
        byTree: new Map([
          ['node_modules', { files: 4, bytes: 16 }],
          ['.hub', { files: 1, bytes: 7 }],
        ]),
        complete: true,
      });
    });

    it('counts nothing where nothing is refused', async () => {
      await side.home.write({ 'skills/a/SKILL.md': 'in' });
      const endpoint = await side.open();
      const request = { roots: ['skills', 'missing'], rules: plainRules };
      await endpoint.list({ ...request, memory: null, counts: true }, patience);
      const totals = await endpoint.totals(request, patience);
      expect(totals).toEqual({ byTree: new Map(), complete: true });
    });
  });
}

function describeDiskListing(side: ContractContext): void {
  it('lists links and pipes as such and never opens them', async () => {
    await side.home.write({
      'outside/secret.md': 'behind a link',
      'skills/file-link': { link: '../outside/secret.md' },
      'skills/folder-link': { link: '../outside' },
      'skills/loop': { link: '.' },
      'skills/dangling': { link: 'nowhere' },
      'skills/pipe': { fifo: true },
      'skills/a.md': 'plain',
    });
    const endpoint = await side.open();
    const { entries, unreadable } = await listSkills(endpoint);
    const kinds = Object.fromEntries([...entries].map(([path, { kind }]) => [path, kind]));
    expect(kinds).toEqual({
      'skills/file-link': 'link',
      'skills/folder-link': 'link',
      'skills/loop': 'link',
      'skills/dangling': 'link',
      'skills/pipe': 'other',
      'skills/a.md': 'file',
    });
    expect(unreadable).toEqual([]);
    // What the remote gives is checked here; what leaves this computer is not checked by anyone else.
    const beyond = endpoint.side === 'local' ? ['skills/file-link', 'skills/pipe', 'skills/folder-link/secret.md'] : [];
    const hashes = await endpoint.hash([...beyond, 'skills/a.md'], patience);
    expect(hashes).toEqual(new Map([['skills/a.md', sha256('plain')]]));
  });

  it('follows a root that is a link to a folder', async () => {
    await side.home.write({ 'real/a/SKILL.md': 'through the root', skills: { link: 'real' } });
    const listing = await listSkills(await side.open());
    expect([...listing.entries.keys()]).toEqual(['skills/a/SKILL.md']);
    expect(entryIn(listing, 'skills/a/SKILL.md').size).toBe(16);
  });
}
