import { formatBytes, formatDuration, formatNumber, formatRoughBytes } from './format';
import { chooseLanguage } from './language';

// outside a page, as in tests, there is no reader to ask
const chosen = chooseLanguage(typeof document === 'undefined' ? [] : navigator.languages);

/** The words of the window's language. */
export const words = chosen.words;

/** The locale of numbers and times. */
export const locale = chosen.locale;

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

/** How long a session has been open. It counts in minutes: the window does not tick by the second. */
export function showOpenFor(startedAt: string, now: number): string {
  const minute = 60_000;
  return showDuration(Math.max(minute, Math.floor((now - Date.parse(startedAt)) / minute) * minute));
}

/** A length of time. */
export function showDuration(ms: number): string {
  return formatDuration(ms, locale);
}
