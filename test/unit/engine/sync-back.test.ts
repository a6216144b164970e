import { describe, expect, it } from 'vitest';
import type { Endpoint, IncomingFile, Listing } from '../../../electron/engine/endpoint';
import { AppError } from '../../../shared/errors';
import type { Guard } from '../../../shared/run-report';
import type { Tree } from '../../support/tree';
import { createWorld, type World } from './whole-run';

const allow = (...guards: readonly Guard[]) => new Set<Guard>(guards);

/** Two homes that agree on the tree. */
async function agreedWorld(tree: Tree): Promise<World> {
  const world = createWorld(tree, {});
  await world.push();
  return world;
}

/** Replaces one call of the remote. */
const remoteWith =
  (change: (endpoint: Endpoint) => Partial<Endpoint>) =>
  (endpoint: Endpoint): Endpoint =>
    endpoint.side === 'remote' ? { ...endpoint, ...change(endpoint) } : endpoint;

describe('a sync-back', () => {
  it('brings home what was made and changed there, with its execute bit, although its folder was never pushed', async () => {
    const world = await agreedWorld({ 'skills/a/SKILL.md': 'A' });
    await world.remote.write({
      'skills/newcat/b/SKILL.md': 'made there',
      'skills/newcat/b/scripts/run.sh': { text: '#!/bin/sh', executable: true },
      'skills/a/SKILL.md': 'edited there',
    });
    const { outcome, ledger, calls } = await world.syncBack();
    expect((await world.contents()).local).toEqual((await world.contents()).remote);
    expect((await world.local.read()).get('skills/newcat/b/scripts/run.sh')).toMatchObject({ mode: 0o755 });
    expect([outcome, ledger.written, calls]).toEqual(['done', { files: 3, bytes: 31 }, ['prepare', 'local.apply', 'remote.remember']]);
  });

  it('keeps the local file of a conflict and the remote version in the inbox, fetched once', async () => {
    const world = await agreedWorld({ 'skills/a.md': 'A', 'skills/same.md': 'A' });
    await world.local.write({ 'skills/a.md': 'local edit', 'skills/same.md': 'both alike' });
    await world.remote.write({ 'skills/a.md': 'remote edit', 'skills/same.md': 'both alike' });
    for (const round of [1, 2]) {
      const { outcome, became } = await world.syncBack();
      expect([round, outcome, became]).toEqual([round, 'held', { 'skills/a.md': 'conflict' }]);
      expect(world.inbox.waiting()).toEqual({ 'skills/a.md': 'conflict: remote edit' });
    }
    expect((await world.contents()).local['skills/a.md']).toBe('local edit');
    expect(world.inbox.fetched).toEqual(['skills/a.md']);
    await world.local.write({ 'skills/a.md': 'remote edit' });
    expect([(await world.syncBack()).outcome, world.inbox.waiting()]).toEqual(['done', {}]);
  });

  it('sees an edit that left length and time as they were', async () => {
    const world = await agreedWorld({ 'skills/a/config.yaml': 'level: 1' });
    await world.syncBack();
    await world.remote.stealthEdit('skills/a/config.yaml', 'level: 2');
    expect((await world.syncBack()).became).toEqual({ 'skills/a/config.yaml': 'written' });
    expect((await world.contents()).local).toEqual({ 'skills/a/config.yaml': 'level: 2' });
  });

  it('holds guarded files and new skills that are to be reviewed, with their versions in the inbox', async () => {
    const world = await agreedWorld({ 'skills/.usage.json': 'here', 'skills/a.md': 'A' });
    await world.remote.write({ 'skills/.usage.json': 'from there', 'skills/new/SKILL.md': 'new skill', 'skills/a.md': 'edited' });
    const { outcome, became } = await world.syncBack({ newSkills: 'review' });
    expect([outcome, became]).toEqual(['held', { 'skills/.usage.json': 'held', 'skills/new/SKILL.md': 'held', 'skills/a.md': 'written' }]);
    expect(world.inbox.waiting()).toEqual({ 'skills/.usage.json': 'guarded: from there', 'skills/new/SKILL.md': 'review: new skill' });
    expect((await world.contents()).local).toEqual({ 'skills/.usage.json': 'here', 'skills/a.md': 'edited' });
  });

  it('only says what it would do when asked for that', async () => {
    const world = await agreedWorld({ 'skills/a.md': 'A', 'skills/c.md': 'A' });
    await world.remote.write({ 'skills/b.md': 'new', 'skills/c.md': 'there' });
    await world.local.write({ 'skills/c.md': 'here too' });
    const before = [await world.contents(), world.found, world.memories];
    const { outcome, became, calls, sent } = await world.syncBack({ dryRun: true });
    expect([outcome, became, calls, sent]).toEqual(['held', { 'skills/c.md': 'conflict', 'skills/b.md': 'written' }, [], []]);
    expect([[await world.contents(), world.found, world.memories], world.inbox.waiting()]).toEqual([before, {}]);
  });

  it('does not bring back a skill that was archived here, whose remote copy a later push removes', async () => {
    const world = await agreedWorld({ 'skills/foo/SKILL.md': 'foo', 'skills/bar/SKILL.md': 'bar', 'skills/baz.md': 'b' });
    for (const skill of ['foo', 'bar']) {
      await world.local.remove(`skills/${skill}`);
      await world.local.write({ [`skills/.archive/${skill}/SKILL.md`]: skill });
    }
    await world.remote.write({ 'skills/bar/SKILL.md': 'bar, edited there' });
    const { outcome, became } = await world.syncBack();
    expect([outcome, became]).toEqual(['held', { 'skills/bar/SKILL.md': 'conflict' }]);
    const archived = { 'skills/.archive/foo/SKILL.md': 'foo', 'skills/.archive/bar/SKILL.md': 'bar' };
    expect((await world.contents()).local).toEqual({ ...archived, 'skills/baz.md': 'b' });
    await world.push();
    expect((await world.contents()).remote).toEqual({ 'skills/bar/SKILL.md': 'bar, edited there', 'skills/baz.md': 'b' });
  });

  it('takes what it cannot read for unknown: nothing below it is removed or replaced', async () => {
    const world = await agreedWorld({ 'skills/a/SKILL.md': 'A', 'skills/b.md': 'B' });
    const { outcome, became, baseline } = await world.syncBack({ remote: { unreadable: new Set(['skills/a']) } });
    expect([outcome, became]).toEqual(['partly', { 'skills/a': 'failed' }]);
    expect((await world.contents()).local).toEqual({ 'skills/a/SKILL.md': 'A', 'skills/b.md': 'B' });
    expect([...(baseline?.entries.keys() ?? [])]).toEqual(['skills/a/SKILL.md', 'skills/b.md']);
  });

  it('writes nothing when there is no room for it', async () => {
    const world = await agreedWorld({ 'skills/a.md': 'A' });
    await world.remote.write({ 'skills/b.md': 'new' });
    await expect(world.syncBack({ local: { freeBytes: 1_000_000_000 } })).rejects.toMatchObject({ code: 'local.no-space' });
    expect((await world.contents()).local).toEqual({ 'skills/a.md': 'A' });
  });

  it('does not agree with what an unfinished sync-back of Hermes left, unless that is let through', async () => {
    const world = await agreedWorld({ 'skills/a.md': 'A' });
    expect((await world.syncBack({ hermesUnfinished: 'some folder' })).stop?.guard).toBe('hermes-unfinished');
    const through = await world.syncBack({ hermesUnfinished: 'some folder', allow: allow('hermes-unfinished') });
    expect(through.outcome).toBe('done');
  });
});

