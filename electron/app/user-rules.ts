import ignore from 'ignore';
import type { UserRules } from '../../shared/rules';

/** Compiles the user's gitignore-style patterns; null when there are none. Case counts, unless the local disk folds it. */
export function compileUserRules(patterns: readonly string[], foldsCase = false): UserRules | null {
  if (patterns.length === 0) return null;
  const matcher = ignore({ ignorecase: foldsCase }).add([...patterns]);
  return {
    patterns,
    matches: (path, isDirectory) => {
      const result = matcher.test(isDirectory ? `${path}/` : path);
      return result.ignored ? (result.rule?.pattern ?? 'a rule of yours') : null;
    },
  };
}
