/** A word for POSIX sh, whatever it holds. */
export function quoteWord(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
