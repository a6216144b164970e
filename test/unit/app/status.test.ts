import { describe, expect, it } from 'vitest';
import { type ConnectionFacts, stateOf, viewOf } from '../../../electron/app/status';
import type { LinkView } from '../../../shared/contract';
import type { RunOutcome } from '../../../shared/run-report';
import type { SessionState } from '../../../shared/session';
import { runReport } from './reports';
import { connectionNamed } from './run-place';

const session = (state: SessionState) => ({ connection: 'id-box', state, startedAt: 'x' });
const ended = (outcome: RunOutcome, code?: string) =>
  runReport({ outcome, error: code === undefined ? null : { code, message: 'm', details: {} } });
const failedTest = (check: string) => ({ at: '2026-01-01T00:00:00.000Z', check, advice: 'd' });
const link = (state: LinkView['state']): LinkView => ({ state, error: null });
const facts = (changes: Partial<ConnectionFacts> = {}): ConnectionFacts => ({
  ...{
    connection: connectionNamed('box'),
    session: null,
    link: null,
    lastRun: null,
    lastTeardown: null,
    waiting: 0,
    guard: [],
    watch: 'events',
    failedTest: null,
    remembers: false,
    asks: null,
    running: false,
    paused: false,
    progress: null,
  },
  ...changes,
});

describe('stateOf', () => {
  it.each<readonly [string, Partial<ConnectionFacts>, string]>([
    ['never used is ready', {}, 'ready'],
    ['ready is paused during a pause', { paused: true, session: session('open'), lastRun: ended('done') }, 'paused'],
    ['a run is work during a pause too', { paused: true, running: true }, 'working'],
    ['what waits needs you during a pause too', { paused: true, waiting: 1 }, 'needs-you'],
    ['an end that is pending needs you during a pause too', { paused: true, session: session('pending') }, 'needs-you'],
    ['an open session is ready', { session: session('open'), lastRun: ended('done') }, 'ready'],
    ['a run is work, whatever waits', { running: true, waiting: 3, lastRun: ended('failed') }, 'working'],
    ['a run that waits for an answer needs you', { running: true, asks: 'passphrase', lastRun: ended('done') }, 'needs-you'],
    ['a test that waits for the agent needs you', { asks: 'agent' }, 'needs-you'],
    ['anything that waits needs you', { waiting: 1, lastRun: ended('held') }, 'needs-you'],
    ['held without anything waiting any more is ready', { lastRun: ended('held') }, 'ready'],
    ['a refused connection is offline', { lastRun: ended('failed', 'ssh.refused') }, 'offline'],
    ['no answer in time is offline', { lastRun: ended('failed', 'ssh.timed-out') }, 'offline'],
    ['no way there is offline', { lastRun: ended('failed', 'ssh.unreachable') }, 'offline'],
    ['a lost connection is offline', { lastRun: ended('failed', 'ssh.lost') }, 'offline'],
    ['what waits comes before being offline', { waiting: 1, lastRun: ended('failed', 'ssh.lost') }, 'needs-you'],
    ['being offline comes before an end that is pending', { session: session('pending'), lastRun: ended('failed', 'ssh.lost') }, 'offline'],
    ['a lost link of an open session is offline', { session: session('open'), link: link('lost'), lastRun: ended('done') }, 'offline'],
    ['a link that waits for a person needs you', { session: session('open'), link: link('paused'), lastRun: ended('done') }, 'needs-you'],
    [
      'a link that is back is not offline any more',
      { session: session('open'), link: link('up'), lastRun: ended('failed', 'ssh.lost') },
      'ready',
    ],
    [
      'a link that is up excuses no other failure',
      { session: session('open'), link: link('up'), lastRun: ended('failed', 'remote.failed') },
      'needs-you',
    ],
    ['any other failure needs you', { lastRun: ended('failed', 'ssh.host-key-changed') }, 'needs-you'],
    ['a failure without a reason needs you', { lastRun: ended('failed') }, 'needs-you'],
    ['partly needs you', { lastRun: ended('partly') }, 'needs-you'],
    ['a stop needs you', { lastRun: ended('stopped') }, 'needs-you'],
    ['an interruption needs you', { lastRun: ended('interrupted') }, 'needs-you'],
    ['a test that did not reach the remote is offline', { failedTest: failedTest('reach'), lastRun: ended('done') }, 'offline'],
    ['a test that failed otherwise needs you', { failedTest: failedTest('login') }, 'needs-you'],
    ['an end that is pending needs you', { session: session('pending') }, 'needs-you'],
  ])('%s', (_sentence, changes, state) => {
    expect(stateOf(facts(changes))).toBe(state);
  });
});

describe('viewOf', () => {
  it('shows the stored facts, with the address as a person writes it', () => {
    const lastRun = ended('done');
    const progress = { connection: 'id-box', kind: 'push', phase: 'listing', done: 0, total: null, unit: null } as const;
    const made = facts({ session: session('open'), lastRun, lastTeardown: lastRun, waiting: 2, progress });
    expect(viewOf(made)).toEqual({
      ...{ id: 'id-box', name: 'box', address: 'u@h.invalid', roots: ['skills'], localHome: '/home/box', state: 'needs-you' },
      ...{
        session: session('open'),
        link: null,
        lastTeardown: lastRun,
        lastRun,
        needsYou: 2,
        guard: [],
        watch: 'events',
        failedTest: null,
        remembers: false,
        asks: null,
        progress,
      },
    });
  });
});
