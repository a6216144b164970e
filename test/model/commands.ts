import fc from 'fast-check';
import { resolutions } from '../../shared/inbox';

const sideOf = fc.constantFrom('local', 'remote');
/** Which of what is there; the number is taken modulo. */
const which = fc.nat(1000);

/** Folders and files a user has. Bookkeeping and databases among them never cross. */
export const skillNames = ['a', 'b', 'c', 'd'] as const;
export const fileNames = ['SKILL.md', 'notes.md', 'run.sh', 'deep/er/data.txt', 'node_modules/m.js', 'cache.db'] as const;
export const lonePaths = ['skills/lone.md', 'skills/.usage.json', 'skills/.curator_backups/old/archive.txt'] as const;
/** What a user's own rule keeps where it is. */
export const userRule = '/skills/c/';

export const poolPaths: readonly string[] = [
  ...lonePaths,
  ...skillNames.flatMap((skill) => fileNames.map((file) => `skills/${skill}/${file}`)),
];

const path = fc.constantFrom(...poolPaths);
const skill = fc.constantFrom(...skillNames);
const how = fc.constantFrom('in place', 'replace', 'stealth');

const anyUserCommand = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('edit'), side: sideOf, path, how }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('edit there'), side: sideOf, which, how }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('same edit'), path }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('remove'), side: sideOf, which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove skill'), side: sideOf, skill }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('chmod'), side: sideOf, which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('rename'), side: sideOf, which, path }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rename skill'), side: sideOf, skill, to: skill }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('link'), side: sideOf, which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('link folder'), side: sideOf, skill }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('clash'), side: sideOf, skill }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('unlink'), side: sideOf }) },
);

const trouble = fc.record({
  kill: fc.option(fc.record({ at: fc.integer({ min: 1, max: 60 }), when: fc.constantFrom('before', 'after') }), { freq: 3 }),
  cut: fc.option(fc.record({ after: fc.nat(30) }), { freq: 5 }),
  fault: fc.option(
    fc.record({
      at: fc.nat(40),
      when: fc.constantFrom('before', 'after'),
      code: fc.constantFrom('ENOSPC', 'EACCES', 'EBUSY', 'EROFS', 'EIO'),
    }),
    { freq: 5 },
  ),
  meanwhile: fc.option(anyUserCommand, { freq: 4 }),
});

const anyAppCommand = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('push'), trouble }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('sync-back'), trouble }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('resolve'), which, choice: fc.constantFrom(...resolutions), trouble }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('undo'), trouble }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('revoke'), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lose memory') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('damage baseline') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('toggle rule') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('set clock back'), hours: fc.constantFrom(1, 24, 24 * 365) }) },
);

type Made<T> = T extends fc.Arbitrary<infer V> ? V : never;
/** Something a user does to files. Plain data, so that a failure prints and shrinks. */
export type UserCommand = Made<typeof anyUserCommand>;
export type AppCommand = Made<typeof anyAppCommand>;
export type Trouble = Made<typeof trouble>;

export const anyHistory = fc.record({
  options: fc.record({ newSkills: fc.constantFrom('bring' as const, 'review' as const), executableBits: fc.boolean() }),
  commands: fc.array(fc.oneof({ weight: 5, arbitrary: anyUserCommand }, { weight: 4, arbitrary: anyAppCommand }), {
    minLength: 1,
    maxLength: 40,
    size: 'max',
  }),
});

export type History = Made<typeof anyHistory>;
