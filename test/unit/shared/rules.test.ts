import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRules, type EntryKindForRules, excludedNames, type RuleOptions, type Verdict } from '../../../shared/rules';

const exact = { case: false, unicode: false };
const foldsCase = { case: true, unicode: false };
const foldsBoth = { case: true, unicode: true };
const make = (options: Partial<RuleOptions> = {}) => createRules({ platform: 'posix', folds: exact, ...options });
const rules = make();

/** What decided, in one word. */
function said(verdict: Verdict): string {
  return verdict.kind === 'refused' ? verdict.rule : verdict.kind;
}
const saidOf = (paths: readonly string[], options: Partial<RuleOptions> = {}, kind: EntryKindForRules = 'file') =>
  Object.fromEntries(paths.map((path) => [path, said(make(options).judge(path, kind))]));
const all = (paths: readonly string[], verdict: string) => Object.fromEntries(paths.map((path) => [path, verdict]));

const plainName = fc.stringMatching(/^[a-z][a-z0-9 _é潮-]{0,11}[a-z0-9]$/).filter((name) => !excludedNames.includes(name));
const anyName = fc.oneof(
  plainName,
  fc.constantFrom(...excludedNames),
  fc.string({ minLength: 1, maxLength: 12 }),
  fc.constantFrom('.ebbgate', '..', '.DS_Store', 'x.db', 'SKILL.md'),
);
const plainPath = fc.array(plainName, { minLength: 1, maxLength: 5 }).map((names) => ['skills', ...names].join('/'));
const anyPath = fc.array(anyName, { minLength: 1, maxLength: 5 }).map((names) => ['skills', ...names].join('/'));
const anyKind = fc.constantFrom<EntryKindForRules>('file', 'directory', 'link', 'other');
const anyOptions = fc.record({
  platform: fc.constantFrom<RuleOptions['platform']>('posix', 'win32'),
  folds: fc.constantFrom(exact, foldsCase, foldsBoth),
});

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

describe('file rules', () => {
  it('refuse databases, runtime files and metadata by name, as files only', () => {
    const expected = {
      'skills/a/x.db': 'database',
      'skills/a/x.db-wal': 'database',
      'skills/a/x.db-shm': 'database',
      'skills/a/x.sqlite': 'database',
      'skills/a/x.sqlite3-journal': 'database',
      'skills/a/x.sock': 'runtime-file',
      'skills/a/x.pid': 'runtime-file',
      'skills/a/.DS_Store': 'os-metadata',
      'skills/a/._x': 'os-metadata',
      'skills/a/x.db.md': 'in',
      'skills/a/xdb': 'in',
      'skills/a/DS_Store': 'in',
      'skills/a/pid': 'in',
      'skills/x.db/SKILL.md': 'in',
    };
    expect(saidOf(Object.keys(expected))).toEqual(expected);
    expect(said(rules.judge('skills/x.db', 'directory'))).toBe('in');
  });

  it('can be lifted for a path and what lies below it, which lifts nothing else', () => {
    const lifted = ['skills/shop'];
    expect(saidOf(['skills/shop/data/x.db', 'skills/shop/.DS_Store', 'skills/shopping/x.db', 'skills/x.db'], { lifted })).toEqual({
      'skills/shop/data/x.db': 'in',
      'skills/shop/.DS_Store': 'in',
      'skills/shopping/x.db': 'database',
      'skills/x.db': 'database',
    });
    expect(saidOf(['skills/shop/.git/x', 'skills/shop/.ebbgate'], { lifted })).toEqual({
      'skills/shop/.git/x': 'excluded-name',
      'skills/shop/.ebbgate': 'own-name',
    });
    expect(saidOf(['skills/shop/link'], { lifted }, 'link')).toEqual({ 'skills/shop/link': 'symbolic-link' });
  });

  it('reach the remote as one expression that agrees with the verdicts', () => {
    const expression = new RegExp(rules.remoteFilter.filePattern ?? '(?!)');
    const names = fc.oneof(
      plainName,
      fc.constantFrom('x.db', 'y.sqlite3', 'a.sock', '.DS_Store', '._z', 'p.pid', 'db', 'x.dbx', 'x.db-wal'),
    );
    const property = fc.property(plainPath, names, (folder, name) => {
      const path = `${folder}/${name}`;
      const byName = ['database', 'runtime-file', 'os-metadata'].includes(said(rules.judge(path, 'file')));
      expect(expression.test(path)).toBe(byName);
    });
    fc.assert(property);
  });

  it('are not sent to the remote when some are lifted', () => {
    expect(make({ lifted: ['skills/shop'] }).remoteFilter.filePattern).toBe(null);
  });
});

describe('user rules', () => {
  const matches = (path: string, isDirectory: boolean) =>
    isDirectory && path.endsWith('/dist') ? 'dist/' : path.endsWith('.log') ? '*.log' : null;
  const userRules = { patterns: ['dist/', '*.log'], matches };

  it('refuse with their own pattern and owner', () => {
    expect(make({ userRules }).judge('skills/a/x.log', 'file')).toEqual({
      kind: 'refused',
      rule: 'user-rule',
      owner: 'user',
      match: '*.log',
    });
    expect(make({ userRules }).descends('skills/a/dist')).toBe(false);
    expect(make({ userRules }).remoteFilter.onlyNames).toBe(false);
  });

  it('cannot let in what other rules refuse, and change the fingerprint', () => {
    expect(saidOf(['skills/.git/x', 'skills/x.db'], { userRules })).toEqual({
      'skills/.git/x': 'excluded-name',
      'skills/x.db': 'database',
    });
    expect(make({ userRules }).fingerprint).not.toBe(rules.fingerprint);
  });
});

describe('guarded files', () => {
  const names = ['.bundled_manifest', '.usage.json', '.usage.json.lock', '.curator_state', '.curator_suppressed', '.curator_ledger.jsonl'];

  it('are guarded directly in skills only', () => {
    expect(saidOf(names.map((name) => `skills/${name}`))).toEqual(
      all(
        names.map((name) => `skills/${name}`),
        'guarded',
      ),
    );
    const elsewhere = names.flatMap((name) => [`skills/a/${name}`, `memories/${name}`, name]);
    expect(saidOf(elsewhere)).toEqual(all(elsewhere, 'in'));
  });

  it('include everything in the folder of organisation markers', () => {
    const expected = {
      'skills/_org/acme.json': 'guarded',
      'skills/_org/a/b.md': 'guarded',
      'skills/a/_org/x.md': 'in',
      'skills/_organ/x.md': 'in',
    };
    expect(saidOf(Object.keys(expected))).toEqual(expected);
    expect(rules.descends('skills/_org')).toBe(true);
  });

  it('are found by a folded name where the disk folds', () => {
    expect(saidOf(['skills/.Usage.JSON', 'Skills/.usage.json'], { folds: foldsCase })).toEqual({
      'skills/.Usage.JSON': 'guarded',
      'Skills/.usage.json': 'guarded',
    });
    expect(saidOf(['skills/.Usage.JSON'])).toEqual({ 'skills/.Usage.JSON': 'in' });
  });
});

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
