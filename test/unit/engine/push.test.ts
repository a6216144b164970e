import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../../electron/engine/endpoint';
import { AppError } from '../../../shared/errors';
import type { Guard } from '../../../shared/run-report';
import { agreements } from './entries';
import { createWorld } from './whole-run';

const allow = (...guards: readonly Guard[]) => new Set<Guard>(guards);

describe('a first push', () => {
  it('sends what is in scope, leaves a marker and what is only there, and is done', async () => {
    const local = {
      'skills/a/SKILL.md': 'skill',
      'skills/a/run.sh': { text: 'sh', executable: true },
      'skills/.hub/lock.json': 'kept here',
    };
    const world = createWorld(local, { 'skills/made-there/SKILL.md': 'theirs alone' });
    const { outcome, became, ledger, calls, baseline } = await world.push();
    expect((await world.contents()).remote).toEqual({
      'skills/a/SKILL.md': 'skill',
      'skills/a/run.sh': 'sh',
      'skills/made-there/SKILL.md': 'theirs alone',
    });
    expect((await world.remote.read()).get('skills/a/run.sh')).toMatchObject({ mode: 0o755 });
    expect([outcome, became]).toEqual(['done', { 'skills/a/SKILL.md': 'written', 'skills/a/run.sh': 'written' }]);
    expect(ledger).toMatchObject({ onRemote: { files: 0 }, refused: { files: 1, bytes: 9 }, transferred: { files: 2, bytes: 7 } });
    expect(calls).toEqual(['remote.identify', 'prepare', 'remote.apply', 'remote.remember']);
    expect([baseline?.identity.marker, baseline?.pending]).toEqual(['the marker', null]);
  });

  it('asks before anything moves, and writes nothing until it is let through', async () => {
    const world = createWorld({ 'skills/a.md': 'one' }, {});
    const { outcome, stop, calls, baseline, memories, paths } = await world.push({ allow: allow() });
    expect([outcome, stop?.guard, calls, baseline, memories, paths]).toEqual(['stopped', 'first-session', [], null, null, []]);
    expect(stop?.message).toContain('The remote has no Hermes home yet; it will be created.');
    expect((await world.contents()).remote).toEqual({});
  });

  it('keeps differing remote files, and their versions in the inbox', async () => {
    const world = createWorld({ 'skills/a.md': 'local' }, { 'skills/a.md': 'of the remote' });
    const { outcome, became } = await world.push();
    expect([outcome, became]).toEqual(['held', { 'skills/a.md': 'conflict' }]);
    expect(await world.contents()).toEqual({ local: { 'skills/a.md': 'local' }, remote: { 'skills/a.md': 'of the remote' } });
    expect(world.inbox.waiting()).toEqual({ 'skills/a.md': 'conflict: of the remote' });
  });
});

