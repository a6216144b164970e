import { describe, expect, it } from 'vitest';
import { guardNoticesOf, type Notice, NoticeBook, noticesOf, reminderMs } from '../../../electron/shell/notices';
import { speechFor } from '../../../electron/shell/words';
import type { ConnectionView } from '../../../shared/contract';
import type { GuardEvent } from '../../../shared/guard';
import type { GrowthAlert, RunReport } from '../../../shared/run-report';
import { languages } from '../../../shared/settings';
import { connectionView, teardown } from '../../support/connection-views';

const english = speechFor([], 'en');
const growth: GrowthAlert = { kind: 'growth', actual: 1_400_000_000, usual: 118_000_000, culprit: 'skills/web/.npm', holding: true };
const bookkeeping: GrowthAlert = { kind: 'refused-bookkeeping', actual: 41_000_000, usual: 0, culprit: 'skills', holding: false };
const arrived: GuardEvent = {
  ...{ id: 'g1', connection: 'c1', side: 'local', source: 'hermes', at: '2026-03-05T14:05:00.000Z', lastAt: '2026-03-05T14:05:00.000Z' },
  ...{ kinds: ['bookkeeping', 'hub-lock'], amount: { files: 4, bytes: 24_000_000 }, usual: 0, culprit: 'skills/.curator_backups' },
  ...{ parts: [], hubLock: { state: 'replaced', differingSkills: [] }, canPutBack: true },
};
const failure = (code: string): Partial<RunReport> => ({ outcome: 'failed', error: { code, message: 'Words.', details: {} } });
const titles = (run: RunReport) => noticesOf(run, english).map(({ title, body }) => `${title} / ${body}`);

describe('noticesOf', () => {
  const rows: readonly (readonly [string, Partial<RunReport>, readonly string[]])[] = [
    ['says nothing when all went well', {}, []],
    ['says nothing of a run that was cancelled', failure('run.cancelled'), []],
    ['says nothing while the remote is offline', failure('ssh.timed-out'), []],
    ['says nothing of runs that only change files here', { kind: 'prune', outcome: 'partly' }, []],
    [
      'compares what is held with the usual',
      { outcome: 'held', alerts: [growth] },
      [
        'Unusual sync-back from build-box / 1.4 GB wants to come home, about 12 times the usual 118 MB. It is held; none of it has been written.',
      ],
    ],
    [
      'names the folder when there is no usual yet',
      { outcome: 'held', alerts: [{ ...growth, usual: 0 }] },
      ['Unusual sync-back from build-box / 1.4 GB in skills/web/.npm wants to come home. It is held; none of it has been written.'],
    ],
    [
      'names the folder, and no multiple, when the usual is next to nothing',
      { outcome: 'held', alerts: [{ ...growth, usual: 900 }] },
      ['Unusual sync-back from build-box / 1.4 GB in skills/web/.npm wants to come home. It is held; none of it has been written.'],
    ],
    [
      'tells of conflicts and new skills in one sentence',
      { outcome: 'held' },
      ['build-box needs you / What both sides changed, or what is new, is held until you decide. Nothing is lost.'],
    ],
    [
      'names a cause the user can mend',
      failure('local.no-space'),
      ['build-box could not finish / There is not enough free space on this computer.'],
    ],
    [
      'points to the window for every other failure',
      failure('store.failed'),
      ['build-box could not finish / Open Ebbgate to see what happened and what to do next.'],
    ],
    [
      'warns of a changed host key',
      failure('ssh.host-key-changed'),
      ['build-box shows another host key / Nothing was sent. Check with whoever runs the machine before you go on.'],
    ],
    [
      'tells of a guard that stopped the run',
      { outcome: 'stopped' },
      ['build-box needs you / Ebbgate stopped before the first write and asks you to look.'],
    ],
    [
      'tells of bookkeeping that was found, although the run is done',
      { alerts: [bookkeeping] },
      ['Bookkeeping found on build-box / 41 MB stays there and does not come home.'],
    ],
    [
      'tells two things of one run in two notices',
      { outcome: 'held', alerts: [bookkeeping] },
      [
        'build-box needs you / What both sides changed, or what is new, is held until you decide. Nothing is lost.',
        'Bookkeeping found on build-box / 41 MB stays there and does not come home.',
      ],
    ],
  ];
  it.each(rows)('%s', (_behaviour, changes, told) => {
    expect(titles(teardown(changes))).toEqual(told);
  });

  it('offers to review what is held, or to expect it', () => {
    const [notice] = noticesOf(teardown({ outcome: 'held', alerts: [growth] }), english);
    expect(notice?.actions).toEqual([
      { label: 'Review', action: { kind: 'show', place: { kind: 'connection', id: 'c1' } } },
      { label: 'This is expected', action: { kind: 'expect', connection: 'c1' } },
    ]);
  });

  const everything: readonly Partial<RunReport>[] = [
    { outcome: 'held', alerts: [growth] },
    { outcome: 'held', alerts: [{ ...growth, usual: 0, culprit: `skills/${'long/'.repeat(40)}name` }] },
    { outcome: 'held', alerts: [bookkeeping] },
    { outcome: 'stopped' },
    ...Object.keys(english.words.failures).map(failure),
    failure('ssh.host-key-changed'),
  ];
  it.each(languages)('stays under the 256 bytes that macOS shows, in %s', (language) => {
    const speech = speechFor([], language);
    const name = 'a build machine with a very long name';
    const notices = everything.flatMap((changes) => noticesOf(teardown({ ...changes, connection: { id: 'c1', name } }), speech));
    expect(notices.length).toBeGreaterThan(everything.length);
    expect(notices.filter(({ title, body }) => Buffer.byteLength(title + body) > 256)).toEqual([]);
  });
});

