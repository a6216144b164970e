// Over 250 lines: every threshold is a row of one table, and they are only judged side by side.
import { describe, expect, it } from 'vitest';
import type { GrowthInput } from '../../../electron/engine/growth';
import { isUnusual, usualOf } from '../../../electron/engine/growth-figures';
import type { PlannedFile } from '../../../electron/engine/growth-tree';
import { detect, heldPaths, MB, many, planned } from './growth-plans';

const past = (...megabytes: readonly number[]) => megabytes.map((amount) => ({ files: 3, bytes: amount * MB }));

interface Row {
  readonly title: string;
  readonly files: readonly PlannedFile[];
  readonly changes?: Partial<GrowthInput>;
  readonly held: readonly string[];
}

const absolute: readonly Row[] = [
  { title: 'lets a new file just under 25 MB come', files: [planned('skills/web/a.bin', 25 * MB - 1)], held: [] },
  { title: 'holds a new file of 25 MB', files: [planned('skills/web/a.bin', 25 * MB)], held: ['skills/web/a.bin'] },
  { title: 'holds a file that grew from 10 kB to 40 MB', files: [planned('skills/web/a.md', 40 * MB, 10_000)], held: ['skills/web/a.md'] },
  { title: 'lets a large file that grew a little come', files: [planned('skills/web/a.bin', 30 * MB, 29 * MB)], held: [] },
  { title: 'holds a file that grew by 25 MB', files: [planned('skills/web/a.bin', 125 * MB, 100 * MB)], held: ['skills/web/a.bin'] },
  { title: 'lets a file that shrank come', files: [planned('skills/web/a.bin', 30 * MB, 90 * MB)], held: [] },
  {
    title: 'holds two large files one by one',
    files: [planned('skills/web/a', 26 * MB), planned('skills/notes/b', 27 * MB)],
    held: ['skills/web/a', 'skills/notes/b'],
  },
  {
    title: 'lets a new folder just under 20 MB come',
    files: [...many('skills/web/.npm', 19, MB), planned('skills/web/.npm/x', MB - 1)],
    held: [],
  },
  { title: 'holds a new folder of 20 MB', files: many('skills/web/.npm', 20, MB), held: ['skills/web/.npm'] },
  { title: 'lets 999 new files in one new folder come', files: many('skills/web/data', 999, 100), held: [] },
  { title: 'holds 1 000 new files in one new folder', files: many('skills/web/data', 1000, 100), held: ['skills/web/data'] },
  { title: 'lets 1 000 new files in a known folder come', files: many('skills/web/scripts', 1000, 100), held: [] },
  { title: 'lets 20 MB in a known folder come', files: many('skills/web/scripts', 20, MB), held: [] },
  {
    title: 'names the outermost new folder inside a skill, not the one deep inside a cache',
    files: [...many('skills/web/.npm/_cacache/content/00', 30, MB), planned('skills/web/.npm/_cacache/index', 10)],
    held: ['skills/web/.npm'],
  },
  {
    title: 'holds the cache of a new skill and lets the skill come',
    files: [planned('skills/new/SKILL.md', 2000), ...many('skills/new/.npm', 60, MB)],
    changes: { skills: new Set(['skills/new']) },
    held: ['skills/new/.npm'],
  },
  {
    title: 'holds a new skill whole when its weight lies all over it',
    files: [planned('skills/new/SKILL.md', 2000), ...many('skills/new/a', 10, MB), ...many('skills/new/b', 10, MB)],
    changes: { skills: new Set(['skills/new']) },
    held: ['skills/new'],
  },
  {
    title: 'holds the new folder around a large file in it',
    files: [planned('skills/web/out/big.bin', 30 * MB), planned('skills/web/out/log.txt', 10)],
    held: ['skills/web/out'],
  },
  {
    title: 'judges the folders of a new root one by one',
    files: [...many('skills/a', 20, MB), ...many('skills/b', 19, MB)],
    changes: { knownFolders: new Set(['skills']), skills: new Set() },
    held: ['skills/a'],
  },
  {
    title: 'lets a total just under 200 MB come',
    files: [...many('skills/web', 9, 20 * MB), planned('skills/web/x', 20 * MB - 1)],
    held: [],
  },
  {
    title: 'holds the skill that makes a total of 200 MB',
    files: [...many('skills/web', 10, 20 * MB), planned('skills/notes/x', 5)],
    held: ['skills/web'],
  },
  {
    title: 'holds everything when no single folder explains a total of 200 MB',
    files: [...many('skills/web', 6, 20 * MB), ...many('skills/notes', 6, 20 * MB)],
    held: ['skills'],
  },
  {
    title: 'lets the rest come when a held file explains a total over 200 MB',
    files: [planned('skills/web/a.bin', 250 * MB), planned('skills/notes/b', 10 * MB)],
    held: ['skills/web/a.bin'],
  },
];

