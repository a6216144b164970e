import { describe, expect, it } from 'vitest';
import {
  identityPath,
  isCopyName,
  isOwnName,
  makeCopyName,
  makeTemporaryName,
  parseTemporaryName,
  stateFolder,
  storedName,
  trashFolder,
} from '../../../electron/engine/state-names';
import { createRules } from '../../../shared/rules';

const rules = createRules({ platform: 'posix', folds: { case: false, unicode: false } });

describe('temporary names', () => {
  it('are recognized as what they were made from', () => {
    const parts = { kind: 'new', pid: 4_194_304, random: '0123456789abcdef' } as const;
    expect(makeTemporaryName(parts)).toBe('.ebbgate-new-4194304-0123456789abcdef');
    expect(parseTemporaryName(makeTemporaryName(parts))).toEqual(parts);
  });

  it('are not recognized in anything else', () => {
    const others = [
      '.ebbgate',
      '.ebbgate-new',
      '.ebbgate-new-0-0123456789abcdef',
      '.ebbgate-new-12-XYZ',
      '.ebbgate-old-12-0123456789abcdef',
      'x.ebbgate-new-12-0123456789abcdef',
      '.ebbgate-new-12-0123456789abcdef.md',
      '.ebbgate-new-12-0123456789abcdef\n',
      'xebbgate-new-12-0123456789abcdef',
    ];
    expect(others.map(parseTemporaryName)).toEqual(others.map(() => null));
  });

  it('are refused by the rules wherever they lie, as every own name is', () => {
    const name = makeTemporaryName({ kind: 'id', pid: 1, random: 'abcdef0123456789' });
    const paths = [`skills/${name}`, `skills/a/${name}/SKILL.md`, identityPath, trashFolder, stateFolder];
    expect(paths.map((path) => rules.judge(path, 'file'))).toEqual(
      paths.map((path) => expect.objectContaining({ kind: 'refused', rule: 'own-name', match: path.split('/').find(isOwnName) })),
    );
  });

  it('are told from names that only begin alike', () => {
    expect(['.ebbgate', '.ebbgate-x', '.ebbgated', 'ebbgate', '.ebbgate.md'].map(isOwnName)).toEqual([true, true, false, false, false]);
  });
});

describe('the name of a copy', () => {
  it('keeps the extension, names the connection in plain characters and can be numbered', () => {
    expect([
      makeCopyName('SKILL.md', 'build-box', 1),
      makeCopyName('SKILL.md', 'build-box', 3),
      makeCopyName('Makefile', 'Büro 2/..', 1),
      makeCopyName('.usage.json', '潮', 1),
      makeCopyName('.env', '', 1),
    ]).toEqual([
      'SKILL.ebbgate-copy-build-box.md',
      'SKILL.ebbgate-copy-build-box-3.md',
      'Makefile.ebbgate-copy-B-ro-2-',
      '.usage.ebbgate-copy--.json',
      '.env.ebbgate-copy-remote',
    ]);
  });

  it('fits every disk, however long name and connection are, and cuts no character in two', () => {
    const name = makeCopyName(`${'潮'.repeat(84)}.md`, 'x'.repeat(64), 12);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
    expect(name).toMatch(/^潮+\.ebbgate-copy-x{40}-12\.md$/);
  });

  it('is an own name that the rules refuse in every folder, and that no rule of the user brings back', () => {
    const path = `skills/a/${makeCopyName('SKILL.md', 'build-box', 1)}`;
    const lifted = createRules({
      platform: 'posix',
      folds: { case: true, unicode: true },
      userRules: { patterns: ['!*'], matches: () => null },
      lifted: ['skills/a', path],
    });
    for (const one of [rules, lifted]) {
      expect(one.judge(path, 'file')).toMatchObject({ kind: 'refused', rule: 'own-name', owner: 'app' });
      expect(one.judge(`${path}/SKILL.md`, 'file')).toMatchObject({ kind: 'refused', rule: 'own-name' });
    }
    expect(lifted.judge(path.toUpperCase(), 'file')).toMatchObject({ kind: 'refused', rule: 'own-name' });
    expect(isOwnName(path.slice('skills/a/'.length))).toBe(true);
  });

  it('is told from names that are only similar', () => {
    const names = ['ebbgate-copy-box.md', 'SKILL.ebbgate-copy', 'SKILL.ebbgate.md', 'my-ebbgate-copy-of.md', 'x.ebbgate-copy-box'];
    expect(names.map(isCopyName)).toEqual([false, false, false, false, true]);
    expect(names.map((name) => rules.judge(`skills/a/${name}`, 'file').kind)).toEqual(['in', 'in', 'in', 'in', 'refused']);
  });
});

describe('storedName', () => {
  it('is a flat name of one form, equal for equal paths only', () => {
    const paths = [
      'skills/a',
      'skills/A',
      'skills/a/b',
      '../../etc/passwd',
      `skills/${'x'.repeat(3000)}`,
      'skills/caf\u00e9',
      'skills/cafe\u0301',
    ];
    const names = paths.map(storedName);
    expect(names.every((name) => /^[0-9a-f]{64}$/.test(name))).toBe(true);
    expect(new Set(names).size).toBe(paths.length);
    expect(paths.map(storedName)).toEqual(names);
  });
});
