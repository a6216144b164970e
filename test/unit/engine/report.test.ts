import { describe, expect, it } from 'vitest';
import { listPaths, outcomeOf } from '../../../electron/engine/report';
import type { PathOutcome, PathReport, Stop } from '../../../shared/run-report';
import { createWorld } from './whole-run';

const line = (path: string, outcome: PathOutcome): PathReport => ({ path, outcome, change: 'update', bytes: 1, reason: 'r' });
const stop: Stop = { guard: 'mass-delete', message: 'm', details: {} };

describe('outcomeOf', () => {
  it.each<readonly [string, Stop | null, readonly PathOutcome[], string]>([
    ['nothing to do is done', null, [], 'done'],
    ['written and removed is done', null, ['written', 'removed'], 'done'],
    ['refused changes nothing', null, ['refused'], 'done'],
    ['a conflict holds', null, ['written', 'conflict', 'refused'], 'held'],
    ['anything held holds', null, ['written', 'held'], 'held'],
    ['one failed path makes it partly, whatever else waits', null, ['conflict', 'failed', 'written'], 'partly'],
    ['a stop comes first', stop, ['failed', 'conflict'], 'stopped'],
  ])('%s', (_sentence, stopped, outcomes, expected) => {
    const paths = outcomes.map((outcome, index) => line(`skills/${index}`, outcome));
    expect(outcomeOf(stopped, paths)).toBe(expected);
  });
});

describe('listPaths', () => {
  it('puts what needs attention first, then goes by name', () => {
    const paths = [
      line('skills/z', 'written'),
      line('skills/y', 'refused'),
      line('skills/b', 'failed'),
      line('skills/x', 'removed'),
      line('skills/a', 'written'),
      line('skills/w', 'held'),
      line('skills/v', 'conflict'),
      line('skills/a', 'failed'),
    ];
    const listed = listPaths(paths).paths.map(({ path, outcome }) => `${outcome} ${path.slice(-1)}`);
    expect(listed).toEqual(['failed a', 'failed b', 'conflict v', 'held w', 'written a', 'written z', 'removed x', 'refused y']);
  });

  it('lists 5000 at most and counts the others, so that what needs attention is never among them', () => {
    const many = Array.from({ length: 5000 }, (_, index) => line(`skills/${String(index).padStart(4, '0')}`, 'refused'));
    expect(listPaths(many)).toMatchObject({ pathsOmitted: 0, paths: { length: 5000 } });
    const more = listPaths([...many, line('skills/z', 'failed'), line('skills/z', 'written')]);
    expect([more.pathsOmitted, more.paths.length, more.paths[0]?.outcome, more.paths[4999]?.path]).toEqual([
      2,
      5000,
      'failed',
      'skills/4997',
    ]);
  });
});

describe('the lines of a run', () => {
  it('give every path its change, its bytes and a reason that names the side', async () => {
    const world = createWorld({ 'skills/same.md': 's', 'skills/gone.md': 'leaves' }, { 'skills/edited.md': 'old' });
    await world.push();
    await world.syncBack();
    await world.remote.remove('skills/gone.md');
    await world.remote.write({ 'skills/edited.md': 'changed', 'skills/new.md': 'new', 'skills/x.db': 'data' });
    const { paths, pathsOmitted } = await world.syncBack();
    expect(paths).toEqual([
      { path: 'skills/edited.md', outcome: 'written', change: 'update', bytes: 7, reason: 'changed on the remote' },
      { path: 'skills/new.md', outcome: 'written', change: 'create', bytes: 3, reason: 'new on the remote' },
      { path: 'skills/gone.md', outcome: 'removed', change: 'delete', bytes: 6, reason: 'removed on the remote' },
      { path: 'skills/x.db', outcome: 'refused', change: 'create', bytes: 4, reason: 'database: *.db' },
    ]);
    expect(pathsOmitted).toBe(0);
    await world.local.write({ 'skills/same.md': 'other', 'skills/out.md': '1' });
    expect((await world.push()).paths).toEqual([
      { path: 'skills/out.md', outcome: 'written', change: 'create', bytes: 1, reason: 'new on this computer' },
      { path: 'skills/same.md', outcome: 'written', change: 'update', bytes: 5, reason: 'changed on this computer' },
    ]);
  });

  it('say why a change failed', async () => {
    const world = createWorld({ 'skills/a.md': 'one', 'skills/b.md': 'two' }, { 'skills/c.md': 'x' });
    const { paths, outcome } = await world.push({ remote: { failing: new Map([['skills/b.md', 'the disk is full']]) } });
    expect([outcome, paths[0]]).toEqual([
      'partly',
      { path: 'skills/b.md', outcome: 'failed', change: 'create', bytes: 3, reason: 'the disk is full' },
    ]);
  });
});
