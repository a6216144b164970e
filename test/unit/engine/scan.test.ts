import { describe, expect, it } from 'vitest';
import type { Listing } from '../../../electron/engine/endpoint';
import { refuseObstructed, refuseTwins, scan } from '../../../electron/engine/scan';
import type { Rules } from '../../../shared/rules';
import { createMemoryEndpoint, type MemoryOptions } from '../../support/memory-endpoint';
import { createMemoryHome } from '../../support/memory-home';
import type { Tree } from '../../support/tree';
import { foldingRules, plainRules } from './entries';

const patience = new AbortController().signal;
const scanned = (tree: Tree, { rules = plainRules, ...options }: Partial<MemoryOptions> & { readonly rules?: Rules } = {}) =>
  scan(
    createMemoryEndpoint({ side: 'remote', home: createMemoryHome(tree), ...options }),
    { roots: ['skills'], rules, memory: null },
    patience,
  );
const reasons = ({ refused }: { readonly refused: readonly { readonly path: string; readonly refusal: { readonly rule: string } }[] }) =>
  Object.fromEntries(refused.map(({ path, refusal }) => [path, refusal.rule]));

describe('scan', () => {
  it('judges everything here, whatever the side listed', async () => {
    const found = await scanned({
      'skills/a/SKILL.md': 'in',
      'skills/.usage.json': 'guarded',
      'skills/a/x.db': 'refused by name',
      'skills/a/link': { link: 'SKILL.md' },
      'skills/a/pipe': { fifo: true },
      'skills/a/.git': 'a file of that name',
    });
    expect([...found.files.keys()].sort()).toEqual(['skills/.usage.json', 'skills/a/SKILL.md']);
    expect(reasons(found)).toEqual({
      'skills/a/x.db': 'database',
      'skills/a/link': 'symbolic-link',
      'skills/a/pipe': 'special-file',
      'skills/a/.git': 'excluded-name',
    });
  });

  it('gains nothing from a side that lists what the rules exclude, or what lies outside the roots', async () => {
    const home = createMemoryHome({ 'skills/a.md': 'in' });
    const honest = createMemoryEndpoint({ side: 'remote', home });
    const bad = ['skills/.git/config', 'skills/../.ssh/id', '/etc/passwd', '.env', 'skillset/a.md', 'skills\\b.md', 'skills', ''];
    const list = async (...args: Parameters<typeof honest.list>): Promise<Listing> => {
      const listing = await honest.list(...args);
      const entry = listing.entries.get('skills/a.md');
      if (entry === undefined) throw new Error('not listed');
      return { ...listing, entries: new Map([...listing.entries, ...bad.map((path) => [path, { ...entry, hash: 'claimed' }] as const)]) };
    };
    const found = await scan({ ...honest, list }, { roots: ['skills'], rules: plainRules, memory: null }, patience);
    expect([...found.files.keys()]).toEqual(['skills/a.md']);
    expect(found.refused.map(({ path }) => path)).toEqual(bad);
  });

  it('hashes only what is in scope and not known, and remembers what it found', async () => {
    const home = createMemoryHome({ 'skills/a.md': 'one', 'skills/x.db': 'two' });
    const first = createMemoryEndpoint({ side: 'local', home });
    const found = await scan(first, { roots: ['skills'], rules: plainRules, memory: null }, patience);
    expect(first.hashed).toEqual(['skills/a.md']);
    const second = createMemoryEndpoint({ side: 'local', home });
    const again = await scan(second, { roots: ['skills'], rules: plainRules, memory: { token: null, entries: found.listed } }, patience);
    expect([second.hashed, again.files]).toEqual([[], found.files]);
  });

  it('takes what could be listed but not read for unknown, never for gone', async () => {
    const home = createMemoryHome({ 'skills/a.md': 'one', 'skills/b.md': 'two' });
    const unreadable = new Set<string>();
    const afterList = async () => void unreadable.add('skills/b.md');
    const endpoint = createMemoryEndpoint({ side: 'local', home, unreadable, afterList });
    const found = await scan(endpoint, { roots: ['skills'], rules: plainRules, memory: null }, patience);
    expect([[...found.files.keys()], found.unknown]).toEqual([['skills/a.md'], ['skills/b.md']]);
  });
});

describe('refuseTwins', () => {
  const folding = { rules: foldingRules };
  it('lets the spelling in that exists here, and refuses the others', async () => {
    const local = await scanned({ 'skills/a/README.md': 'here' }, folding);
    const remote = await scanned({ 'skills/a/README.md': 'x', 'skills/a/readme.md': 'y', 'skills/A/new.md': 'z' }, folding);
    const found = refuseTwins(remote, local, foldingRules);
    expect([...found.files.keys()]).toEqual(['skills/a/README.md']);
    expect(reasons(found)).toEqual({ 'skills/a/readme.md': 'twin', 'skills/A/new.md': 'twin' });
  });

  it('refuses all spellings where none exists here, by case, by Unicode form, and of folders', async () => {
    const local = await scanned({ 'skills/other.md': 'here' }, folding);
    const remote = await scanned(
      {
        'skills/B.md': 'x',
        'skills/b.md': 'y',
        'skills/caf\u00e9.md': 'x',
        'skills/cafe\u0301.md': 'y',
        'skills/F/1.md': 'x',
        'skills/f/2.md': 'y',
        'skills/one.md': 'z',
      },
      folding,
    );
    const found = refuseTwins(remote, local, foldingRules);
    expect([...found.files.keys()]).toEqual(['skills/one.md']);
    expect(new Set(Object.values(reasons(found)))).toEqual(new Set(['twin']));
  });

  it('refuses nothing where the disk tells names apart', async () => {
    const remote = await scanned({ 'skills/B.md': 'x', 'skills/b.md': 'y' });
    expect(refuseTwins(remote, await scanned({}), plainRules)).toBe(remote);
  });
});

describe('refuseObstructed', () => {
  it('refuses what lies at or below an entry that is refused on the other side, and says where the reason lies', async () => {
    const sender = await scanned({ 'skills/a/SKILL.md': 'x', 'skills/p.md': 'y', 'skills/ab.md': 'z' });
    const receiver = await scanned({ 'skills/a': { link: 'elsewhere' }, 'skills/p.md': { fifo: true } });
    const found = refuseObstructed(sender, receiver, 'on the remote');
    expect([...found.files.keys()]).toEqual(['skills/ab.md']);
    const refusal = (rule: string, match: string) => ({ kind: 'refused', rule, owner: 'app', match: `${match} on the remote` });
    expect(found.refused).toEqual([
      { path: 'skills/a/SKILL.md', bytes: 1, refusal: refusal('symbolic-link', 'symbolic link') },
      { path: 'skills/p.md', bytes: 1, refusal: refusal('special-file', 'socket, pipe or device') },
    ]);
    expect(refuseObstructed(sender, await scanned({}), 'on the remote')).toBe(sender);
  });
});
