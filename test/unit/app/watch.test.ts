// Not cut although it is long: every case drives the same watch over links that the test lets in and loses.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createWatch, type Watch } from '../../../electron/app/watch';
import { backOff, usualPace } from '../../../electron/app/watcher';
import type { SshConnection } from '../../../electron/ssh/ssh-connection';
import { AppError } from '../../../shared/errors';
import type { Session } from '../../../shared/session';
import { runReport } from './reports';
import { connectionNamed } from './run-place';

const box = connectionNamed('box');
const gone = () => new AppError('ssh.unreachable', { host: 'h', port: 22, reason: 'no route to it' });

/** One attempt, which the test lets in or turns away. */
interface Attempt {
  readonly signal: AbortSignal;
  letIn(): TestLink;
  turnAway(error: AppError): void;
}

interface TestLink {
  isClosed: boolean;
  lose(): void;
}

let attempts: Attempt[];
let session: Session | null;
let told: string[];
let ends: number;
let watch: Watch;
let paused: boolean;
let running: boolean;
beforeEach(() => {
  vi.useFakeTimers();
  [attempts, told, ends] = [[], [], 0];
  [paused, running] = [false, false];
  session = { connection: box.id, state: 'open', startedAt: 'x' };
  watch = createWatch({
    connect: (_connection, { signal }) =>
      new Promise((resolve, reject) => {
        attempts.push({
          signal,
          turnAway: reject,
          letIn: () => {
            let settle: (error: AppError | null) => void = () => undefined;
            const closed = new Promise<AppError | null>((done) => {
              settle = done;
            });
            const link: TestLink = { isClosed: false, lose: () => settle(gone()) };
            const close = async () => {
              link.isClosed = true;
              settle(null);
            };
            resolve({ target: { host: 'h', port: 22 }, closed, close } as unknown as SshConnection);
            return link;
          },
        });
      }),
    session: () => session,
    connection: (id) => (id === box.id ? box : null),
    end: async () => {
      ends += 1;
    },
    idle: () => undefined,
    changed: () => undefined,
    ...{ isRunning: () => running, isPaused: () => paused },
    outage: (_connection, { code }) => told.push(code),
    ...{ pace: usualPace, random: () => 1 },
  });
});
afterEach(async () => {
  await watch.stop();
  vi.useRealTimers();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const stateNow = () => watch.linkOf(box.id)?.state ?? null;
const last = (): Attempt => {
  const attempt = attempts.at(-1);
  if (attempt === undefined) throw new Error('nothing was tried');
  return attempt;
};
async function letIn(): Promise<TestLink> {
  const link = last().letIn();
  await pass(0);
  return link;
}
async function turnAway(error: AppError = gone()): Promise<void> {
  last().turnAway(error);
  await pass(0);
}
/** An end that found no remote. */
function failEnd(code = 'ssh.lost'): void {
  session = { connection: box.id, state: 'pending', startedAt: 'x' };
  watch.ran({ ...runReport({ kind: 'sync-back', outcome: 'failed', error: { code, message: 'm', details: {} } }), connection: box });
}
function ended(): void {
  session = null;
  watch.ran({ ...runReport({ kind: 'sync-back', outcome: 'done' }), connection: box });
}

describe('the watch over an open session', () => {
  it('keeps one link, and lets go of it when the session ends', async () => {
    watch.open(box);
    const link = await letIn();
    expect([attempts.length, stateNow(), link.isClosed]).toEqual([1, 'up', false]);
    ended();
    expect([stateNow(), link.isClosed]).toEqual([null, true]);
    await pass(3_600_000);
    expect([attempts.length, told]).toEqual([1, []]);
  });

  it('lets go of its link for a pause, tries nothing meanwhile, and keeps one again afterwards', async () => {
    watch.open(box);
    const link = await letIn();
    paused = true;
    watch.rest();
    expect([stateNow(), link.isClosed]).toEqual([null, true]);
    watch.open(box);
    watch.ran({ ...runReport({ kind: 'push', outcome: 'done' }), connection: box });
    await pass(3_600_000);
    expect(attempts.length).toBe(1);
    paused = false;
    watch.open(box);
    await letIn();
    expect(stateNow()).toBe('up');
  });

  it('leaves a run its link when a pause begins, and lets go of it once the run is over', async () => {
    watch.open(box);
    const link = await letIn();
    [paused, running] = [true, true];
    watch.rest();
    expect(link.isClosed).toBe(false);
    running = false;
    watch.ran({ ...runReport({ kind: 'push', outcome: 'done' }), connection: box });
    expect([stateNow(), link.isClosed]).toEqual([null, true]);
  });

  it('watches nothing whose end is only due: that is offered, not done', () => {
    session = { connection: box.id, state: 'pending', startedAt: 'x' };
    watch.open(box);
    expect([attempts.length, stateNow()]).toEqual([0, null]);
  });

  it('tries again after 1, 2, 4 and at last every 60 s, and tells once', async () => {
    watch.open(box);
    (await letIn()).lose();
    await pass(0);
    const waits: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      const before = attempts.length;
      let waited = 0;
      for (; attempts.length === before; waited += 1000) await pass(1000);
      waits.push(waited / 1000);
      await turnAway();
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60, 60]);
    expect([stateNow(), told]).toEqual(['lost', ['ssh.unreachable']]);
    await pass(60_000);
    await letIn();
    expect(stateNow()).toBe('up');
  });

  it('takes a link that soon breaks again for the same outage, and one that held for a minute for another', async () => {
    watch.open(box);
    const first = await letIn();
    first.lose();
    await pass(1000);
    (await letIn()).lose();
    await pass(2000);
    const steady = await letIn();
    await pass(60_000);
    steady.lose();
    await pass(0);
    expect(told).toHaveLength(2);
    await pass(1000);
    expect(attempts).toHaveLength(4);
  });

  it.each([
    ['a key that wants its passphrase', new AppError('ssh.passphrase-needed', { file: '/key' })],
    ['a key that is not let in', new AppError('ssh.auth-rejected', { user: 'u', host: 'h', port: 22, tried: [] })],
  ])('pauses at %s instead of trying on, until the person did something', async (_what, error) => {
    watch.open(box);
    await turnAway(error);
    await pass(3_600_000);
    watch.resumed();
    expect([attempts.length, stateNow(), told]).toEqual([1, 'paused', [error.code]]);
    watch.retry(box.id);
    await letIn();
    expect([attempts.length, stateNow()]).toEqual([2, 'up']);
  });

  it('tries at once after a sleep, whatever was waited for', async () => {
    watch.open(box);
    for (let round = 0; round < 8; round += 1) {
      await turnAway();
      await pass(60_000);
    }
    await turnAway();
    const before = attempts.length;
    watch.resumed();
    expect(attempts.length).toBe(before + 1);
    await turnAway();
    await pass(1000);
    expect(attempts.length).toBe(before + 2);
  });

  it('lets no attempt from before touch the link of a later one', async () => {
    watch.open(box);
    const early = last();
    watch.resumed();
    const late = last();
    expect([early.signal.aborted, late.signal.aborted]).toEqual([true, false]);
    const link = await letIn();
    const stray = early.letIn();
    await pass(0);
    expect([stray.isClosed, link.isClosed, stateNow()]).toEqual([true, false, 'up']);
    early.turnAway(gone());
    await pass(60_000);
    expect([attempts.length, link.isClosed, stateNow(), told]).toEqual([2, false, 'up', []]);
  });

  it('lets go of everything at once when it stops, also of what is being tried', async () => {
    watch.open(box);
    await watch.stop();
    expect(last().signal.aborted).toBe(true);
    const link = await letIn();
    expect(link.isClosed).toBe(true);
    watch.open(box);
    expect(attempts).toHaveLength(1);
  });
});

