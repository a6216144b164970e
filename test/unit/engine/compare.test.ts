import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Endpoint } from '../../../electron/engine/endpoint';
import { createRules } from '../../../shared/rules';
import type { Guard } from '../../../shared/run-report';
import type { Tree } from '../../support/tree';
import { foldingRules } from './entries';
import { createWorld, type World } from './whole-run';

afterEach(() => {
  vi.useRealTimers();
});

const allow = (...guards: readonly Guard[]) => new Set<Guard>(guards);
const forty: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from({ length: 40 }, (_, index) => [`skills/s${index}/SKILL.md`, `skill ${index}`]),
);

async function agreedWorld(tree: Tree): Promise<World> {
  const world = createWorld(tree, {});
  await world.push();
  return world;
}

describe('a remote that was rebuilt', () => {
  it('stops both runs, empty or not, and nothing is deleted here', async () => {
    const world = await agreedWorld(forty);
    await world.remote.remove('skills');
    await world.remote.remove('.ebbgate');
    for (const run of [world.push, world.syncBack]) expect((await run()).stop?.guard).toBe('remote-empty');
    await world.remote.write({ 'skills/.keep': '' });
    for (const run of [world.push, world.syncBack]) {
      const { stop, calls } = await run();
      expect([stop?.guard, calls]).toEqual(['identity-changed', []]);
    }
    expect((await world.contents()).local).toEqual(forty);
  });

  it('is filled anew when that is let through, and nothing is deleted on either side', async () => {
    const world = await agreedWorld(forty);
    await world.remote.remove('skills');
    await world.remote.remove('.ebbgate');
    await world.remote.write({ 'skills/.keep': 'of the new machine' });
    const through = await world.syncBack({ allow: allow('identity-changed') });
    expect([through.outcome, through.became]).toEqual(['done', { 'skills/.keep': 'written' }]);
    await world.push({ allow: allow('identity-changed') });
    expect(await world.contents()).toEqual({
      local: { ...forty, 'skills/.keep': 'of the new machine' },
      remote: { ...forty, 'skills/.keep': 'of the new machine' },
    });
  });

  it('does not delete much here when its marker survived', async () => {
    const world = await agreedWorld(forty);
    for (let index = 1; index < 40; index += 1) await world.remote.remove(`skills/s${index}`);
    const { stop } = await world.syncBack();
    expect([stop?.guard, stop?.details]).toEqual(['mass-delete', { removed: 39, total: 40 }]);
    expect((await world.contents()).local).toEqual(forty);
  });
});

describe('an unreadable baseline', () => {
  it('deletes nothing, calls differences conflicts, and says so', async () => {
    const world = await agreedWorld({ 'skills/a.md': 'A', 'skills/b.md': 'B', 'skills/removed.md': 'x' });
    await world.remote.write({ 'skills/agent-made/SKILL.md': 'made there', 'skills/b.md': 'edited there' });
    await world.local.remove('skills/removed.md');
    world.found = { kind: 'unreadable', problem: 'its checksum does not match' };
    const { outcome, became, notes, hashed } = await world.push({ allow: allow() });
    expect([outcome, became]).toEqual(['held', { 'skills/b.md': 'conflict' }]);
    expect(notes).toEqual([expect.stringContaining('could not be read (its checksum does not match) and was set aside')]);
    expect([...hashed].sort()).toEqual(['a', 'agent-made/SKILL', 'a', 'b', 'b', 'removed'].map((name) => `skills/${name}.md`).sort());
    expect((await world.contents()).remote).toEqual({
      'skills/a.md': 'A',
      'skills/b.md': 'edited there',
      'skills/removed.md': 'x',
      'skills/agent-made/SKILL.md': 'made there',
    });
  });
});

describe('rules that changed since the last run', () => {
  const matches = (path: string) => (path.startsWith('skills/old/') || path === 'skills/old' ? 'old/' : null);
  const stricter = createRules({ platform: 'posix', folds: { case: false, unicode: false }, userRules: { patterns: ['old/'], matches } });
  const tree = { 'skills/old/SKILL.md': 'old', 'skills/a.md': 'A' };

  it('delete nothing on either side: what left the scope drops out of the baseline', async () => {
    for (const direction of ['push', 'syncBack'] as const) {
      const world = await agreedWorld(tree);
      await world[direction === 'push' ? 'local' : 'remote'].remove('skills/old');
      const { became, notes, baseline } = await world[direction]({ rules: stricter });
      expect([became, [...(baseline?.entries.keys() ?? [])]]).toEqual([{}, ['skills/a.md']]);
      expect(notes).toEqual([expect.stringContaining('The rules changed since the last session.')]);
      const contents = await world.contents();
      expect(contents[direction === 'push' ? 'remote' : 'local']).toEqual(tree);
      expect((await world[direction]({ rules: stricter })).notes).toEqual([]);
    }
  });

  it('take what comes back into scope for new', async () => {
    const world = await agreedWorld(tree);
    await world.push({ rules: stricter });
    await world.remote.write({ 'skills/old/SKILL.md': 'edited meanwhile', 'skills/old/more.md': 'new there' });
    const { became } = await world.syncBack();
    expect(became).toEqual({ 'skills/old/SKILL.md': 'conflict', 'skills/old/more.md': 'written' });
  });
});

