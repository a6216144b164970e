import { describe, expect, it } from 'vitest';
import { connectionLine, oneLine, trayMoment } from '../../../electron/shell/tray-line';
import { speechFor } from '../../../electron/shell/words';
import type { ConnectionView } from '../../../shared/contract';
import { connectionView, teardown } from '../../support/connection-views';

const clock = { now: new Date('2026-03-05T15:00:00Z'), ...speechFor(['en'], null), timeZone: 'UTC' };
const session = { connection: 'c1', state: 'open', startedAt: '2026-03-05T13:10:00Z' } as const;
const progress = { connection: 'c1', kind: 'sync-back', phase: 'transferring', done: 12, total: 40, unit: 'files' } as const;
const held = { path: 'skills/a', outcome: 'held', change: 'create', bytes: 1_400_000_000, reason: 'growth' } as const;

describe('connectionLine', () => {
  const rows: readonly (readonly [string, Partial<ConnectionView>, string])[] = [
    [
      'says when, from where and how much after a teardown',
      { lastTeardown: teardown({}, 3_200_000, 41_000_000) },
      'build-box · ended 14:05 · 3.2 MB written, 41 MB refused',
    ],
    [
      'says that nothing came when nothing came',
      { lastTeardown: teardown() },
      'build-box · ended 14:05 · 0 bytes written, 0 bytes refused',
    ],
    ['never says up to date before a first teardown', {}, 'build-box · no session ended yet'],
    [
      'names the bytes that are held',
      { state: 'needs-you', needsYou: 1, lastTeardown: teardown({ outcome: 'held', paths: [held] }) },
      'build-box needs you: 1.4 GB held',
    ],
    [
      'names what a holding alert measured when paths were omitted',
      {
        state: 'needs-you',
        needsYou: 1,
        lastTeardown: teardown({
          outcome: 'held',
          alerts: [{ kind: 'growth', actual: 25_000_000, usual: 0, culprit: 'skills/a', holding: true }],
        }),
      },
      'build-box needs you: 25 MB held',
    ],
    [
      'counts what waits when no bytes are held',
      { state: 'needs-you', needsYou: 3, lastTeardown: teardown() },
      'build-box needs you: 3 items to review',
    ],
    ['counts one in the singular', { state: 'needs-you', needsYou: 1 }, 'build-box needs you: 1 item to review'],
    [
      'points to the last run when it failed and nothing waits',
      { state: 'needs-you', needsYou: 0 },
      'build-box needs you: look at its last run',
    ],
    ['shows an open session', { session }, 'build-box · session open since 13:10'],
    [
      'shows what was not synced back',
      { session: { ...session, state: 'pending' }, state: 'offline' },
      'build-box · offline · not synced back since 13:10',
    ],
    [
      'says what a run waits for before how far it is',
      { state: 'needs-you', asks: 'passphrase', progress },
      'build-box needs you: passphrase',
    ],
    ['shows how far a run is', { state: 'working', progress }, 'build-box · syncing back · 12 / 40 files'],
    ['shows a run whose size is not known', { state: 'working', progress: { ...progress, total: null } }, 'build-box · syncing back…'],
    [
      'shows a run that counts bytes',
      { state: 'working', progress: { ...progress, kind: 'push', done: 1_500_000, total: 8_400_000, unit: 'bytes' } },
      'build-box · starting session · 1.5 MB / 8.4 MB',
    ],
    [
      'keeps the last known facts while offline',
      { state: 'offline', lastTeardown: teardown({}, 5, 7) },
      'build-box · offline · ended 14:05 · 5 bytes written, 7 bytes refused',
    ],
    [
      'says that a teardown failed instead of counting its bytes',
      { lastTeardown: teardown({ outcome: 'failed' }) },
      'build-box · ended 14:05 · failed',
    ],
    [
      'says that a guard stopped a teardown',
      { lastTeardown: teardown({ outcome: 'stopped' }) },
      'build-box · ended 14:05 · stopped before the first write',
    ],
    [
      'says that a part could not be placed',
      { lastTeardown: teardown({ outcome: 'partly' }, 5, 0) },
      'build-box · ended 14:05 · partly done · 5 bytes written, 0 bytes refused',
    ],
  ];
  it.each(rows)('%s', (_behaviour, view, line) => {
    expect(connectionLine(connectionView(view), clock)).toBe(line);
  });
});

describe('connectionLine in another language', () => {
  const at = { ...clock, now: new Date('2026-03-05T15:00:00Z') };
  it.each([
    ['fr', 'build-box · terminé à 14:05 · 3,2 Mo écrits, 41 Mo refusés', 'build-box a besoin de vous : 1,4 Go retenus'],
    ['pt-BR', 'build-box · terminou às 14:05 · 3,2 MB gravados, 41 MB recusados', 'build-box precisa de você: 1,4 GB retidos'],
    ['zh-CN', 'build-box · 14:05 结束 · 写入 3.2 MB，拒绝 41 MB', 'build-box 需要你处理：1.4 GB 被暂留'],
  ] as const)('says the same in %s', (language, ended, needsYou) => {
    const speech = { ...at, ...speechFor([], language) };
    const kept = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');
    expect([
      kept(connectionLine(connectionView({ lastTeardown: teardown({}, 3_200_000, 41_000_000) }), speech)),
      kept(connectionLine(connectionView({ state: 'needs-you', needsYou: 1, lastTeardown: teardown({ paths: [held] }) }), speech)),
    ]).toEqual([ended, needsYou]);
  });
});

describe('trayMoment', () => {
  it('adds the day when it is not today, so that yesterday is not taken for today', () => {
    expect(trayMoment('2026-03-04T15:30:00Z', clock)).toBe('Mar 4, 15:30');
  });

  it('decides what today is by the time zone of the reader', () => {
    expect(trayMoment('2026-03-04T23:30:00Z', { ...clock, timeZone: 'Europe/Paris' })).toBe('00:30');
  });

  it('shows a time that it cannot read as it is', () => {
    expect(trayMoment('not a time', clock)).toBe('not a time');
  });
});

describe('oneLine', () => {
  it('replaces characters that break, hide or reorder a line', () => {
    expect(oneLine('build\nbox\u202e\u0000x')).toBe('build box  x');
  });
});
