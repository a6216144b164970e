import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { box, connectionTo, makePlace, type SessionPlace } from '../../support/session';
import { startSshd, type TestSshd } from '../../support/sshd';

const second = 'the same box again';

let sshd: TestSshd;
let place: SessionPlace;
beforeAll(async () => {
  sshd = await startSshd();
});
afterAll(() => sshd.stop());
beforeEach(async () => {
  place = await makePlace({ sshd });
  await place.call('connection.add', connectionTo(sshd, { name: second, roots: ['plans'] }));
});
afterEach(() => place.tearDown());

const clients = () => readdir(join(place.remoteHome, '.ebbgate/cache'));
const start = (connection: string) => place.call('session.start', { connection, allow: ['first-session'] });

describe('two connections to one home', () => {
  it('keep a listing each, and tidy away what they themselves left there alone', async () => {
    await place.local.write({ 'skills/a/SKILL.md': 'one', 'plans/b.md': 'two' });
    expect((await start(box)).outcome).toBe('done');
    const [first = ''] = await clients();
    expect((await start(second)).outcome).toBe('done');
    const [other = ''] = (await clients()).filter((client) => client !== first);
    expect(other).not.toBe('');

    const leftOf = (client: string) => `.ebbgate/in-${client}-0123456789ab/staged.md`;
    await place.remote.write({ [leftOf(first)]: 'cut off', [leftOf(other)]: 'on its way' });
    await place.local.write({ 'skills/a/SKILL.md': 'newer' });
    expect((await start(box)).outcome).toBe('done');
    const there = (await place.remote.read()).keys();
    expect([...there].filter((path) => path.endsWith('staged.md'))).toEqual([leftOf(other)]);
    expect(await place.remoteContents()).toMatchObject({ 'skills/a/SKILL.md': 'newer', 'plans/b.md': 'two' });
  });
});