const usual: readonly Row[] = [
  {
    title: 'judges the first two teardowns by absolute amounts alone',
    files: many('skills/web/scripts', 10, 10 * MB),
    changes: { usual: past(1) },
    held: [],
  },
  {
    title: 'compares from the third teardown on',
    files: many('skills/web/scripts', 10, 10 * MB),
    changes: { usual: past(1, 1) },
    held: ['skills/web/scripts'],
  },
  {
    title: 'lets five times the median come',
    files: many('skills/web/scripts', 10, 5 * MB),
    changes: { usual: past(10, 10, 10) },
    held: [],
  },
  {
    title: 'holds more than five times the median',
    files: [...many('skills/web/scripts', 10, 5 * MB), planned('skills/web/scripts/x', 1)],
    changes: { usual: past(10, 10, 10) },
    held: ['skills/web/scripts'],
  },
  {
    title: 'lets less than 20 MB above the median come, however many times it is',
    files: many('skills/web/scripts', 10, 2 * MB),
    changes: { usual: past(0.1, 0.1, 0.1) },
    held: [],
  },
  {
    title: 'holds a robust z over 3.5 under five times the median',
    files: many('skills/web/scripts', 8, 10 * MB),
    changes: { usual: past(38, 40, 42, 40, 39) },
    held: ['skills/web/scripts'],
  },
  {
    title: 'lets twice the median come when earlier amounts were all the same',
    files: many('skills/web/scripts', 8, 10 * MB),
    changes: { usual: past(40, 40, 40, 40) },
    held: [],
  },
  {
    title: 'holds everything when no single folder explains an unusual amount',
    files: [...many('skills/web/scripts', 3, 10 * MB), ...many('skills/notes', 3, 10 * MB)],
    changes: { usual: past(1, 1, 1) },
    held: ['skills'],
  },
  {
    title: 'holds an unusual number of files in a known folder',
    files: [...many('skills/web/scripts', 1100, 10, 10), planned('skills/notes/a', 10, 10)],
    changes: { usual: past(1, 1, 1) },
    held: ['skills/web/scripts'],
  },
  {
    title: 'looks at the last ten teardowns only',
    files: many('skills/web/scripts', 10, 10 * MB),
    changes: { usual: [...past(1, 1, 1, 1, 1, 1, 1, 1, 1, 1), ...past(90, 90, 90, 90, 90, 90, 90, 90, 90, 90, 90, 90)] },
    held: ['skills/web/scripts'],
  },
];

const npm = many('skills/web/.npm', 60, MB);
const mark = (files: number, bytes: number, newest: number | null = null) => ({ path: 'skills/web/.npm', files, bytes, newest });

const bigPath = 'skills/notes/big.bin';
const two = [planned('skills/web/.npm/a', 40 * MB), planned(bigPath, 30 * MB)];
const bothMarks = [
  { path: 'skills/web/.npm', files: 1, bytes: 40 * MB, newest: null },
  { path: bigPath, files: 1, bytes: 30 * MB, newest: null },
];