describe('an end that found no remote', () => {
  it('is done once the remote is back, and the outage is told once', async () => {
    watch.open(box);
    await letIn();
    failEnd();
    expect([stateNow(), told, ends]).toEqual(['lost', ['ssh.lost'], 0]);
    for (const wait of [1000, 2000, 4000]) {
      await pass(wait);
      await turnAway();
    }
    expect(ends).toBe(0);
    await pass(8000);
    const link = await letIn();
    expect(ends).toBe(1);
    ended();
    expect([stateNow(), link.isClosed, told]).toEqual([null, true, ['ssh.lost']]);
  });

  it('is tried five times while the link comes back each time, then left to the person', async () => {
    watch.open(box);
    await letIn();
    for (let round = 0; stateNow() !== null; round += 1) {
      expect(round).toBeLessThan(10);
      failEnd();
      if (stateNow() === null) break;
      await pass(60_000);
      await letIn();
    }
    expect([ends, told]).toEqual([5, ['ssh.lost']]);
    await pass(3_600_000);
    expect(ends).toBe(5);
  });

  it.each(['remote.disk-full', 'ssh.host-key-changed', 'run.cancelled'])('is left to the person after %s', async (code) => {
    watch.open(box);
    const link = await letIn();
    failEnd(code);
    expect([stateNow(), link.isClosed, told]).toEqual([null, true, []]);
  });
});

describe('backOff', () => {
  it('spreads each wait over the upper half of its length, and never exceeds the longest', () => {
    expect([backOff(1, usualPace, 0), backOff(1, usualPace, 1), backOff(3, usualPace, 0.5)]).toEqual([500, 1000, 3000]);
    expect([backOff(7, usualPace, 0), backOff(5000, usualPace, 1)]).toEqual([30_000, 60_000]);
  });
});
