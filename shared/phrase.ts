import { causePhrases, operationPhrases } from './phrases/causes';
import { checkPhrases } from './phrases/checks';
import { notePhrases } from './phrases/notes';
import { growthPhrases, pathPhrases, rulePhrases } from './phrases/paths';
import { stopPhrases } from './phrases/stops';

/**
 * What the core says beside its codes, in English, by topic and name. `{hole}` stands for what is filled in; the rest is one whole
 * sentence or part of one. Reports, inbox and tests hold the English text. A window finds it here and says it in its own language,
 * in records of older versions too; what it does not find stays as it is.
 */
export const phrases = {
  paths: pathPhrases,
  growth: growthPhrases,
  rules: rulePhrases,
  stops: stopPhrases,
  notes: notePhrases,
  checks: checkPhrases,
  causes: causePhrases,
  operations: operationPhrases,
} as const;

/** A language's text for each of them, with the same holes. */
export type Phrases = { readonly [T in keyof typeof phrases]: Readonly<Record<keyof (typeof phrases)[T], string>> };

type Holes<T extends string> = T extends `${string}{${infer H}}${infer R}` ? H | Holes<R> : never;

/** A phrase with its holes filled. */
export function fill<T extends string>(phrase: T, values: Readonly<Record<Holes<T>, string | number>>): string {
  return phrase.replace(/\{(\w+)\}/g, (_hole, name: string) => String(values[name as Holes<T>]));
}