const decided: readonly Row[] = [
  { title: 'lets a released subtree come', files: npm, changes: { released: [mark(60, 60 * MB)] }, held: [] },
  {
    title: 'lets a released subtree come that grew a little meanwhile',
    files: many('skills/web/.npm', 79, MB),
    changes: { released: [mark(60, 60 * MB)] },
    held: [],
  },
  {
    title: 'asks again about a released subtree that grew by 20 MB and a quarter',
    files: many('skills/web/.npm', 80, MB),
    changes: { released: [mark(60, 60 * MB)] },
    held: ['skills/web/.npm'],
  },
  { title: 'leaves a declined subtree without asking', files: npm, changes: { declined: [mark(60, 60 * MB)] }, held: [] },
  {
    title: 'asks again about a declined subtree that grew past the next threshold',
    files: many('skills/web/.npm', 80, MB),
    changes: { declined: [mark(60, 60 * MB)] },
    held: ['skills/web/.npm'],
  },
  { title: 'lets come what was called expected', files: npm, changes: { expected: [mark(60, 60 * MB)] }, held: [] },
  {
    title: 'lets as much come from elsewhere',
    files: many('skills/web/.cache', 60, MB),
    changes: { expected: [mark(60, 60 * MB)] },
    held: [],
  },
  {
    title: 'holds much more than what was called expected',
    files: many('skills/web/.npm', 80, MB),
    changes: { expected: [mark(60, 60 * MB)] },
    held: ['skills/web/.npm'],
  },
  ...(['released', 'expected'] as const).flatMap((choice): readonly Row[] => [
    {
      title: `counts two ${choice} subtrees for nothing but themselves`,
      files: [...two, planned('skills/notes/small.md', 5)],
      changes: { usual: past(0, 0, 0), [choice]: bothMarks },
      held: [],
    },
    {
      title: `lets one ${choice} subtree come and keeps the other held`,
      files: [...two, planned('skills/notes/small.md', 5)],
      changes: { usual: past(0, 0, 0), [choice]: bothMarks.slice(0, 1), held: [bigPath] },
      held: [bigPath],
    },
    {
      title: `lets a ${choice} subtree come around one that waits in it`,
      files: [...npm, planned('skills/web/scripts/a', 5, 5)],
      changes: { [choice]: [{ path: 'skills/web', files: 1, bytes: 5, newest: null }], held: ['skills/web/.npm'] },
      held: ['skills/web/.npm'],
    },
  ]),
  {
    title: 'expects as much as the largest of two subtrees from elsewhere, not as their sum',
    files: [planned('skills/web/c.bin', 35 * MB), planned('skills/notes/c.bin', 35 * MB)],
    changes: { usual: past(0, 0, 0), expected: bothMarks },
    held: ['skills'],
  },
  {
    title: 'asks again about an expected file that outgrew its own amount, whatever is expected elsewhere',
    files: [planned(bigPath, 55 * MB)],
    changes: { expected: bothMarks },
    held: [bigPath],
  },
  {
    title: 'keeps a subtree held that nobody decided about, however small it became',
    files: npm.slice(0, 1),
    changes: { held: ['skills/web/.npm'] },
    held: ['skills/web/.npm'],
  },
  {
    title: 'forgets a held subtree of which nothing is left',
    files: [planned('skills/notes/a', 1)],
    changes: { held: ['skills/web/.npm'] },
    held: [],
  },
  {
    title: 'keeps a subtree held that nobody decided about, whatever is expected elsewhere',
    files: npm,
    changes: { held: ['skills/web/.npm'], expected: [{ ...mark(60, 60 * MB), path: 'skills/notes' }] },
    held: ['skills/web/.npm'],
  },
  {
    title: 'keeps the narrower of two held subtrees apart',
    files: [...npm, planned('skills/web/scripts/a', 5)],
    changes: { held: ['skills/web', 'skills/web/.npm'] },
    held: ['skills/web/.npm', 'skills/web'],
  },
];

