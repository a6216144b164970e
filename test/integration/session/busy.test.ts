import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Envelope } from '../../../shared/contract';
import { exitCodeFor } from '../../../shared/errors';
import { box, connectionTo, makePlace, type SessionPlace } from '../../support/session';
import { startSshd, type TestSshd } from '../../support/sshd';

let sshd: TestSshd;
let place: SessionPlace;
beforeEach(async () => {
  sshd = await startSshd();
  place = await makePlace({ sshd });
  await place.local.write({ 'skills/a/SKILL.md': 'a\n', 'profiles/work/skills/w/SKILL.md': 'w\n' });
});
afterEach(async () => {
  await place.tearDown();
  await sshd.stop();
});

/** Starts a session and asks for another while it lists. */
async function askMeanwhile(connection: string): Promise<Envelope<unknown>> {
  let other: Promise<Envelope<unknown>> | null = null;
  place.listen((event) => {
    if (event.event !== 'progress' || event.data.phase !== 'listing') return;
    other ??= place.ask('session.start', { connection, allow: ['first-session'] });
  });
  expect((await place.start(['first-session'])).outcome).toBe('done');
  if (other === null) throw new Error('the run did not list');
  return other;
}

describe('two connections at one Hermes home', { timeout: 240_000 }, () => {
  it('are told apart from a free one while a run uses the same folder', async () => {
    await place.call('connection.add', connectionTo(sshd, { name: 'second', remoteHome: '~/second' }));
    const answer = await askMeanwhile('second');
    expect(answer).toMatchObject({ ok: false, error: { code: 'run.busy', details: { connection: 'second' } } });
    expect(exitCodeFor('run.busy')).toBe(5);
    expect((await place.call('session.list', {})).sessions.map(({ state }) => state)).toEqual(['open']);
    const { id } = (await place.call('connection.list', {})).connections[1] ?? { id: '' };
    expect((await place.call('history.list', { connection: id })).runs).toEqual([]);
  });

  it('do not start the same connection twice at a time', async () => {
    expect(await askMeanwhile(box)).toMatchObject({ ok: false, error: { code: 'run.busy' } });
  });

  it('may run at a time in different profiles', async () => {
    await place.call('connection.add', connectionTo(sshd, { name: 'work', profile: 'work' }));
    expect(await askMeanwhile('work')).toMatchObject({ ok: true, value: { outcome: 'done', ledger: { written: { files: 1 } } } });
  });
});
