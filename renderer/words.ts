import { formatBytes, formatDuration, formatNumber, formatRoughBytes } from './format';
import { en } from './locales/en';

/** The words of the window's language. */
export const words = en;

/** Numbers and times follow the user's region only where it speaks the language of the words around them. */
function chooseLocale(): string {
  const preferred = globalThis.navigator?.language ?? words.locale;
  return preferred.split('-')[0] === words.locale ? preferred : words.locale;
}

/** The locale of numbers and times. */
export const locale: string = chooseLocale();

/** "14 files", with the plural its number needs. */
export function countFiles(count: number): string {
  return words.files(count, formatNumber(count, locale));
}

/** Bytes for a reader. */
export function showBytes(bytes: number): string {
  return formatBytes(bytes, locale);
}

/** Bytes for a line among many. */
export function showRoughBytes(bytes: number): string {
  return formatRoughBytes(bytes, locale);
}

/** A grouped number. */
export function showNumber(value: number): string {
  return formatNumber(value, locale);
}

/** A length of time. */
export function showDuration(ms: number): string {
  return formatDuration(ms, locale);
}
