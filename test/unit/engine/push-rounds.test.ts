import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../../electron/engine/endpoint';
import type { Tree } from '../../support/tree';
import { agreements } from './entries';
import { createWorld, type World } from './whole-run';

describe('a push during which files are saved', () => {
  /** Saves `skills/a.md` anew whenever files are read, so many times; `others` are saved with the first of them. */
  const savedWhileRead = (world: World, times: number, others: Tree = {}) => {
    let saves = 0;
    return (endpoint: Endpoint): Endpoint => ({
      ...endpoint,
      read: async function* (files, signal) {
        if (saves < times) await world.local.write({ ...(saves === 0 ? others : {}), 'skills/a.md': `saved meanwhile: ${saves + 1}` });
        saves += 1;
        yield* endpoint.read(files, signal);
      },
    });
  };

  it('sends a file that changes between the comparison and the reading in another round of the same run', async () => {
    const world = createWorld({ 'skills/a.md': 'A', 'skills/b.md': 'b as it stays' }, {});
    const { outcome, became, baseline, ledger, calls } = await world.push({ around: savedWhileRead(world, 1) });
    expect([outcome, became]).toEqual(['done', { 'skills/a.md': 'written', 'skills/b.md': 'written' }]);
    expect((await world.contents()).remote).toEqual({ 'skills/a.md': 'saved meanwhile: 1', 'skills/b.md': 'b as it stays' });
    expect(baseline?.entries).toEqual(agreements({ 'skills/a.md': 'saved meanwhile: 1', 'skills/b.md': 'b as it stays' }));
    expect([ledger.written, ledger.transferred]).toEqual([
      { files: 2, bytes: 31 },
      { files: 3, bytes: 49 },
    ]);
    const round = ['prepare', 'remote.apply', 'remote.remember'];
    expect(calls).toEqual(['remote.identify', ...round, ...round]);
    expect((await world.push()).sent).toEqual([]);
  });

  it('records no file that changes in all three rounds, and sends it with the next run', async () => {
    const world = createWorld({ 'skills/a.md': 'A', 'skills/b.md': 'b as it stays' }, {});
    const { outcome, paths, became, baseline } = await world.push({ around: savedWhileRead(world, 3) });
    expect([outcome, became]).toEqual(['partly', { 'skills/a.md': 'failed', 'skills/b.md': 'written' }]);
    expect(paths[0]?.reason).toBe('it changed while it was read');
    expect(baseline?.entries).toEqual(agreements({ 'skills/b.md': 'b as it stays' }));
    expect((await world.push()).became).toEqual({ 'skills/a.md': 'written' });
    expect((await world.contents()).remote['skills/a.md']).toBe('saved meanwhile: 3');
  });

  it('decides anew in another round: what the remote changed meanwhile is a conflict, and a guard still stops', async () => {
    const world = createWorld({ 'skills/a.md': 'A' }, {});
    await world.push();
    await world.local.write({ 'skills/a.md': 'changed here' });
    const atTheRemote = (endpoint: Endpoint): Endpoint =>
      endpoint.side === 'local'
        ? savedWhileRead(world, 1)(endpoint)
        : {
            ...endpoint,
            remember: async (signal) => {
              await world.remote.write({ 'skills/a.md': 'changed there' });
              return endpoint.remember(signal);
            },
          };
    const held = await world.push({ around: atTheRemote });
    expect([held.outcome, held.became]).toEqual(['held', { 'skills/a.md': 'conflict' }]);
    expect((await world.contents()).remote).toEqual({ 'skills/a.md': 'changed there' });

    const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`skills/s${index}/SKILL.md`, `skill ${index}`]));
    const other = createWorld(many, {});
    await other.push();
    await other.local.write({ 'skills/a.md': 'new' });
    const emptied = (endpoint: Endpoint): Endpoint =>
      endpoint.side === 'remote'
        ? endpoint
        : {
            ...endpoint,
            read: async function* (files, signal) {
              await other.local.write({ 'skills/a.md': 'newer' });
              for (let index = 0; index < 10; index += 1) await other.local.remove(`skills/s${index}`);
              yield* endpoint.read(files, signal);
            },
          };
    const stopped = await other.push({ around: emptied });
    expect([stopped.outcome, stopped.stop, stopped.became]).toEqual(['partly', null, { 'skills/a.md': 'failed' }]);
    expect((await other.contents()).remote).toEqual(many);
  });

  it('reports what the first round did when the next one breaks off, and what it was about to do stays recorded', async () => {
    const world = createWorld({ 'skills/a.md': 'A', 'skills/b.md': 'b as it stays' }, {});
    let applies = 0;
    const around = (endpoint: Endpoint): Endpoint => {
      if (endpoint.side === 'local') return savedWhileRead(world, 1)(endpoint);
      return {
        ...endpoint,
        apply: (request, signal) => {
          applies += 1;
          return applies === 1 ? endpoint.apply(request, signal) : Promise.reject(new Error('the link broke'));
        },
      };
    };
    const { failure, became, baseline } = await world.push({ around });
    expect([String(failure), baseline]).toEqual(['Error: the link broke', null]);
    expect(became).toEqual({ 'skills/a.md': 'failed', 'skills/b.md': 'written' });
    expect(world.found).toMatchObject({
      baseline: {
        entries: agreements({ 'skills/b.md': 'b as it stays' }),
        pending: { entries: agreements({ 'skills/a.md': 'saved meanwhile: 1' }) },
      },
    });
    expect((await world.push()).outcome).toBe('done');
  });
});