describe('detectGrowth', () => {
  for (const [name, rows] of Object.entries({ 'absolute amounts': absolute, 'earlier teardowns': usual, decisions: decided })) {
    describe(`with ${name}`, () => {
      for (const { title, files, changes = {}, held } of rows) {
        it(title, () => {
          const verdict = detect(files, changes);
          expect(heldPaths(verdict)).toEqual(held);
          expect(verdict.alerts.map(({ culprit, holding }) => ({ culprit, holding }))).toEqual(
            held.map((culprit) => ({ culprit, holding: true })),
          );
        });
      }
    });
  }

  it('lets files come that changed after their folder was declined, when the folder is known here', () => {
    const files = [planned('skills/web/a', 5, 5, 100), planned('skills/web/b', 5, 5, 101)];
    const verdict = detect(files, { declined: [{ path: 'skills/web', files: 40, bytes: 210 * MB, newest: 100 }] });
    expect([...verdict.left]).toEqual([['skills/web/a', 'skills/web']]);
    expect(verdict.held).toEqual([]);
  });

  it('says what was measured, what is usual and what grew', () => {
    const verdict = detect([...npm, planned('skills/notes/a', 4)], { usual: past(0.4, 0.4) });
    expect(verdict.held).toEqual([
      {
        ...{ path: 'skills/web/.npm', files: 60, bytes: 60 * MB, newest: null, rule: 'folder' },
        reason: '60 MB in 60 files are new in skills/web/.npm; a session usually brings 400 kB in 3 files; nothing of it was downloaded',
      },
    ]);
    expect(verdict.alerts).toEqual([{ kind: 'growth', actual: 60 * MB, usual: 400_000, culprit: 'skills/web/.npm', holding: true }]);
  });

  it.each([
    [
      'almost nothing',
      [0, 5],
      '70 MB in 2 files want to come home, 70 MB in 2 files of it in skills; a session usually brings almost nothing;',
    ],
    [
      'whole numbers',
      [4000, 4001],
      'about 17496 times the usual amount, 70 MB in 2 files of it in skills; a session usually brings 4 kB in 1 file;',
    ],
  ] as const)('tells what is usual in words for people: %s', (_what, bytes, text) => {
    const files = [planned('skills/web/a', 24 * MB), planned('skills/notes/b', 46 * MB, 45 * MB)];
    const before = bytes.map((amount, index) => ({ files: index, bytes: amount }));
    expect(detect(files, { usual: before }).held[0]?.reason).toContain(text);
  });

  it('says from which length a file grew', () => {
    const [held] = detect([planned('skills/web/a.md', 40 * MB, 10_000)]).held;
    expect(held?.reason).toBe('skills/web/a.md grew from 10 kB to 40 MB; there is no usual amount yet; nothing of it was downloaded');
  });

  it('raises one alert for everything together, however many roots it takes', () => {
    const files = [...many('skills/web', 6, 20 * MB), ...many('memories', 6, 20 * MB), planned('memories/z', 1)];
    const verdict = detect(files, { roots: ['skills', 'memories'] });
    expect(heldPaths(verdict)).toEqual(['skills', 'memories']);
    expect(verdict.alerts).toEqual([{ kind: 'growth', actual: 240 * MB + 1, usual: 0, culprit: 'memories', holding: true }]);
  });
});

describe('what is usual', () => {
  it('is the median of bytes and of files', () => {
    expect(
      usualOf([
        { files: 1, bytes: 30 },
        { files: 9, bytes: 10 },
        { files: 5, bytes: 20 },
      ]),
    ).toEqual({ files: 5, bytes: 20 });
    expect(
      usualOf([
        { files: 1, bytes: 30 },
        { files: 3, bytes: 10 },
      ]),
    ).toEqual({ files: 2, bytes: 20 });
  });

  it('is not known before two teardowns ended', () => {
    expect(usualOf([{ files: 1, bytes: 30 }])).toBeNull();
    expect(isUnusual(1e12, [0], 20 * MB)).toBe(false);
  });

  it('takes the mean distance for the spread when more than half of the teardowns were the same', () => {
    const steady = [40, 40, 40, 40, 44].map((amount) => amount * MB);
    expect(isUnusual(61 * MB, steady, 20 * MB)).toBe(true);
    expect(
      isUnusual(
        61 * MB,
        [40, 40, 40, 40].map((amount) => amount * MB),
        20 * MB,
      ),
    ).toBe(false);
  });
});
