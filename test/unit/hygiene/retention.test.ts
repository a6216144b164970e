import { describe, expect, it } from 'vitest';
import { decideRetention, type RetentionOptions, type RetentionPoint } from '../../../electron/hygiene/retention';

const now = Date.UTC(2026, 10, 30, 12);
const plain: RetentionOptions = { keep: 1, keepRecent: false, includeRemoteOwn: false, now };

/** A line of a table: date, state (with `own` or `copy` on a remote that runs Hermes), what is decided and why. */
type Line = readonly [id: string, state: string, decision: string];

function decide(lines: readonly Line[], options: Partial<RetentionOptions>): readonly Line[] {
  const points = lines.map(([id, state]): RetentionPoint => {
    const [verdict = 'unknown', ...marks] = state.split(' ');
    const onHermesRemote = marks.includes('own') || marks.includes('copy');
    return { id, state: verdict as RetentionPoint['state'], onHermesRemote, copy: marks.includes('copy') };
  });
  const shuffled = points.toSorted((a, b) => (a.id.slice(-6) < b.id.slice(-6) ? -1 : 1));
  const found = decideRetention(shuffled, { ...plain, ...options });
  return found.map(({ id, decision, reason }) => [id, lines.find(([line]) => line === id)?.[1] ?? '', `${decision}: ${reason}`]);
}

const tables: readonly (readonly [string, Partial<RetentionOptions>, readonly Line[]])[] = [
  [
    'the newest verified one stays, the older ones go',
    {},
    [
      ['2026-11-29T04-00-00Z', 'verified', 'keep: newest'],
      ['2026-11-22T04-00-00Z', 'unknown', 'remove: older'],
      ['2026-11-15T04-00-00Z', 'unknown', 'remove: older'],
    ],
  ],
  [
    'a broken newest one and one that was not checked stay beside the newest verified',
    {},
    [
      ['2026-11-29T04-00-00Z', 'broken', 'keep: newer'],
      ['2026-11-28T04-00-00Z', 'unknown', 'keep: newer'],
      ['2026-11-22T04-00-00Z', 'verified', 'keep: newest'],
      ['2026-11-15T04-00-00Z', 'broken', 'remove: broken'],
      ['2026-11-08T04-00-00Z', 'unknown', 'remove: older'],
    ],
  ],
  [
    'nothing goes while none is verified',
    { keep: 1 },
    [
      ['2026-11-29T04-00-00Z', 'broken', 'keep: unchecked'],
      ['2026-11-22T04-00-00Z', 'unknown', 'keep: unchecked'],
      ['2026-11-15T04-00-00Z', 'unknown', 'keep: unchecked'],
    ],
  ],
  [
    'of one second, the one with a suffix is newer',
    {},
    [
      ['2026-11-29T04-00-00Z-02', 'verified', 'keep: newest'],
      ['2026-11-29T04-00-00Z-01', 'unknown', 'remove: older'],
      ['2026-11-29T04-00-00Z', 'unknown', 'remove: older'],
    ],
  ],
  [
    'keeping three adds two, and a broken one is none of them',
    { keep: 3 },
    [
      ['2026-11-29T04-00-00Z', 'verified', 'keep: newest'],
      ['2026-11-22T04-00-00Z', 'unknown', 'keep: number'],
      ['2026-11-15T04-00-00Z', 'broken', 'remove: broken'],
      ['2026-11-08T04-00-00Z', 'unknown', 'keep: number'],
      ['2026-11-01T04-00-00Z', 'unknown', 'remove: older'],
    ],
  ],
  [
    'keeping five of three keeps all',
    { keep: 5 },
    [
      ['2026-11-29T04-00-00Z', 'verified', 'keep: newest'],
      ['2026-11-22T04-00-00Z', 'unknown', 'keep: number'],
      ['2026-11-15T04-00-00Z', 'unknown', 'keep: number'],
    ],
  ],
  [
    'younger than 7 days goes unless that is turned on',
    {},
    [
      ['2026-11-29T04-00-00Z', 'verified', 'keep: newest'],
      ['2026-11-28T04-00-00Z', 'unknown', 'remove: older'],
    ],
  ],
  [
    'younger than 7 days stays when that is turned on, to the second',
    { keepRecent: true },
    [
      ['2026-11-29T04-00-00Z', 'verified', 'keep: newest'],
      ['2026-11-28T04-00-00Z', 'unknown', 'keep: recent'],
      ['2026-11-23T12-00-01Z', 'broken', 'keep: recent'],
      ['2026-11-23T12-00-00Z', 'unknown', 'remove: older'],
    ],
  ],
  [
    'one dated in the future stays, and is not the newest',
    {},
    [
      ['2026-11-30T12-00-01Z', 'verified', 'keep: future'],
      ['2026-11-30T12-00-00Z', 'verified', 'keep: newest'],
      ['2026-11-22T04-00-00Z', 'unknown', 'remove: older'],
    ],
  ],
  [
    'a verified one in the future proves nothing about the others',
    {},
    [
      ['2999-01-01T00-00-00Z', 'verified', 'keep: future'],
      ['2026-11-22T04-00-00Z', 'unknown', 'keep: unchecked'],
    ],
  ],
  [
    "a remote's own stay, and a copy of what is here goes",
    {},
    [
      ['2026-11-29T04-00-00Z', 'verified own', 'keep: newest'],
      ['2026-11-22T04-00-00Z', 'unknown own', 'keep: own'],
      ['2026-11-15T04-00-00Z', 'unknown copy', 'remove: copy'],
      ['2026-11-08T04-00-00Z', 'broken own', 'keep: own'],
    ],
  ],
  [
    "a remote's own go when they are included",
    { includeRemoteOwn: true },
    [
      ['2026-11-29T04-00-00Z', 'verified own', 'keep: newest'],
      ['2026-11-22T04-00-00Z', 'unknown own', 'remove: older'],
      ['2026-11-08T04-00-00Z', 'broken own', 'remove: broken'],
    ],
  ],
  ['of nothing, nothing is decided', {}, []],
];

describe('retention', () => {
  it.each(tables)('%s', (_, options, lines) => {
    expect(decide(lines, options)).toEqual(lines);
  });
});
