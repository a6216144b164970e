import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ConnectionView } from '../../../shared/contract';
import { type Relay, startRelay } from '../../support/relay';
import { dense } from '../../support/seed-homes';
import { box, makePlace, type SessionPlace } from '../../support/session';
import { startSshd, type TestSshd } from '../../support/sshd';

// A second for a minute and more: what is 1 to 60 s of back-off in life is 10 to 600 ms here.
const pace = {
  firstMs: 10,
  longestMs: 600,
  steadyMs: 600,
  proofMs: 700,
  connectTimeoutMs: 10_000,
  keepalive: { intervalMs: 300, silentIntervals: 3 },
};
/** Attempts that ten minutes without a remote see: one every 30 to 60 s at last. */
const attemptsInTenMinutes = 16;
const patience = { timeout: 60_000, interval: 20 };

let sshd: TestSshd;
let relay: Relay;
let place: SessionPlace;
let outages: string[];
beforeEach(async () => {
  sshd = await startSshd();
  relay = await startRelay(sshd.port);
  place = await openPlace({});
});
afterEach(async () => {
  sshd.freeze(false);
  await place.tearDown();
  await relay.close();
  await sshd.stop();
});

async function openPlace(changes: Partial<typeof pace>): Promise<SessionPlace> {
  const knownHostsFile = join(sshd.dir, 'known_hosts');
  writeFileSync(knownHostsFile, `[127.0.0.1]:${relay.port} ssh-ed25519 ${sshd.hostKey().toString('base64')}\n`);
  const address = { kind: 'address', user: sshd.username, host: '127.0.0.1', port: relay.port } as const;
  const made = await makePlace({
    sshd,
    connection: { address, knownHostsFile },
    composed: { lasting: true, pace: { ...pace, ...changes } },
  });
  outages = [];
  made.listen((event) => {
    if (event.event === 'outage') outages.push(event.data.error.code);
  });
  await made.local.write({ 'skills/a/SKILL.md': 'old\n' });
  return made;
}

/** An open session with work on the remote that is to come home. */
async function startAndWork(size = 1000): Promise<void> {
  expect((await place.start(['first-session'])).outcome).toBe('done');
  await until((view) => view.link?.state === 'up');
  await place.remote.write({
    'skills/a/SKILL.md': 'edited there\n',
    'skills/b/SKILL.md': 'made there\n',
    'skills/b/data.bin': dense(size),
  });
}

async function view(): Promise<ConnectionView> {
  const [found] = (await place.call('status', {})).connections;
  if (found === undefined) throw new Error('no connection');
  return found;
}

const until = (holds: (view: ConnectionView) => boolean) => vi.waitFor(async () => expect(holds(await view())).toBe(true), patience);

/** Does something as soon as a run has come so far. */
function atPhase(phase: string, act: () => void): void {
  const stop = place.listen((event) => {
    if (event.event !== 'progress' || event.data.phase !== phase || (phase === 'transferring' && event.data.done === 0)) return;
    stop();
    act();
  });
}

/** The end completes by itself: nobody asks for it again. Nothing is left running there, and one outage was told. */
async function expectCompletedAlone(): Promise<void> {
  const runsNow = async () => (await place.call('history.list', {})).runs.map(({ kind, outcome }) => `${kind} ${outcome}`);
  await vi.waitFor(async () => expect((await runsNow()).at(0)).toBe('sync-back done'), patience);
  expect((await runsNow()).at(1)).toBe('sync-back failed');
  expect(await place.session()).toBeNull();
  expect(await place.localContents()).toEqual(await place.remoteContents());
  expect((await place.localContents())['skills/a/SKILL.md']).toBe('edited there\n');
  expect(outages).toHaveLength(1);
  await vi.waitFor(() => expect(sshd.processes()).toEqual([]), patience);
  expect((await view()).state).toBe('ready');
}

