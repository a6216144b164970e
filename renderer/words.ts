import { formatBytes } from '../shared/bytes';
import { chooseLanguage } from '../shared/language';
import type { Language } from '../shared/settings';
import { formatDuration, formatNumber, formatRoughBytes, unbroken } from './format';
import { en, type Words } from './locales/en';
import { fr } from './locales/fr';
import { ptBr } from './locales/pt-br';
import { zhCn } from './locales/zh-cn';

const dictionaries: Readonly<Record<Language, Words>> = { en, fr, 'pt-BR': ptBr, 'zh-CN': zhCn };

/** The words of the window's language. Read while drawing and never kept: `speak` replaces them. */
export let words: Words = en;

/** The locale of numbers and times. */
export let locale = 'en';

/** Changes the window's language; null is the first of the reader's own list that we speak. Who shows words draws them anew. */
export function speak(wanted: Language | null): void {
  // outside a page, as in tests, there is no reader to ask
  const inPage = typeof document !== 'undefined';
  const chosen = chooseLanguage(inPage ? navigator.languages : [], wanted);
  words = dictionaries[chosen.language];
  locale = chosen.locale;
  if (inPage) document.documentElement.lang = chosen.language;
}

speak(null);

/** "14 files", with the plural its number needs. */
export function countFiles(count: number): string {
  return words.files(count, formatNumber(count, locale));
}

/** Bytes for a reader. */
export function showBytes(bytes: number): string {
  return unbroken(formatBytes(bytes, locale));
}

/** Bytes for a line among many. */
export function showRoughBytes(bytes: number): string {
  return unbroken(formatRoughBytes(bytes, locale));
}

/** A grouped number. */
export function showNumber(value: number): string {
  return formatNumber(value, locale);
}

/** How long a session has been open. It counts in minutes: the window does not tick by the second. */
export function showOpenFor(startedAt: string, now: number): string {
  const minute = 60_000;
  return showDuration(Math.max(minute, Math.floor((now - Date.parse(startedAt)) / minute) * minute));
}

/** A length of time. */
export function showDuration(ms: number): string {
  return formatDuration(ms, locale);
}