describe('a sync-back whose remote misbehaves', () => {
  it('leaves a skill as it was when one of its contents does not arrive, and places the rest', async () => {
    const world = await agreedWorld({ 'skills/a/SKILL.md': 'A', 'skills/a/b.md': 'A', 'skills/c.md': 'A' });
    await world.remote.write({ 'skills/a/SKILL.md': 'new', 'skills/a/b.md': 'newer', 'skills/c.md': 'newest' });
    const around = remoteWith((endpoint) => ({
      read: (files, signal) =>
        endpoint.read(
          files.filter(({ path }) => path !== 'skills/a/b.md'),
          signal,
        ),
    }));
    const { outcome, became, baseline, failure } = await world.syncBack({ around });
    expect([outcome, failure]).toEqual(['partly', null]);
    expect(became).toEqual({ 'skills/a/SKILL.md': 'failed', 'skills/a/b.md': 'failed', 'skills/c.md': 'written' });
    expect((await world.contents()).local).toEqual({ 'skills/a/SKILL.md': 'A', 'skills/a/b.md': 'A', 'skills/c.md': 'newest' });
    expect([...(baseline?.entries ?? [])].map(([path, { size }]) => [path, size])).toEqual([
      ['skills/a/SKILL.md', 1],
      ['skills/a/b.md', 1],
      ['skills/c.md', 6],
    ]);
    expect((await world.syncBack()).became).toEqual({ 'skills/a/SKILL.md': 'written', 'skills/a/b.md': 'written' });
  });

  it.each(['between two files', 'inside a file'])('reports what was placed when the source breaks %s, and why it broke', async (where) => {
    const world = await agreedWorld({ 'skills/a.md': 'A', 'skills/b.md': 'A' });
    await world.remote.write({ 'skills/a.md': 'first', 'skills/b.md': 'second' });
    const lost = new AppError('ssh.lost', { host: 'h', port: 22, reason: 'the connection was reset' });
    const breaking = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('sec');
      throw lost;
    };
    const around = remoteWith((endpoint) => ({
      read: async function* (files, signal): AsyncGenerator<IncomingFile> {
        for await (const file of endpoint.read(files, signal)) {
          if (file.path === 'skills/a.md') yield file;
          else if (where === 'inside a file') yield { ...file, body: breaking() };
          else throw lost;
        }
      },
    }));
    const { failure, became, outcome, calls, memories } = await world.syncBack({ around });
    expect(failure).toBe(lost);
    expect([outcome, became]).toEqual(['partly', { 'skills/a.md': 'written', 'skills/b.md': 'failed' }]);
    expect((await world.contents()).local).toEqual({ 'skills/a.md': 'first', 'skills/b.md': 'A' });
    expect([calls, (await memories)?.remote?.token]).toEqual([['prepare', 'local.apply'], null]);
    expect((await world.syncBack()).became).toEqual({ 'skills/b.md': 'written' });
  });

  it('gains nothing by ignoring the rules, or by sending what was not asked for', async () => {
    const world = await agreedWorld({ 'skills/a.md': 'A', 'skills/.hub/lock.json': 'mine' });
    await world.remote.write({ 'skills/b.md': 'wanted' });
    const bad = ['skills/.hub/lock.json', 'skills/.curator_backups/x/skills.tar.gz', 'skills/../.env', '/etc/passwd', 'skills/x.db'];
    const evil = (path: string): IncomingFile => ({
      path,
      size: 4,
      body: (async function* () {
        yield Buffer.from('evil');
      })(),
    });
    const around = remoteWith((endpoint) => ({
      list: async (...args): Promise<Listing> => {
        const listing = await endpoint.list(...args);
        const entry = [...listing.entries.values()][0];
        if (entry === undefined) throw new Error('nothing listed');
        return { ...listing, entries: new Map([...listing.entries, ...bad.map((path) => [path, { ...entry, hash: 'claimed' }] as const)]) };
      },
      read: async function* (files, signal): AsyncGenerator<IncomingFile> {
        for (const path of [...bad, 'skills/a.md']) yield evil(path);
        yield* endpoint.read(files, signal);
      },
    }));
    const { became, outcome } = await world.syncBack({ around });
    expect((await world.contents()).local).toEqual({ 'skills/a.md': 'A', 'skills/.hub/lock.json': 'mine', 'skills/b.md': 'wanted' });
    expect([outcome, became]).toEqual(['done', { 'skills/b.md': 'written', ...Object.fromEntries(bad.map((path) => [path, 'refused'])) }]);
  });

  it('says so when a waiting version could not be stored, and places what came before it', async () => {
    const world = await agreedWorld({ 'skills/a.md': 'A', 'skills/c.md': 'A' });
    await world.local.write({ 'skills/c.md': 'here' });
    await world.remote.write({ 'skills/a.md': 'first', 'skills/c.md': 'there' });
    const full = new Error('the data folder is full');
    world.inbox.store = async () => Promise.reject(full);
    const { failure, became } = await world.syncBack();
    expect([failure, became]).toEqual([full, { 'skills/a.md': 'failed', 'skills/c.md': 'conflict' }]);
    expect((await world.contents()).local).toEqual({ 'skills/a.md': 'A', 'skills/c.md': 'here' });
  });
});
