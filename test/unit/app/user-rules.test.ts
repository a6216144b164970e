import { describe, expect, it } from 'vitest';
import { compileUserRules } from '../../../electron/app/user-rules';
import { createRules } from '../../../shared/rules';

const refused = (patterns: readonly string[], paths: readonly string[], isDirectory = false) => {
  const rules = compileUserRules(patterns);
  return Object.fromEntries(paths.map((path) => [path, rules?.matches(path, isDirectory) ?? null]));
};

describe('compileUserRules', () => {
  it('makes nothing of no patterns', () => {
    expect(compileUserRules([])).toBe(null);
  });

  it('answers with the pattern that refuses', () => {
    const paths = ['skills/a/x.log', 'skills/a/dist', 'skills/a/dist/x.js', 'skills/draft.md', 'skills/a/draft.md', 'skills/keep.log'];
    expect(refused(['*.log', 'dist/', '/skills/draft.md', '!keep.log'], paths)).toEqual({
      'skills/a/x.log': '*.log',
      'skills/a/dist': null,
      'skills/a/dist/x.js': 'dist/',
      'skills/draft.md': '/skills/draft.md',
      'skills/a/draft.md': null,
      'skills/keep.log': null,
    });
    expect(refused(['dist/'], ['skills/a/dist'], true)).toEqual({ 'skills/a/dist': 'dist/' });
  });

  it('keeps the patterns, by which changed rules are noticed', () => {
    const options = { platform: 'posix', folds: { case: false, unicode: false } } as const;
    const first = createRules({ ...options, userRules: compileUserRules(['a']) });
    const second = createRules({ ...options, userRules: compileUserRules(['b']) });
    expect(first.fingerprint).not.toBe(second.fingerprint);
  });

  it('lets case count, unless the disk folds it', () => {
    const matched = (foldsCase: boolean) =>
      ['skills/draft.md', 'skills/Draft.md'].map((path) => compileUserRules(['Draft.md'], foldsCase)?.matches(path, false));
    expect(matched(false)).toEqual([null, 'Draft.md']);
    expect(matched(true)).toEqual(['Draft.md', 'Draft.md']);
  });

  it('never fails on a path that other rules refuse', () => {
    const rules = createRules({ platform: 'posix', folds: { case: false, unicode: false }, userRules: compileUserRules(['*.log']) });
    for (const path of ['', '/', '../x', './x', 'skills//a', 'skills/a\\b', '/etc/passwd', 'skills/\ufffd'])
      expect([path, rules.judge(path, 'file').kind]).toEqual([path, 'refused']);
    for (const path of ['skills/...', 'skills/ x', 'skills/#x', 'skills/!x', 'skills/x '])
      expect([path, rules.judge(path, 'file').kind]).toEqual([path, 'in']);
  });
});