describe('a disk that takes some names for one', () => {
  it('gets no twins, and keeps the spelling it has', async () => {
    const world = createWorld({ 'skills/a/README.md': 'here' }, {});
    await world.push({ rules: foldingRules });
    await world.remote.write({ 'skills/a/readme.md': 'twin', 'skills/B.md': 'x', 'skills/b.md': 'y', 'skills/one.md': 'z' });
    const { became, outcome } = await world.syncBack({ rules: foldingRules });
    expect([outcome, became]).toEqual([
      'done',
      { 'skills/one.md': 'written', 'skills/B.md': 'refused', 'skills/a/readme.md': 'refused', 'skills/b.md': 'refused' },
    ]);
    expect((await world.contents()).local).toEqual({ 'skills/a/README.md': 'here', 'skills/one.md': 'z' });
  });
});

describe('a link in the way', () => {
  it('is named with its side, in either direction, and is neither replaced nor followed', async () => {
    const there = createWorld({ 'skills/a/SKILL.md': 'mine', 'skills/b.md': 'B' }, { 'skills/a': { link: '/opt/skill' } });
    const pushed = await there.push();
    expect(pushed.became).toEqual({ 'skills/a/SKILL.md': 'refused', 'skills/b.md': 'written' });
    expect(pushed.paths.find(({ outcome }) => outcome === 'refused')?.reason).toBe('symbolic-link: symbolic link on the remote');
    expect((await there.remote.read()).get('skills/a')).toEqual({ kind: 'link', to: '/opt/skill' });
    const here = createWorld({ 'skills/a': { link: '../dev/a' } }, { 'skills/a/SKILL.md': 'theirs' });
    const brought = await here.syncBack();
    expect([brought.outcome, brought.became, brought.ledger.unchanged.files]).toEqual(['done', { 'skills/a/SKILL.md': 'refused' }, 0]);
    expect(brought.paths[0]?.reason).toBe('symbolic-link: symbolic link on this computer');
  });
});

describe('the totals of refused folders', () => {
  const withTotals = (totals: Endpoint['totals']) => (endpoint: Endpoint) => ({ ...endpoint, totals });

  it('are an estimate when the walk fails, and the run goes on', async () => {
    const world = createWorld({ 'skills/a.md': 'A' }, {});
    const { outcome, ledger } = await world.push({ around: withTotals(async () => Promise.reject(new Error('no tools'))) });
    expect([outcome, ledger.refused.estimated]).toEqual(['done', true]);
  });

  it('are waited for no longer than two seconds, and the walk is then told to end', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const world = createWorld({ 'skills/a.md': 'A' }, {});
    let told = false;
    const endless: Endpoint['totals'] = (_request, signal) =>
      new Promise(() => {
        signal.addEventListener('abort', () => {
          told = true;
        });
      });
    const running = world.push({ around: withTotals(endless) });
    await vi.advanceTimersByTimeAsync(1999);
    expect(told).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect([(await running).ledger.refused.estimated, told]).toEqual([true, true]);
  });

  it('are waited for from the moment both sides are listed, however slow the machine is', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const world = createWorld({ 'skills/a.md': 'A' }, {});
    const wait = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    const slow = (endpoint: Endpoint): Endpoint => ({
      ...endpoint,
      list: async (...request) => wait(10).then(() => endpoint.list(...request)),
      totals: async () => wait(11).then(() => ({ byTree: new Map([['.git', { files: 3, bytes: 30 }]]), complete: true })),
    });
    const running = world.push({ around: slow });
    await vi.advanceTimersByTimeAsync(11_000);
    expect((await running).ledger.refused).toMatchObject({ files: 3, bytes: 30, estimated: false });
  });

  it('are not counted on when a side cannot be listed', async () => {
    const world = createWorld({ 'skills/a.md': 'A' }, {});
    let told = false;
    const broken = (endpoint: Endpoint): Endpoint => ({
      ...endpoint,
      list: async () => Promise.reject(new Error('unplugged')),
      totals: (_request, signal) =>
        new Promise(() => {
          signal.addEventListener('abort', () => {
            told = true;
          });
        }),
    });
    await expect(world.push({ around: broken })).rejects.toThrow('unplugged');
    expect(told).toBe(true);
  });
});

const anyTree = fc.dictionary(
  fc.constantFrom('a/SKILL.md', 'a/x.md', 'b.md', 'c/d/e.md', '.usage.json').map((name) => `skills/${name}`),
  fc.constantFrom('A', 'Bb', 'Ccc'),
);

describe('whole runs over any two homes', () => {
  it('converge but for what waits, and lose nothing that differs from what was agreed', async () => {
    const everything = allow('first-session', 'local-empty', 'remote-empty', 'mass-delete', 'mass-change');
    const property = fc.asyncProperty(anyTree, anyTree, anyTree, async (start, local, remote) => {
      const world = await agreedWorld(start);
      await world.syncBack();
      for (const [side, tree] of [
        [world.local, local],
        [world.remote, remote],
      ] as const) {
        await side.remove('skills');
        await side.write(tree);
      }
      await world.push({ allow: everything });
      const brought = await world.syncBack({ allow: everything });
      // A side that became empty starts over: what only the other one has is new then, and goes out once more.
      const sent = await world.push({ allow: everything });
      const became = { ...brought.became, ...sent.became };
      const after = await world.contents();
      const settled = Object.keys({ ...start, ...local, ...remote }).filter(
        (path) => !(path in became) || became[path] === 'written' || became[path] === 'removed',
      );
      const guarded = 'skills/.usage.json';
      for (const path of settled) if (path !== guarded) expect([path, after.local[path]]).toEqual([path, after.remote[path]]);
      for (const [path, text] of [...Object.entries(local), ...Object.entries(remote)])
        if (text !== start[path]) expect([after.local[path], after.remote[path]]).toContain(text);
    });
    await fc.assert(property);
  });
});
