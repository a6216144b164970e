import { describe, expect, it } from 'vitest';
import { attention, describeEnd, describeSession } from '../../../renderer/attention';
import { writtenWidth } from '../../../renderer/components/bar';
import { chartColumns } from '../../../renderer/components/chart';
import { describeAmount } from '../../../renderer/components/progress';
import { stopFacts } from '../../../renderer/stop-facts';
import type { SeriesPoint } from '../../../shared/history';
import { hashOf, parseHash } from '../../../shared/route';
import { ago, cannedNow, cannedReport, cannedView } from '../../support/canned';

describe('writtenWidth', () => {
  it.each([
    [0, 0, 0],
    [0, 5, 0],
    [5, 0, 400],
    [1, 1, 200],
    [1, 1_000_000, 4],
    [1_000_000, 1, 396],
  ])('draws %i written and %i refused as %i of 400', (written, refused, width) => {
    expect(writtenWidth(written, refused)).toBe(width);
  });
});

describe('chartColumns', () => {
  it('draws teardowns to one scale, nothing as nothing and little as something', () => {
    const point = (run: string, written: number, refused: number) => ({
      ...{ run, written, refused, endedAt: ago(1), outcome: 'done', restorePoints: 0, estimated: false },
    });
    expect(chartColumns([point('small', 1, 0), point('none', 0, 0), point('big', 100, 900)] as readonly SeriesPoint[])).toEqual([
      { run: 'small', written: 2, refused: 0 },
      { run: 'none', written: 0, refused: 0 },
      { run: 'big', written: 6, refused: 56 },
    ]);
  });
});

describe('describeAmount', () => {
  const progress = { connection: 'c', kind: 'push', phase: 'listing', done: 3, total: 14, unit: 'files' } as const;
  it.each([
    [progress, '3 of 14 files'],
    [{ ...progress, total: null }, '3 files'],
    [{ ...progress, done: 1_000, total: 2_000_000, unit: 'bytes' } as const, '1 kB of 2 MB'],
    [{ ...progress, unit: null }, null],
  ])('says how far %o is', (given, said) => {
    expect(describeAmount(given)?.replace(/\u00a0/g, ' ') ?? null).toBe(said);
  });
});

describe('attention', () => {
  const stop = { guard: 'mass-delete', message: 'Many.', details: {} } as const;
  const error = { code: 'ssh.refused', message: 'a.b.example said no. Nothing was changed.', details: {} };
  it.each([
    ['a stop by its guard', { lastRun: cannedReport({ stop }), needsYou: 2 }, 'Unusually many files would be removed'],
    ['what waits', { needsYou: 1 }, '1 item waits for your decision'],
    ['a failure by its first sentence', { lastRun: cannedReport({ outcome: 'failed', error }) }, 'a.b.example said no.'],
    [
      'what is wrong with the link now, before an older failure',
      {
        link: { state: 'paused', error: { code: 'ssh.auth-rejected', message: 'h did not let u in. Nothing was changed.', details: {} } },
        lastRun: cannedReport({ outcome: 'failed', error }),
      },
      'h did not let u in.',
    ],
    ['nothing for a run the user cancelled', { lastRun: cannedReport({ outcome: 'interrupted', error }) }, null],
    ['an end that is owed', { session: { connection: 'c', state: 'pending', startedAt: ago(9) } }, 'Not synced back yet'],
    ['a test that failed', { state: 'offline', failedTest: { at: ago(3), check: 'reach', advice: 'd' } }, 'Test failed 3 minutes ago'],
    ['what a run waits for', { state: 'needs-you', asks: 'agent', needsYou: 1 }, 'Waiting for your key agent'],
    ['nothing while a run goes on', { state: 'working', needsYou: 1 }, null],
    ['nothing when all is well', {}, null],
  ] as const)('names %s', (_name, parts, said) => {
    expect(attention(cannedView(parts), cannedNow)).toBe(said);
  });
});

describe('describeSession', () => {
  it.each([
    [null, 'No session open'],
    ['starting', 'Session starting'],
    ['open', 'Session open 42 min'],
    ['ending', 'Session ending'],
    ['pending', 'Not synced back yet'],
  ] as const)('says %s in words', (state, said) => {
    const session = state === null ? null : { connection: 'c', state, startedAt: ago(42) };
    expect(describeSession(cannedView({ session }), '42 min')).toBe(said);
  });
});

describe('describeEnd', () => {
  it('says kind, outcome and both amounts', () => {
    expect(describeEnd(cannedReport({ outcome: 'held' })).replace(/\u00a0/g, ' ')).toBe('Teardown: Held. 3.2 MB written, 41 MB refused.');
  });
});

describe('stopFacts', () => {
  it('words numbers by their names and shows lists with their totals', () => {
    const details = {
      files: 771,
      wouldDelete: 12,
      incomingBytes: 8_400_000,
      percent: 40,
      bytes: 5_000,
      home: '/home/ada\u202e',
      known: true,
      largest: [{ path: 'skills/web', files: 1, bytes: 5_100_000 }],
      tried: ['a', 'b'],
      nothing: null,
      deep: { odd: {} },
    };
    expect(stopFacts(details).map(({ label, values }) => [label, ...values.map((value) => value.replace(/\u00a0/g, ' '))])).toEqual([
      ['Files', '771'],
      ['Would delete', '12'],
      ['Incoming bytes', '8.4 MB'],
      ['Percent', '40 %'],
      ['Size', '5 kB'],
      ['Home', '/home/ada‹U+202E›'],
      ['Known', 'yes'],
      ['Largest', 'skills/web · 1 file · 5.1 MB'],
      ['Tried', 'a', 'b'],
    ]);
  });

  it('has nothing to say about what is no record', () => {
    expect(stopFacts(null)).toEqual([]);
    expect(stopFacts('text')).toEqual([]);
  });
});

describe('route', () => {
  it('finds its way back from any id', () => {
    for (const id of ['c-1', 'a/b', '<img>', '100%', 'ü ?#']) {
      for (const kind of ['connection', 'inspection', 'history', 'run', 'add'] as const) {
        expect(parseHash(hashOf({ kind, id }))).toEqual({ kind, id });
      }
    }
  });

  it('comes back from screens that are about nothing in particular', () => {
    for (const route of [
      { kind: 'history', id: null },
      { kind: 'add', id: null },
      { kind: 'settings' },
      { kind: 'connections' },
    ] as const) {
      expect(parseHash(hashOf(route))).toEqual(route);
    }
  });

  it('goes to the first screen for anything else', () => {
    for (const hash of ['', '#', '#/', '#/connection/', '#/connection/%', '#/run/', '#/settings/x', '#/connection/a/b', '#/elsewhere'])
      expect(parseHash(hash)).toEqual({ kind: 'connections' });
  });
});
