import { describe, expect, it } from 'vitest';
import {
  describeRestorePoints,
  type FoundArchive,
  type FoundPoint,
  idsToVerify,
  idTime,
  isRestorePointId,
  markCopies,
  readCuratorManifest,
} from '../../../electron/hygiene/restore-points';

const present = (size: number, gzip: boolean | null = null, sha256: string | null = null): FoundArchive => ({
  state: 'present',
  size,
  gzip,
  sha256,
});
const point = (id: string, archive: FoundArchive, manifest: string | null = null): FoundPoint => ({ id, bytes: 100, archive, manifest });
const day = (number: number, more = ''): string => `2026-05-0${number}T13-05-42Z${more}`;

describe('isRestorePointId', () => {
  it.each([
    ['2026-05-01T13-05-42Z', true],
    ['2026-05-01T13-05-42Z-01', true],
    ['2024-02-29T00-00-00Z', true],
    ['2026-02-29T00-00-00Z', false],
    ['2026-13-01T00-00-00Z', false],
    ['2026-05-01T24-00-00Z', false],
    ['2026-05-01T13-05-42Z (copy)', false],
    ['2026-05-01T13-05-42Z-1', false],
    ['2026-05-01T13-05-42Z-001', false],
    ['2026-05-01T13-05-42Z\n', false],
    ['2026-05-01T13:05:42Z', false],
    ['2026-05-01t13-05-42z', false],
    [' 2026-05-01T13-05-42Z', false],
    ['before-trip', false],
    ['.rollback-staging-x', false],
    ['', false],
  ])('takes %j for one: %s', (name, expected) => {
    expect(isRestorePointId(name)).toBe(expected);
  });

  it('reads the time from the id', () => {
    expect(idTime('2026-05-01T13-05-42Z-07')).toBe(Date.UTC(2026, 4, 1, 13, 5, 42));
  });
});

describe('readCuratorManifest', () => {
  const nothing = { reason: null, createdAt: null, archiveBytes: null };
  it.each([
    ['there is none', null, nothing],
    ['it was cut off', '{"reason": "manual", "arch', nothing],
    ['it is no object', '[1, 2]', nothing],
    ['values have other types', '{"reason": 7, "created_at": {}, "archive_bytes": "12"}', nothing],
    ['values make no sense', '{"reason": "", "created_at": "yesterday", "archive_bytes": -1}', nothing],
    [
      'it is whole',
      '{"reason": "pre-run", "created_at": "2026-05-01T15:05:42+02:00", "archive_bytes": 12}',
      { reason: 'pre-run', createdAt: '2026-05-01T13:05:42.000Z', archiveBytes: 12 },
    ],
  ])('when %s', (_, text, expected) => {
    expect(readCuratorManifest(text)).toEqual(expected);
  });
});

describe('describeRestorePoints', () => {
  it.each([
    ['has no archive', { state: 'missing' }, null, false, 'it has no archive'],
    ['has an archive that cannot be read', { state: 'unreadable' }, null, null, 'its archive cannot be read'],
    [
      'has another length than its manifest says',
      present(9, true),
      '{"archive_bytes": 10}',
      false,
      'its archive has 9 bytes, its manifest says 10',
    ],
    ['has an empty archive', present(0), null, false, 'its archive is empty'],
    ['is damaged', present(9, false), null, false, 'its archive is damaged: it cannot be unpacked to the end'],
    ['was not checked', present(9), '{"archive_bytes": 9}', null, null],
    ['was checked', present(9, true), null, true, null],
  ] as const)('says whether it is restorable when it %s', (_, archive, manifest, restorable, problem) => {
    const [described] = describeRestorePoints([point(day(1), archive, manifest)]);
    expect({ restorable: described?.restorable, problem: described?.problem }).toEqual({ restorable, problem });
  });

  it('orders by id, newest first, and leaves out foreign names', () => {
    const names = [day(1), day(3), 'before-trip', day(2), day(2, '-01'), `${day(3)} (copy)`];
    expect(describeRestorePoints(names.map((name) => point(name, present(1)))).map(({ id }) => id)).toEqual([
      day(3),
      day(2, '-01'),
      day(2),
      day(1),
    ]);
  });
});

describe('idsToVerify', () => {
  it('goes from the newest on and leaves out what is known to be broken', () => {
    const points = [
      point(day(1), present(5)),
      point(day(2), present(5), '{"archive_bytes": 6}'),
      point(day(3), { state: 'missing' }),
      point(day(4), present(5), '{"archive_bytes": 5}'),
      point('before-trip', present(5)),
    ];
    expect(idsToVerify(points)).toEqual([day(4), day(1)]);
  });
});

describe('markCopies', () => {
  const points = describeRestorePoints([point(day(1), present(5))]);
  const marked = (here: FoundArchive, there: FoundArchive | null): boolean | undefined =>
    markCopies(points, new Map([[day(1), here]]), new Map(there === null ? [] : [[day(1), there]]))[0]?.copyOfOtherSide;

  it.each([
    ['both have the same length and hash', present(5, null, 'aa'), present(5, null, 'aa'), true],
    ['the hashes differ', present(5, null, 'aa'), present(5, null, 'bb'), false],
    ['the lengths differ', present(5, null, 'aa'), present(6, null, 'aa'), false],
    ['neither hash is known', present(5), present(5), false],
    ['one hash is not known', present(5, null, 'aa'), present(5), false],
    ['the other side has none of that id', present(5, null, 'aa'), null, false],
    ['the other side has no archive', present(5, null, 'aa'), { state: 'missing' }, false],
  ] as const)('when %s', (_, here, there, expected) => {
    expect(marked(here, there)).toBe(expected);
  });
});
