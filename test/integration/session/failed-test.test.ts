import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { box, makePlace, type SessionPlace } from '../../support/session';
import { startSshd, type TestSshd } from '../../support/sshd';

let sshd: TestSshd;
let place: SessionPlace;
beforeEach(async () => {
  sshd = await startSshd();
  place = await makePlace({ sshd });
  await place.local.write({ 'skills/a/SKILL.md': 'a\n' });
});
afterEach(async () => {
  await place.tearDown();
  await sshd.stop();
});

const test = async () => (await place.call('connection.test', { connection: box })).ok;
const shown = async () => (await place.call('status', {})).connections[0];

describe('a connection test that failed', { timeout: 120_000 }, () => {
  it('is shown with its time, by the next process too, until a test passes', async () => {
    expect(await shown()).toMatchObject({ state: 'ready', failedTest: null });
    await sshd.crash();
    expect(await test()).toBe(false);
    await place.restart();
    const failedTest = {
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      check: 'reach',
      advice: expect.stringContaining(`refused the connection on port ${sshd.port}`),
    };
    expect(await shown()).toMatchObject({ state: 'offline', failedTest });
    await sshd.revive();
    expect(await test()).toBe(true);
    expect(await shown()).toMatchObject({ state: 'ready', failedTest: null });
  });

  it('is shown until a run arrives, and goes with its connection', async () => {
    await sshd.crash();
    await test();
    await sshd.revive();
    expect((await place.start(['first-session'])).outcome).toBe('done');
    expect(await shown()).toMatchObject({ state: 'ready', failedTest: null });
    await sshd.crash();
    await test();
    expect(await shown()).toMatchObject({ state: 'offline' });
    await place.reconnect({});
    expect(await readFile(join(place.dataDir, 'state.json'), 'utf8')).not.toContain('"check": "reach"');
    expect(await shown()).toMatchObject({ state: 'ready', failedTest: null });
  });
});
