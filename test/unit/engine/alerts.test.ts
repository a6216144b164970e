import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nothingAlerted, type PastTeardown, type TeardownFigures, teardownAlerts } from '../../../electron/engine/alerts';
import { emptyLedger } from '../../../electron/engine/ledger';

const MB = 1_000_000;

function refused(trees: Readonly<Record<string, number>>, estimated = false): TeardownFigures['refused'] {
  const byTree = Object.fromEntries(Object.entries(trees).map(([name, bytes]) => [name, { files: 1, bytes }]));
  const bytes = Object.values(trees).reduce((sum, amount) => sum + amount, 0);
  const all = { files: Object.keys(trees).length, bytes };
  return { ...emptyLedger.refused, ...all, estimated, byTree, byRule: { 'excluded-name': all } };
}

function past(changes: Partial<PastTeardown> = {}): PastTeardown {
  return { incoming: { files: 1, bytes: 100 }, removed: { files: 0, bytes: 0 }, bookkeeping: 0, restorePoints: 0, ...changes };
}

function alertsOf(changes: Partial<TeardownFigures>) {
  return teardownAlerts({
    ...{ refused: refused({}), skills: 50 * MB, incoming: { files: 1, bytes: 100 }, removed: [], past: [], alerted: nothingAlerted },
    ...changes,
  });
}

const kinds = (changes: Partial<TeardownFigures>) => alertsOf(changes).alerts.map(({ kind }) => kind);
const removed = (count: number, folder = 'skills/web') =>
  Array.from({ length: count }, (_, index) => ({ path: `${folder}/f${index}`, bytes: 10 }));
const incoming = (bytes: number) => ({ files: 1, bytes });

describe('refused bookkeeping', () => {
  it('alerts from 20 MB on, names the largest tree and holds nothing', () => {
    expect(alertsOf({ refused: refused({ node_modules: 19 * MB, '.git': MB - 1 }) }).alerts).toEqual([]);
    expect(alertsOf({ refused: refused({ node_modules: 19 * MB, '.git': MB }) }).alerts).toEqual([
      { kind: 'refused-bookkeeping', actual: 20 * MB, usual: 0, culprit: 'node_modules', holding: false },
    ]);
  });

  it.each([
    { now: 44, before: 25, alerts: false, why: 'not 20 MB more' },
    { now: 45, before: 25, alerts: true, why: '20 MB and a quarter more' },
    { now: 120, before: 100, alerts: false, why: 'not a quarter more' },
    { now: 125, before: 100, alerts: true, why: 'a quarter more' },
    { now: 80, before: 100, alerts: false, why: 'less than before' },
  ])('comes again at $now MB after $before MB: $alerts, since it is $why', ({ now, before, alerts }) => {
    const figures = { refused: refused({ '.git': now * MB }), alerted: { bookkeeping: before * MB, restorePoints: null } };
    expect(kinds(figures)).toEqual(alerts ? ['refused-bookkeeping'] : []);
    expect(alertsOf(figures).alerted.bookkeeping).toBe((alerts ? now : before) * MB);
  });

  it('is news again after a clean-up', () => {
    const cleaned = alertsOf({ refused: refused({ '.git': MB }), alerted: { bookkeeping: 900 * MB, restorePoints: null } });
    expect(cleaned).toEqual({ alerts: [], alerted: { bookkeeping: MB, restorePoints: null } });
    expect(kinds({ refused: refused({ '.git': 22 * MB }), alerted: cleaned.alerted })).toEqual(['refused-bookkeeping']);
  });

  it('is not taken for cleaned up when it was not counted to the end', () => {
    const alerted = { bookkeeping: 900 * MB, restorePoints: 500 * MB };
    expect(alertsOf({ refused: refused({}, true), alerted })).toEqual({ alerts: [], alerted });
  });

  it('does not alert twice without growth, whatever the amounts in between', () => {
    fc.assert(
      fc.property(fc.integer({ min: 20, max: 500 }), fc.array(fc.integer({ min: 51, max: 100 }), { maxLength: 10 }), (most, shares) => {
        let { alerts, alerted } = alertsOf({ refused: refused({ '.git': most * MB }) });
        expect(alerts).toHaveLength(1);
        for (const share of shares) {
          ({ alerts, alerted } = alertsOf({ refused: refused({ '.git': (most * MB * share) / 100 }), alerted }));
          expect(alerts).toEqual([]);
        }
      }),
    );
  });
});

