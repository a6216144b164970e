import { describe, expect, it } from 'vitest';
import {
  cacheFolder,
  identityPath,
  isOwnName,
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
    const paths = [`skills/${name}`, `skills/a/${name}/SKILL.md`, identityPath, trashFolder, cacheFolder('laptop'), stateFolder];
    expect(paths.map((path) => rules.judge(path, 'file'))).toEqual(
      paths.map((path) => expect.objectContaining({ kind: 'refused', rule: 'own-name', match: path.split('/').find(isOwnName) })),
    );
  });

  it('are told from names that only begin alike', () => {
    expect(['.ebbgate', '.ebbgate-x', '.ebbgated', 'ebbgate', '.ebbgate.md'].map(isOwnName)).toEqual([true, true, false, false, false]);
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
