import fc from 'fast-check';
import { createRules, type EntryKindForRules, excludedNames, type RuleOptions, type Verdict } from '../../../shared/rules';

// What the tests of the rules share: rules of a plain disk, verdicts in one word, and random paths.
export const exact = { case: false, unicode: false };
export const foldsCase = { case: true, unicode: false };
export const foldsBoth = { case: true, unicode: true };
export const make = (options: Partial<RuleOptions> = {}) => createRules({ platform: 'posix', folds: exact, ...options });
export const rules = make();

/** What decided, in one word. */
export function said(verdict: Verdict): string {
  return verdict.kind === 'refused' ? verdict.rule : verdict.kind;
}
export const saidOf = (paths: readonly string[], options: Partial<RuleOptions> = {}, kind: EntryKindForRules = 'file') =>
  Object.fromEntries(paths.map((path) => [path, said(make(options).judge(path, kind))]));
export const all = (paths: readonly string[], verdict: string) => Object.fromEntries(paths.map((path) => [path, verdict]));

export const plainName = fc.stringMatching(/^[a-z][a-z0-9 _é潮-]{0,11}[a-z0-9]$/).filter((name) => !excludedNames.includes(name));
export const anyName = fc.oneof(
  plainName,
  fc.constantFrom(...excludedNames),
  fc.string({ minLength: 1, maxLength: 12 }),
  fc.constantFrom('.ebbgate', '..', '.DS_Store', 'x.db', 'SKILL.md'),
);
export const plainPath = fc.array(plainName, { minLength: 1, maxLength: 5 }).map((names) => ['skills', ...names].join('/'));
export const anyPath = fc.array(anyName, { minLength: 1, maxLength: 5 }).map((names) => ['skills', ...names].join('/'));
export const anyKind = fc.constantFrom<EntryKindForRules>('file', 'directory', 'link', 'other');
export const anyOptions = fc.record({
  platform: fc.constantFrom<RuleOptions['platform']>('posix', 'win32'),
  folds: fc.constantFrom(exact, foldsCase, foldsBoth),
});
