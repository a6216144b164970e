import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RunReport } from '../../../shared/run-report';
import { dense } from '../../support/seed-homes';
import { connectionTo, makePlace, type SessionPlace } from '../../support/session';
import { startSshd, type TestSshd } from '../../support/sshd';

const patience = { timeout: 60_000, interval: 20 };

let sshd: TestSshd;
let place: SessionPlace;
beforeEach(async () => {
  sshd = await startSshd();
  place = await makePlace({ sshd, composed: { lasting: true }, without: 'connection' });
});
afterEach(async () => {
  await place.tearDown();
  await sshd.stop();
});

const add = (name: string, changes: Parameters<typeof connectionTo>[1] = {}) =>
  place.call('connection.add', connectionTo(sshd, { name, ...changes }));
const start = (connection: string) => place.call('session.start', { connection, allow: ['first-session'] });
const end = (connection: string) => place.call('session.end', { connection, allow: ['first-session'] });
const states = async () => {
  const { connections } = await place.call('status', {});
  return Object.fromEntries(connections.map(({ name, state, session, link }) => [name, `${state} ${session?.state} ${link?.state}`]));
};
const untilStates = (wanted: Readonly<Record<string, string>>) => vi.waitFor(async () => expect(await states()).toEqual(wanted), patience);

describe('two profiles with one server', { timeout: 240_000 }, () => {
  beforeEach(async () => {
    await add('one', { profile: 'one' });
    await add('two', { profile: 'two' });
    await place.local.write({ 'profiles/one/skills/a/SKILL.md': 'one\n', 'profiles/two/skills/a/SKILL.md': 'two\n' });
  });

  it('are started and ended at the same time, each with its own files', async () => {
    const started = await Promise.all([start('one'), start('two')]);
    expect(started.map(({ outcome }) => outcome)).toEqual(['done', 'done']);
    await untilStates({ one: 'ready open up', two: 'ready open up' });
    await place.remote.write({ 'profiles/one/skills/a/SKILL.md': 'one, edited\n', 'profiles/two/skills/b/SKILL.md': 'two, new\n' });
    const ended = await Promise.all([end('one'), end('two')]);
    expect(ended.map(({ ledger }) => ledger.written.files)).toEqual([1, 1]);
    const local = await place.localContents();
    expect(Object.fromEntries(Object.entries(local).filter(([path]) => path.includes('/skills/')))).toEqual({
      'profiles/one/skills/a/SKILL.md': 'one, edited\n',
      'profiles/two/skills/a/SKILL.md': 'two\n',
      'profiles/two/skills/b/SKILL.md': 'two, new\n',
    });
  });

  it('do not end each other: one ends while the other pushes much', async () => {
    await start('one');
    await untilStates({ one: 'ready open up', two: 'ready undefined undefined' });
    await place.local.write({ 'profiles/two/skills/big/SKILL.md': 'big\n', 'profiles/two/skills/big/data.bin': dense(12_000_000) });
    const others: Promise<RunReport>[] = [];
    const stop = place.listen((event) => {
      if (event.event === 'progress' && event.data.phase === 'transferring' && event.data.done > 0 && others.length === 0)
        others.push(end('one'));
    });
    const pushed = await start('two');
    stop();
    expect([pushed, ...(await Promise.all(others))].map(({ outcome }) => outcome)).toEqual(['done', 'done']);
    await untilStates({ one: 'ready undefined undefined', two: 'ready open up' });
    expect((await place.remote.read()).get('profiles/two/skills/big/data.bin')).toBeDefined();
    expect((await end('two')).outcome).toBe('done');
  });
});

describe('connections with several servers', { timeout: 240_000 }, () => {
  it('have a state each: one is away, the other goes on', async () => {
    const other = await startSshd();
    try {
      await add('near', { profile: 'near' });
      await place.call('connection.add', connectionTo(other, { name: 'far', profile: 'far' }));
      await place.local.write({ 'profiles/near/skills/a/SKILL.md': 'near\n', 'profiles/far/skills/a/SKILL.md': 'far\n' });
      await Promise.all([start('near'), start('far')]);
      await untilStates({ near: 'ready open up', far: 'ready open up' });
      await other.crash();
      await untilStates({ near: 'ready open up', far: 'offline open lost' });
      expect((await end('near')).outcome).toBe('done');
      expect(await end('far')).toMatchObject({ outcome: 'failed', error: { code: 'ssh.refused' } });
      await untilStates({ near: 'ready undefined undefined', far: 'offline pending lost' });
      await other.revive();
      await untilStates({ near: 'ready undefined undefined', far: 'ready undefined undefined' });
      const runs = (await place.call('history.list', { connection: 'far' })).runs.map(({ kind, outcome }) => `${kind} ${outcome}`);
      expect(runs).toEqual(['sync-back done', 'sync-back failed', 'push done']);
    } finally {
      await other.stop();
    }
  });

  it('lose what is watched of them when they are removed, and nothing else', async () => {
    await add('one', { profile: 'one' });
    await add('two', { profile: 'two' });
    await place.local.write({ 'profiles/one/skills/a/SKILL.md': 'one\n', 'profiles/two/skills/a/SKILL.md': 'two\n' });
    await start('one');
    await start('two');
    await untilStates({ one: 'ready open up', two: 'ready open up' });
    await place.call('connection.remove', { connection: 'one' });
    await untilStates({ two: 'ready open up' });
    expect((await end('two')).outcome).toBe('done');
    await vi.waitFor(() => expect(sshd.processes()).toEqual([]), patience);
  });
});
