import { describe, expect, it } from 'vitest';
import { parseRecord, parseUnreadable, type Tier } from '../../../electron/endpoints/remote-listing';
import { createRules } from '../../../shared/rules';

/** Numbers before the path, as each tool prints them: a file of 12 bytes with mode 755, changed at 2026-01-02 03:04:05.678 UTC. */
const heads: Readonly<Record<Tier, string>> = {
  gnu: '1234 12 1767323045.6780000000 1767323046.0000000000 755 f',
  statc: '1234 12 2026-01-02 03:04:05.678000000 +0000 2026-01-02 03:04:06.000000000 +0000 755 81ed',
  bsd: '1234 12 1767323045.678000000 1767323046.000000000 100755',
};
const tiers = Object.keys(heads) as readonly Tier[];
const mtime = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const names = [
  'skills/a/SKILL.md',
  'skills/a b  c.md',
  ' leading.md',
  'skills/trailing ',
  'skills/new\nline',
  'skills/it\'s "x" $(y)',
  'skills/日本é',
];

describe.each(tiers)('a record of %s', (tier) => {
  it.each(names)('holds size, time, kind and the name as it is: %j', (name) => {
    const found = parseRecord(Buffer.from(`${heads[tier]} ${name}`), tier);
    expect(found?.path).toBe(name);
    expect({ ...found?.entry, mtime: Math.round(found?.entry.mtime ?? 0) }).toEqual({
      ...{ kind: 'file', size: 12, mtime, executable: true, hash: null, stamp: '' },
    });
  });

  it('tells kinds and execute bits apart', () => {
    const changed: Readonly<Record<Tier, readonly [string, string, string]>> = {
      gnu: [heads.gnu.replace('755 f', '644 f'), heads.gnu.replace('755 f', '777 l'), heads.gnu.replace('755 f', '644 p')],
      statc: [
        heads.statc.replace('755 81ed', '644 81a4'),
        heads.statc.replace('755 81ed', '777 a1ff'),
        heads.statc.replace('755 81ed', '644 11a4'),
      ],
      bsd: [heads.bsd.replace('100755', '100644'), heads.bsd.replace('100755', '120777'), heads.bsd.replace('100755', '10644')],
    };
    const entries = changed[tier].map((head) => parseRecord(Buffer.from(`${head} x`), tier)?.entry);
    expect(entries.map((entry) => [entry?.kind, entry?.executable])).toEqual([
      ['file', false],
      ['link', true],
      ['other', false],
    ]);
  });

  it('is none when numbers are missing or are no numbers', () => {
    const [inode, , ...rest] = heads[tier].split(' ');
    const broken = [
      '',
      'skills/a.md',
      heads[tier],
      `${inode} twelve ${rest.join(' ')} x`,
      `${inode} -1 ${rest.join(' ')} x`,
      `${inode} 1e30 ${rest.join(' ')} x`,
    ];
    for (const text of broken) expect([text, parseRecord(Buffer.from(text), tier)]).toEqual([text, null]);
  });

  it('has a name that the rules refuse when it is no UTF-8', () => {
    const found = parseRecord(Buffer.concat([Buffer.from(`${heads[tier]} skills/bad`), Buffer.from([0xff])]), tier);
    const rules = createRules({ platform: 'posix', folds: { case: false, unicode: false } });
    expect(rules.judge(found?.path ?? '', 'file')).toMatchObject({ kind: 'refused', rule: 'unstorable-name' });
  });
});

describe('parseUnreadable', () => {
  const roots = ['skills', 'plugins/a'];
  it.each([
    ['GNU find', "find: 'skills/a': Permission denied", 'skills/a'],
    ['GNU find, a name with a colon', "find: 'skills/a: b': Permission denied", 'skills/a: b'],
    ['GNU find, escaped bytes of a name', "find: 'skills/caf\\303\\251/\\346\\227\\245': Permission denied", 'skills/café/日'],
    ['GNU find, an escaped newline, quote and backslash', "find: 'skills/a\\nb\\'c\\\\303': Permission denied", "skills/a\nb'c\\303"],
    ['busybox, toybox and BSD', 'find: skills/a b: Permission denied', 'skills/a b'],
    ['busybox, a backslash that means itself', 'find: skills/a\\303: Permission denied', 'skills/a\\303'],
    ['a root', "find: 'plugins/a': Input/output error", 'plugins/a'],
    ['a path below another root', 'find: plugins/a/b: Permission denied', 'plugins/a/b'],
  ])('finds the path in a complaint of %s', (_name, complaint, path) => {
    expect(parseUnreadable(complaint, roots)).toEqual([path]);
  });

  it.each([
    ['names no path', 'find: out of memory'],
    ['is nothing', ''],
    ['names a path outside the roots', "find: '/etc/shadow': Permission denied"],
    ['names a path that only begins like a root', 'find: skillset: Permission denied'],
    ['comes from another tool', "stat: cannot statx 'skills/a': Permission denied"],
    ['stands for too many', '*'],
    ['is the first line of a name with a newline', 'find: skills/new'],
    ['is the last line of a name with a newline', 'skills/line: Permission denied'],
    ['holds an escape that nobody knows', "find: 'skills/a\\q': Permission denied"],
  ])('takes every root for unknown when the complaint %s', (_name, complaint) => {
    expect(parseUnreadable(complaint, roots)).toEqual(roots);
  });
});