describe('guardNoticesOf', () => {
  const told = (guard: readonly GuardEvent[], speech = english) =>
    guardNoticesOf({ connections: [connectionView({ guard })], needsYou: 0 }, speech).map(({ title, body }) => `${title} / ${body}`);

  it('names size, source and the lock file of what came last', () => {
    const later: GuardEvent = { ...arrived, id: 'g2', source: 'other', lastAt: '2026-03-05T14:06:00.000Z', hubLock: null };
    expect(told([])).toEqual([]);
    expect(told([arrived])).toEqual([
      'A sync-back of Hermes brought something here / 24 MB appeared in skills/.curator_backups. The hub’s lock file is not the last good one, which is kept.',
    ]);
    expect(told([later, arrived])).toEqual(['Something appeared here without a run / 24 MB appeared in skills/.curator_backups.']);
  });

  it.each(languages)('stays under the 256 bytes that macOS shows, in %s', (language) => {
    const [shown = ''] = told([{ ...arrived, culprit: `skills/${'long/'.repeat(40)}name` }], speechFor([], language));
    expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(256);
  });
});

describe('NoticeBook', () => {
  const [held] = noticesOf(teardown({ outcome: 'held' }), english) as [Notice];
  const [found] = noticesOf(teardown({ alerts: [bookkeeping] }), english) as [Notice];
  const status = (view: Partial<ConnectionView>) => ({ connections: [connectionView(view)], needsYou: 0 });

  it('tells the same once, and something else again', () => {
    const book = new NoticeBook();
    const [other] = noticesOf(teardown({ outcome: 'stopped' }), english) as [Notice];
    expect([book.take(held, 0), book.take(held, 5), book.take(other, 6)]).toEqual([true, false, true]);
  });

  it('repeats what waits once a day and three times in all', () => {
    const book = new NoticeBook();
    book.take(held, 0);
    expect(book.nextIn(1000)).toBe(reminderMs - 1000);
    expect(book.repeat(reminderMs - 1)).toEqual([]);
    expect(book.repeat(reminderMs)).toEqual([held]);
    expect(book.repeat(2 * reminderMs)).toEqual([held]);
    expect([book.repeat(3 * reminderMs), book.nextIn(3 * reminderMs)]).toEqual([[], null]);
  });

  it('repeats nothing that does not wait for the user', () => {
    const book = new NoticeBook();
    book.take(found, 0);
    expect([book.nextIn(0), book.repeat(reminderMs)]).toEqual([null, []]);
  });

  it('takes back what was resolved, and tells it anew when it happens again', () => {
    const book = new NoticeBook();
    book.take(held, 0);
    expect(book.settle(status({ state: 'needs-you', needsYou: 1 }))).toEqual([]);
    expect(book.settle(status({}))).toEqual([held.key]);
    expect(book.take(held, 1)).toBe(true);
  });

  it('takes back what guard mode found once it is settled, whatever else waits', () => {
    const book = new NoticeBook();
    const waiting = status({ state: 'needs-you', needsYou: 2, guard: [arrived] });
    for (const notice of [held, ...guardNoticesOf(waiting, english)]) book.take(notice, 0);
    expect(book.settle(waiting)).toEqual([]);
    expect(book.settle(status({ state: 'needs-you', needsYou: 1 }))).toEqual(['c1:guard']);
  });

  it('is silent over twenty teardowns that went well', () => {
    const book = new NoticeBook();
    const shown = Array.from({ length: 20 }, () => noticesOf(teardown({}, 5, 7), english))
      .flat()
      .filter((notice) => book.take(notice, 0));
    expect(shown).toEqual([]);
  });
});