describe('a push', () => {
  it('with nothing changed sends and hashes nothing', async () => {
    const world = createWorld({ 'skills/a.md': 'one', 'skills/b.md': 'two' }, {});
    await world.push();
    await world.push();
    const { sent, hashed, outcome, ledger, calls } = await world.push();
    expect([sent, hashed, outcome, calls]).toEqual([[], [], 'done', ['remote.remember']]);
    expect([ledger.unchanged, ledger.transferred]).toEqual([
      { files: 2, bytes: 6 },
      { files: 0, bytes: 0 },
    ]);
  });

  it('only says what it would do when asked for that, without the question of a first session', async () => {
    const world = createWorld({ 'skills/a.md': 'one' }, { 'skills/b.md': 'two' });
    const before = await world.contents();
    const { outcome, became, calls, sent, baseline, memories, ledger } = await world.push({ dryRun: true, allow: allow() });
    expect([outcome, became, calls, sent, baseline, memories]).toEqual(['done', { 'skills/a.md': 'written' }, [], [], null, null]);
    expect([ledger.written, ledger.transferred]).toEqual([
      { files: 0, bytes: 0 },
      { files: 0, bytes: 0 },
    ]);
    expect([await world.contents(), world.inbox.fetched]).toEqual([before, []]);
  });

  it('removes there what was removed here, and nothing else of that folder', async () => {
    const world = createWorld({ 'skills/tmp/SKILL.md': 'skill', 'skills/tmp/b.md': 'two', 'skills/keep.md': 'k' }, {});
    await world.push();
    await world.local.remove('skills/tmp');
    await world.remote.write({ 'skills/tmp/made-there.md': 'stays', 'skills/tmp/b.md': 'edited there' });
    const { became, outcome } = await world.push();
    expect([outcome, became]).toEqual(['held', { 'skills/tmp/SKILL.md': 'removed', 'skills/tmp/b.md': 'conflict' }]);
    expect((await world.contents()).remote).toEqual({
      'skills/keep.md': 'k',
      'skills/tmp/made-there.md': 'stays',
      'skills/tmp/b.md': 'edited there',
    });
  });

  it('records the bytes that were sent, so that a save during the upload is never overwritten later', async () => {
    const world = createWorld({ 'skills/a.md': 'A' }, {});
    const around = (endpoint: Endpoint): Endpoint => ({
      ...endpoint,
      apply: async (request, signal) => {
        const applied = await endpoint.apply(request, signal);
        await world.local.write({ 'skills/a.md': 'saved meanwhile' });
        return applied;
      },
    });
    const { baseline } = await world.push({ around });
    expect(baseline?.entries).toEqual(agreements({ 'skills/a.md': 'A' }));
    expect((await world.syncBack()).became).toEqual({});
    expect((await world.contents()).local).toEqual({ 'skills/a.md': 'saved meanwhile' });
    expect((await world.push()).became).toEqual({ 'skills/a.md': 'written' });
  });

  it('fails what could not be read any more, and records the rest', async () => {
    const world = createWorld({ 'skills/a.md': 'one', 'skills/b.md': 'two' }, {});
    const { became, outcome, baseline } = await world.push({ local: { afterList: async () => world.local.remove('skills/a.md') } });
    // Nothing is known about it: the listing named it, and its content could not be hashed any more.
    expect([outcome, became]).toEqual(['partly', { 'skills/a.md': 'failed', 'skills/b.md': 'written' }]);
    expect(baseline?.entries).toEqual(agreements({ 'skills/b.md': 'two' }));
  });

  it('leaves guarded files that differ there, and sends those that are missing there', async () => {
    const world = createWorld({ 'skills/.usage.json': 'here', 'skills/.curator_state': 'new' }, { 'skills/.usage.json': 'that machine' });
    const { outcome, became } = await world.push();
    expect([outcome, became]).toEqual(['done', { 'skills/.curator_state': 'written' }]);
    expect((await world.contents()).remote).toEqual({ 'skills/.usage.json': 'that machine', 'skills/.curator_state': 'new' });
  });

  it('writes nothing when it could not be recorded what it is about to do', async () => {
    const world = createWorld({ 'skills/a.md': 'one' }, {});
    Object.defineProperty(world, 'found', {
      get: () => ({ kind: 'none' }),
      set: () => {
        throw new Error('the data folder is full');
      },
    });
    await expect(world.push()).rejects.toThrow('the data folder is full');
    expect((await world.contents()).remote).toEqual({});
  });

  it('ends before it writes when it is cancelled', async () => {
    const world = createWorld({ 'skills/a.md': 'one' }, {});
    const controller = new AbortController();
    const afterList = async () => controller.abort();
    const running = world.push({ remote: { afterList }, signal: controller.signal });
    await expect(running).rejects.toEqual(new AppError('run.cancelled', {}));
    expect((await world.contents()).remote).toEqual({});
  });
});

describe('a push that looks like an accident', () => {
  const forty = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`skills/s${index}/SKILL.md`, `skill ${index}`]));

  it('does not take an empty local folder for the wish to remove everything', async () => {
    const world = createWorld(forty, {});
    await world.push();
    await world.local.remove('skills');
    const { stop, outcome, calls } = await world.push();
    expect([outcome, stop?.guard, stop?.details, calls]).toEqual(['stopped', 'local-empty', { root: 'skills', known: 40, found: 0 }, []]);
    expect((await world.contents()).remote).toEqual(forty);
  });

  it('starts over when that is let through: what is there comes home at the end, and nothing was removed', async () => {
    const world = createWorld(forty, {});
    await world.push();
    await world.local.remove('skills');
    const { outcome, became } = await world.push({ allow: allow('local-empty') });
    expect([outcome, became]).toEqual(['done', {}]);
    expect((await world.contents()).remote).toEqual(forty);
    await world.syncBack();
    expect((await world.contents()).local).toEqual(forty);
  });

  it('does not remove much at once unless that is let through', async () => {
    const world = createWorld(forty, {});
    await world.push();
    for (let index = 0; index < 10; index += 1) await world.local.remove(`skills/s${index}`);
    const stopped = await world.push();
    expect([stopped.stop?.guard, stopped.stop?.details, stopped.calls]).toEqual(['mass-delete', { removed: 10, total: 40 }, []]);
    expect((await world.push({ allow: allow('mass-delete') })).ledger.removed.files).toBe(10);
  });
});
