import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunReport } from '../../shared/run-report';
import { momentOf } from './oracle';
import { World } from './world';

let world: World;
beforeEach(async () => {
  world = await World.make({ newSkills: 'bring', executableBits: true });
});
afterEach(() => world.place.tearDown());

const path = 'skills/a/SKILL.md';
const edit = (side: 'local' | 'remote') => world.carryOut({ do: 'edit', side, path, how: 'in place' });
const told = (paths: readonly string[]) =>
  ({ outcome: 'done', error: null, paths: paths.map((one) => ({ path: one, outcome: 'written' })) }) as unknown as RunReport;

/** What the oracle says when something happens between two moments that it takes for a run. */
async function saidOf(direction: 'push' | 'sync-back', act: () => Promise<void>, paths: readonly string[] = []): Promise<string> {
  const before = await momentOf(world.place);
  await act();
  const after = await momentOf(world.place);
  return world.oracle.expectAllowed({ direction, before, middle: before, after, report: told(paths) }).then(
    () => 'nothing',
    (error: Error) => error.message,
  );
}

describe('the oracle', () => {
  it('misses a content that is nowhere, and none that somebody gave up', async () => {
    await edit('local');
    await world.oracle.expectNothingLost();
    await edit('local');
    await world.oracle.expectNothingLost();
    await world.place.local.remove(path);
    await expect(world.oracle.expectNothingLost()).rejects.toThrow('lost: version 000002');
  });

  it('notices a change of the side that only sends', async () => {
    expect(await saidOf('push', () => world.place.local.write({ [path]: 'x' }))).toBe('a push changed the local side');
    expect(await saidOf('sync-back', () => world.place.remote.write({ [path]: 'x' }))).toBe('a sync-back changed the remote side');
  });

  it('notices content that the sender does not have, or that nobody agreed to replace', async () => {
    expect(await saidOf('push', () => world.place.remote.write({ [path]: 'made up' }))).toContain('it is not what the local side has');
    await edit('local');
    const text = (await momentOf(world.place)).local.files.get(path)?.text ?? '';
    expect(await saidOf('push', () => world.place.remote.write({ [path]: text }))).toContain('it was never agreed on');
    expect(await saidOf('push', () => world.place.remote.remove(path), [path])).toContain('it is not what the local side has');
  });

  it('notices bookkeeping that crosses, a removed file that comes back, and an untrue report', async () => {
    expect(await saidOf('push', () => world.place.remote.write({ 'skills/a/node_modules/m.js': 'm' }))).toContain('because of bookkeeping');
    await edit('local');
    await world.run('push');
    const text = (await momentOf(world.place)).local.files.get(path)?.text ?? '';
    await world.carryOut({ do: 'remove skill', side: 'remote', skill: 'a' });
    expect(await saidOf('push', () => world.place.remote.write({ [path]: text }), [path])).toContain('it had been removed there');
    world.oracle.forgetRemovals();
    await world.place.remote.remove(path);
    expect(await saidOf('push', () => world.place.remote.write({ [path]: text }))).toContain('told ,');
  });

  it('is content with a plain session and its convergence', async () => {
    await edit('local');
    await edit('remote');
    await world.run('push');
    await edit('remote');
    await world.run('sync-back');
    await world.converge();
    expect((await momentOf(world.place)).local.files.get(path)).toEqual((await momentOf(world.place)).remote.files.get(path));
  });
});
