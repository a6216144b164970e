import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RuleOptions } from '../../../shared/rules';
import { all, anyKind, anyOptions, anyPath, exact, foldsBoth, foldsCase, make, rules, said, saidOf } from './rule-samples';

describe('names that the disk cannot store', () => {
  it('are refused on Windows', () => {
    const paths = [
      'con',
      'CON',
      'con.md',
      'Aux.tar.gz',
      'nul',
      'COM1',
      'lpt9.txt',
      'com¹',
      'conin$',
      'a:b',
      '2026-05-01T13:05.md',
      'a?',
      'a*',
      '<a>',
      'a|b',
      'a"b',
      'trailing.',
      'trailing ',
      'tab\there',
      'PROGRA~1',
      'skill~12.md',
    ].map((name) => `skills/a/${name}`);
    expect(saidOf(paths, { platform: 'win32' })).toEqual(all(paths, 'unstorable-name'));
    expect(saidOf(paths)).toEqual(all(paths, 'in'));
    const folders = paths.map((path) => `${path}/SKILL.md`);
    expect(saidOf(folders, { platform: 'win32' })).toEqual(all(folders, 'unstorable-name'));
  });

  it('are not seen in names that only resemble them', () => {
    const paths = ['console.md', 'com.md', 'com10', 'auxiliary', 'nul-values.md', 'lpt', 'a.b.md', 'a ~ b.md', 'toolongname~1.md'].map(
      (name) => `skills/${name}`,
    );
    expect(saidOf(paths, { platform: 'win32' })).toEqual(all(paths, 'in'));
  });

  it('are refused where they are too long, counted as the disk counts', () => {
    const longest = { ascii: 'a'.repeat(255), accents: 'é'.repeat(127), waves: '🌊'.repeat(63) };
    for (const name of Object.values(longest)) {
      expect(said(rules.judge(`skills/${name}`, 'file'))).toBe('in');
      expect(said(rules.judge(`skills/${name}${name[0] === 'a' ? 'a' : '🌊'}`, 'file'))).toBe('unstorable-name');
    }
    expect(said(make({ platform: 'win32' }).judge(`skills/${'🌊'.repeat(127)}`, 'file'))).toBe('in');
    expect(said(make({ platform: 'win32' }).judge(`skills/${'🌊'.repeat(128)}`, 'file'))).toBe('unstorable-name');
  });

  it('are refused when they are no valid UTF-8, or the path is too long', () => {
    expect(said(rules.judge('skills/bad\ufffd.md', 'file'))).toBe('unstorable-name');
    expect(said(rules.judge(`skills/${Array.from({ length: 40 }, () => 'a'.repeat(100)).join('/')}`, 'file'))).toBe('unstorable-name');
  });
});

describe('fold', () => {
  it('is stable, keeps the shape of the path, and is the path itself on an exact disk', () => {
    const property = fc.property(anyPath, anyOptions, (path, options) => {
      const folding = make(options);
      const folded = folding.fold(path);
      expect(folding.fold(folded)).toBe(folded);
      expect(folded.split('/').length).toBe(path.split('/').length);
      expect(rules.fold(path)).toBe(path);
    });
    fc.assert(property);
  });

  it('brings together what the disk takes for one, and nothing else', () => {
    const same = ([a, b]: readonly [string, string], folds: RuleOptions['folds']) =>
      make({ folds }).fold(`skills/${a}`) === make({ folds }).fold(`skills/${b}`);
    const byCase = ['README.md', 'Readme.md'] as const;
    const byForm = ['caf\u00e9.md', 'cafe\u0301.md'] as const;
    const byBoth = ['CAF\u00c9.md', 'cafe\u0301.md'] as const;
    const ignored = ['a\u200db.md', 'ab.md'] as const;
    const table = [byCase, byForm, byBoth, ignored].map((pair) => [same(pair, exact), same(pair, foldsCase), same(pair, foldsBoth)]);
    expect(table).toEqual([
      [false, true, true],
      [false, false, true],
      [false, false, true],
      [false, false, true],
    ]);
  });

  it('gives paths with equal folds one verdict, so that no spelling slips past', () => {
    const property = fc.property(anyPath, anyKind, (path, kind) => {
      const folding = make({ folds: foldsBoth });
      const other = folding.fold(path);
      fc.pre(other.normalize('NFC').length > 0 && !other.split('/').includes('') && Buffer.byteLength(path) < 200);
      const verdicts = [folding.judge(path, kind), folding.judge(other, kind)].map(said);
      fc.pre(!verdicts.includes('invalid-path'));
      expect(verdicts[0]).toBe(verdicts[1]);
    });
    fc.assert(property);
  });
});
