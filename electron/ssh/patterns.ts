/** Whether a text fits a pattern of OpenSSH, where `*` is any text and `?` any character. */
export function globMatches(pattern: string, text: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replace(/\?/g, '.');
  return new RegExp(`^${source}$`, 's').test(text);
}

/** Whether a list of patterns lets a text in: one of them fits, and none that is negated (`!`). */
export function listMatches(patterns: readonly string[], text: string): boolean {
  let isIn = false;
  for (const pattern of patterns) {
    const isNegated = pattern.startsWith('!');
    if (!globMatches(isNegated ? pattern.slice(1) : pattern, text)) continue;
    if (isNegated) return false;
    isIn = true;
  }
  return isIn;
}
