import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { excludedNames } from '../../../shared/rules';
import { all, anyKind, anyOptions, anyPath, foldsBoth, foldsCase, make, plainPath, rules, said, saidOf } from './rule-samples';

describe('the excluded names', () => {
  it('are the sixteen that Hermes has', () => {
    expect([...excludedNames].sort()).toEqual([
      '.archive',
      '.curator_backups',
      '.git',
      '.github',
      '.hub',
      '.locks',
      '.mypy_cache',
      '.nox',
      '.pytest_cache',
      '.ruff_cache',
      '.tox',
      '.venv',
      '__pycache__',
      'node_modules',
      'site-packages',
      'venv',
    ]);
  });

  it('refuse everything at and below them, at any depth, whatever its kind', () => {
    const property = fc.property(
      plainPath,
      fc.constantFrom(...excludedNames),
      fc.option(plainPath),
      anyKind,
      (above, name, below, kind) => {
        const path = `${above}/${name}${below === null ? '' : `/${below}`}`;
        expect(rules.judge(path, kind)).toEqual({ kind: 'refused', rule: 'excluded-name', owner: 'hermes', match: name });
        expect(rules.descends(path)).toBe(false);
        expect(rules.treeOf(path)).toBe(name);
      },
    );
    fc.assert(property);
  });

  it('refuse a file of that name', () => {
    expect(saidOf(excludedNames.map((name) => `skills/a/${name}`))).toEqual(
      all(
        excludedNames.map((name) => `skills/a/${name}`),
        'excluded-name',
      ),
    );
  });

  it('refuse whole names only', () => {
    const paths = excludedNames.flatMap((name) => [
      `skills/${name}x/a.md`,
      `skills/x${name}/a.md`,
      `skills/${name}-guide.md`,
      `skills/${name}.md`,
    ]);
    expect(saidOf(paths)).toEqual(all(paths, 'in'));
  });

  it('are named by the outermost one', () => {
    expect(rules.treeOf('skills/a/.venv/lib/site-packages/x/__pycache__/y.pyc')).toBe('.venv');
    expect(rules.treeOf('skills/a/SKILL.md')).toBe(null);
  });

  it('are compared exactly where the disk tells names apart, and folded where it does not', () => {
    const paths = ['skills/.GIT/config', 'skills/Node_Modules/x.js', 'skills/VENV', 'skills/a/.Hub/lock.json'];
    expect(saidOf(paths)).toEqual(all(paths, 'in'));
    expect(saidOf(paths, { folds: foldsCase })).toEqual(all(paths, 'excluded-name'));
  });

  it('are found behind code points that the disk ignores, and behind letters that fold to theirs', () => {
    const paths = [
      'skills/.g\u200cit/config',
      'skills/.\ufeffhub/x',
      'skills/\u202evenv/x',
      'skills/.git\u206f/x',
      'skills/\u017fite-packages/x',
    ];
    expect(saidOf(paths)).toEqual(all(paths, 'in'));
    expect(saidOf(paths, { folds: foldsBoth })).toEqual(all(paths, 'excluded-name'));
  });
});

describe('a verdict', () => {
  it('is the same whoever asks, in whatever order', () => {
    const property = fc.property(fc.array(fc.tuple(anyPath, anyKind), { maxLength: 20 }), anyOptions, (asked, options) => {
      const push = make(options);
      const syncBack = make(options);
      const there = asked.map(([path, kind]) => push.judge(path, kind));
      const back = [...asked]
        .reverse()
        .map(([path, kind]) => syncBack.judge(path, kind))
        .reverse();
      expect(back).toEqual(there);
      expect(syncBack.fingerprint).toBe(push.fingerprint);
    });
    fc.assert(property);
  });

  it('never lets in what lies below a folder that is not entered', () => {
    const property = fc.property(anyPath, anyOptions, (path, options) => {
      const judging = make(options);
      const names = path.split('/');
      const folders = names.slice(0, -1).map((_, index) => names.slice(0, index + 1).join('/'));
      if (folders.every((folder) => judging.descends(folder))) return;
      expect(judging.judge(path, 'file').kind).toBe('refused');
    });
    fc.assert(property);
  });

  it('never depends on the names of other files', () => {
    const property = fc.property(plainPath, anyKind, (path, kind) => {
      expect(said(rules.judge(path, kind))).toBe(kind === 'link' ? 'symbolic-link' : kind === 'other' ? 'special-file' : 'in');
    });
    fc.assert(property);
  });

  it('refuses everything that could lead outside a root', () => {
    const paths = [
      '',
      '/etc/passwd',
      '..',
      'skills/..',
      'skills/../x',
      '../skills/a',
      'skills//a',
      'skills/a/',
      'skills/./a',
      'skills/a\0b',
      'skills\\a',
      'skills/a\\..\\b',
    ];
    expect(saidOf(paths)).toEqual(all(paths, 'invalid-path'));
    const property = fc.property(fc.array(fc.constantFrom('a', '..', '.', '', 'b'), { minLength: 1, maxLength: 6 }), (names) => {
      fc.pre(names.some((name) => name === '..' || name === '.' || name === ''));
      expect(said(rules.judge(names.join('/'), 'file'))).toBe('invalid-path');
    });
    fc.assert(property);
  });

  it('refuses the names that this app makes, folded where the disk folds', () => {
    const paths = ['skills/.ebbgate', 'skills/a/.ebbgate-new-12-0123abcd', '.ebbgate/id', 'skills/.ebbgate/x'];
    expect(saidOf(paths)).toEqual(all(paths, 'own-name'));
    expect(saidOf(['skills/.EBBGATE-x'], { folds: foldsCase })).toEqual({ 'skills/.EBBGATE-x': 'own-name' });
    expect(saidOf(['skills/.ebbgated', 'skills/ebbgate'])).toEqual({ 'skills/.ebbgated': 'in', 'skills/ebbgate': 'in' });
  });
});
