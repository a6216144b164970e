import { afterEach, describe, expect, it } from 'vitest';
import { box, makePlace, outcomesOf, pathsOf, type SessionPlace } from '../../support/session';
import { startSshd, type TestSshd } from '../../support/sshd';

let sshd: TestSshd;
let place: SessionPlace;
afterEach(async () => {
  await place.tearDown();
  await sshd.stop();
});

async function placeAt(maxSessions: number, lasting: boolean): Promise<void> {
  sshd = await startSshd({ extraConfig: [`MaxSessions ${maxSessions}`] });
  place = await makePlace({ sshd, composed: { lasting } });
  await place.local.write({ 'skills/a/SKILL.md': 'a\n', 'skills/b/SKILL.md': 'b\n' });
  // Too much to come along with the listing, so that another conversation is needed.
  await place.remote.write({ 'skills/c/SKILL.md': 'c\n', 'skills/c/data.bin': 'x'.repeat(3_000_000), 'skills/.git/config': 'there\n' });
}

describe.each([
  [1, false],
  [1, true],
  [2, true],
])('a session with a server that allows %i channels, in a process that stays: %s', { timeout: 240_000 }, (maxSessions, lasting) => {
  it('is tested, started, inspected and ended', async () => {
    await placeAt(maxSessions, lasting);
    expect((await place.call('connection.test', { connection: box })).ok).toBe(true);
    expect((await place.start(['first-session'])).outcome).toBe('done');
    expect(await place.remoteContents()).toMatchObject({ 'skills/a/SKILL.md': 'a\n', 'skills/b/SKILL.md': 'b\n' });
    await place.remote.write({ 'skills/a/SKILL.md': 'edited there\n' });
    await place.local.write({ 'skills/b/SKILL.md': 'edited here\n' });
    expect((await place.call('inspect', { connection: box, side: 'both' })).remote?.readable).toBe(true);
    expect(pathsOf(await place.end(), 'written')).toEqual(['skills/a/SKILL.md', 'skills/c/SKILL.md', 'skills/c/data.bin']);
    expect((await place.start()).outcome).toBe('done');
    expect((await place.remoteContents())['skills/b/SKILL.md']).toBe('edited here\n');
    const again = await place.end();
    expect([again.outcome, outcomesOf(again)]).toEqual(['done', {}]);
    expect(sshd.log()).toContain('Accepted publickey');
  });
});