describe('restore points', () => {
  it.each([
    { bytes: 9.9, skills: 1, alerts: false, why: 'less than ten times the skills' },
    { bytes: 10, skills: 1, alerts: true, why: 'ten times the skills' },
    { bytes: 0.9, skills: 0.01, alerts: false, why: 'too little to matter' },
  ])('of $bytes MB beside $skills MB of skills alert: $alerts, since it is $why', ({ bytes, skills, alerts }) => {
    expect(kinds({ refused: refused({ '.curator_backups': bytes * MB }), skills: skills * MB })).toEqual(alerts ? ['restore-points'] : []);
  });

  it.each([
    { series: [4, 8, 16], alerts: true, why: 'they doubled twice' },
    { series: [4, 8, 15.9], alerts: false, why: 'the last step is smaller' },
    { series: [5, 8, 16], alerts: false, why: 'the first step is smaller' },
    { series: [8, 16], alerts: false, why: 'two teardowns are no row' },
    { series: [0, 8, 16], alerts: false, why: 'nothing cannot double' },
  ])('of $series MB in a row alert: $alerts, since $why', ({ series, alerts }) => {
    const [now = 0, ...before] = series.toReversed();
    const figures = {
      refused: refused({ '.curator_backups': now * MB }),
      past: before.map((bytes) => past({ restorePoints: bytes * MB })),
    };
    expect(kinds(figures)).toEqual(alerts ? ['restore-points'] : []);
  });

  it('alert once, and again after they grew by 20 MB and a quarter', () => {
    const alerted = { bookkeeping: 500 * MB, restorePoints: 100 * MB };
    const at = (bytes: number) => kinds({ refused: refused({ '.curator_backups': bytes * MB }), skills: MB, alerted });
    expect([at(100), at(124), at(125)]).toEqual([[], [], ['restore-points']]);
  });
});

describe('a teardown with less than usual', () => {
  const usual = [past({ incoming: incoming(50 * MB) }), past({ incoming: incoming(50 * MB) })];
  it.each([
    { now: 25, history: usual, alerts: false, why: 'half the usual is enough' },
    { now: 24.9, history: usual, alerts: true, why: 'it is under half the usual' },
    { now: 0, history: usual.slice(1), alerts: false, why: 'one teardown makes no usual amount' },
    {
      now: 0,
      history: [past({ incoming: incoming(19 * MB) }), past({ incoming: incoming(19 * MB) })],
      alerts: false,
      why: '19 MB are too little to matter',
    },
  ])('of $now MB alerts: $alerts, since $why', ({ now, history, alerts }) => {
    expect(kinds({ incoming: incoming(now * MB), past: history })).toEqual(alerts ? ['shrink'] : []);
  });

  it('alerts about many removed files and names their folder', () => {
    const files = [...removed(19, 'skills/web/pages'), ...removed(1, 'skills/git')];
    expect(alertsOf({ removed: files, past: [past(), past()] }).alerts).toEqual([
      { kind: 'shrink', actual: 200, usual: 0, culprit: 'skills/web/pages', holding: false },
    ]);
  });

  it.each([
    { count: 19, usually: 0, teardowns: 2, alerts: false, why: 'they are few' },
    { count: 20, usually: 4, teardowns: 2, alerts: false, why: 'that is five times the usual number' },
    { count: 21, usually: 4, teardowns: 2, alerts: true, why: 'that is more than five times the usual number' },
    { count: 90, usually: 0, teardowns: 1, alerts: false, why: 'one teardown makes no usual number' },
  ])('with $count removed files alerts: $alerts, since $why', ({ count, usually, teardowns, alerts }) => {
    const history = Array.from({ length: teardowns }, () => past({ removed: { files: usually, bytes: 0 } }));
    expect(kinds({ removed: removed(count), past: history })).toEqual(alerts ? ['shrink'] : []);
  });
});
