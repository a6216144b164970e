const accents: Readonly<Record<string, string>> = {
  ...{ a: 'á', e: 'ë', i: 'ï', o: 'ö', u: 'ü', c: 'ç', n: 'ñ', y: 'ý' },
  ...{ A: 'Å', E: 'É', I: 'Î', O: 'Ø', U: 'Û', C: 'Ç', N: 'Ñ', Y: 'Ý' },
};

/** A word as a language with long words might have it: two fifths longer, every vowel with an accent, in brackets that show its ends. */
export function lengthenWord(word: string): string {
  // what is filled in goes by a name in braces
  const accented = word.replace(/\{\w+\}|./gsu, (part) => accents[part] ?? part);
  const letters = [...word].filter((letter) => /\p{L}/u.test(letter)).length;
  return letters < 2 ? word : `[${accented}${' lörem'.repeat(Math.ceil((letters * 0.4) / 6))}]`;
}

/** A language's words, each longer; what a word is made of (numbers, names) stays as it is given. */
export function lengthen<T>(words: T): T {
  if (typeof words === 'string') return (words === 'en' || !/\p{L}/u.test(words) ? words : lengthenWord(words)) as T;
  if (typeof words === 'function') return ((...given: readonly unknown[]) => lengthenWord(words(...given))) as T;
  if (typeof words !== 'object' || words === null) return words;
  return Object.fromEntries(Object.entries(words).map(([key, word]) => [key, lengthen(word)])) as T;
}