describe('a session whose remote goes away', { timeout: 240_000 }, () => {
  it('ends by itself after the server stood still in the middle of a listing', async () => {
    await startAndWork();
    atPhase('listing', () => sshd.freeze(true));
    const report = await place.end();
    expect(report).toMatchObject({ outcome: 'failed', error: { code: 'ssh.timed-out' }, paths: [] });
    expect(await place.session()).not.toBeNull();
    sshd.freeze(false);
    await expectCompletedAlone();
  });

  it('ends by itself after ten minutes without a link, which began in the middle of a transfer', async () => {
    await startAndWork(12_000_000);
    atPhase('transferring', () => relay.cut());
    const report = await place.end();
    expect(report).toMatchObject({ outcome: 'failed', error: { code: 'ssh.timed-out' } });
    expect(await place.session()).toBe('pending');
    const before = relay.asked();
    await vi.waitFor(() => expect(relay.asked()).toBeGreaterThanOrEqual(before + attemptsInTenMinutes), patience);
    expect(await view()).toMatchObject({ state: 'offline', link: { state: 'lost' } });
    expect((await place.localContents())['skills/a/SKILL.md']).toMatch(/^(old|edited there)\n$/);
    relay.mend();
    await expectCompletedAlone();
  });

  it('ends by itself after the server was killed and started again', async () => {
    await startAndWork(12_000_000);
    let crashed = Promise.resolve();
    atPhase('transferring', () => {
      crashed = sshd.crash();
    });
    const report = await place.end();
    expect(report).toMatchObject({ outcome: 'failed', error: { code: 'ssh.lost' } });
    await crashed;
    await until(({ state }) => state === 'offline');
    await sshd.revive();
    await expectCompletedAlone();
  });

  it('takes slow packets for slow packets', async () => {
    relay.slowDown(100);
    await startAndWork();
    expect((await place.end()).outcome).toBe('done');
    expect(await place.localContents()).toEqual(await place.remoteContents());
    expect(outages).toEqual([]);
  });

  it('ends by itself after packets came later than any remote may take', async () => {
    await startAndWork();
    atPhase('listing', () => relay.slowDown(60_000));
    expect(await place.end()).toMatchObject({ outcome: 'failed', error: { code: 'ssh.timed-out' } });
    relay.slowDown(0);
    relay.mend();
    await expectCompletedAlone();
  });

  it('is offline while idle, and ready again without a request, as often as the link drops', async () => {
    await startAndWork();
    for (let round = 1; round <= 2; round += 1) {
      await sshd.crash();
      await until(({ state }) => state === 'offline');
      await sshd.revive();
      await until(({ state, link }) => state === 'ready' && link?.state === 'up');
    }
    expect((await place.end()).outcome).toBe('done');
    expect(outages.length).toBeLessThanOrEqual(2);
  });
});

describe('a link that waits for its next attempt', { timeout: 240_000 }, () => {
  it('is tried at once when somebody asks, and otherwise only when its time has come', async () => {
    await place.tearDown();
    place = await openPlace({ firstMs: 3_600_000, longestMs: 3_600_000 });
    await startAndWork();
    relay.cut();
    await until(({ state, link }) => state === 'offline' && link?.state === 'lost');
    relay.mend();
    const before = relay.asked();
    await place.call('connection.try-now', { connection: box });
    await until(({ state, link }) => state === 'ready' && link?.state === 'up');
    expect(relay.asked() - before).toBe(1);
    // A link that is up is left alone.
    await place.call('connection.try-now', { connection: box });
    expect((await place.end()).outcome).toBe('done');
    expect([relay.asked() - before, outages]).toEqual([1, ['ssh.timed-out']]);
  });
});

describe('a computer that wakes up', { timeout: 240_000 }, () => {
  it('finds a dead link by itself, long before any keepalive would', async () => {
    await place.tearDown();
    place = await openPlace({ keepalive: { intervalMs: 3_600_000, silentIntervals: 3 } });
    await startAndWork();
    relay.cut();
    expect((await view()).link?.state).toBe('up');
    place.resumed();
    await until(({ link }) => link?.state === 'lost');
    relay.mend();
    await until(({ link }) => link?.state === 'up');
    expect((await place.end()).outcome).toBe('done');
    expect(outages).toEqual(['ssh.timed-out']);
  });

  it('finds the dead link of a run too, and the end completes', async () => {
    await place.tearDown();
    place = await openPlace({ keepalive: { intervalMs: 3_600_000, silentIntervals: 3 } });
    await startAndWork(12_000_000);
    atPhase('transferring', () => {
      relay.cut();
      place.resumed();
    });
    expect(await place.end()).toMatchObject({ outcome: 'failed', error: { code: 'ssh.timed-out' } });
    relay.mend();
    await expectCompletedAlone();
  });

  it('keeps a link that is alive', async () => {
    await startAndWork();
    const before = relay.asked();
    for (let round = 0; round < 5; round += 1) place.resumed();
    expect((await place.end()).outcome).toBe('done');
    // The end went over the session's link, and nobody made another.
    expect([relay.asked() - before, outages]).toEqual([0, []]);
  });
});

describe('a session that needs a person', { timeout: 240_000 }, () => {
  it('pauses instead of trying on, and goes on after a test that passed', async () => {
    await startAndWork();
    const key = readFileSync(sshd.authorizedKeysFile);
    writeFileSync(sshd.authorizedKeysFile, '');
    sshd.dropConnections();
    await until(({ state, link }) => state === 'needs-you' && link?.state === 'paused');
    const before = relay.asked();
    place.resumed();
    expect(await place.call('connection.test', { connection: box })).toMatchObject({ ok: false });
    expect((await view()).link).toMatchObject({ state: 'paused', error: { code: 'ssh.auth-rejected' } });
    expect(relay.asked() - before).toBe(1);
    writeFileSync(sshd.authorizedKeysFile, key);
    expect(await place.call('connection.test', { connection: box })).toMatchObject({ ok: true });
    await until(({ link }) => link?.state === 'up');
    expect((await place.end()).outcome).toBe('done');
    expect(outages).toHaveLength(1);
  });
});
