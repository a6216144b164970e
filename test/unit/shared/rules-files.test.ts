import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { all, foldsCase, make, plainName, plainPath, rules, said, saidOf } from './rule-samples';

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
