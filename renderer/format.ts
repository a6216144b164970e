import { formatBytes } from '../shared/bytes';

/** A number and its unit in one piece, wherever a line breaks. */
export function unbroken(text: string): string {
  return text.replaceAll(' ', '\u00a0');
}

/** Bytes for a line among many, with one decimal at most: "3.2 MB", "41 MB". */
export function formatRoughBytes(bytes: number, locale: string): string {
  const digits = String(Math.trunc(bytes)).length;
  // keeps two digits below ten of a unit and whole numbers above
  const kept = digits <= 3 ? bytes : Number(bytes.toPrecision(digits % 3 === 1 ? 2 : digits % 3 === 2 ? 2 : 3));
  return formatBytes(kept, locale);
}

/** A number with the locale's grouping. */
export function formatNumber(value: number, locale: string): string {
  return new Intl.NumberFormat(locale).format(value);
}

/** A length of time with one unit: "0.3 s", "42 min", "3 h", "2 days". */
export function formatDuration(ms: number, locale: string): string {
  const show = (value: number, unit: string, digits: number) =>
    unbroken(
      new Intl.NumberFormat(locale, {
        style: 'unit',
        unit,
        unitDisplay: unit === 'day' ? 'long' : 'short',
        maximumFractionDigits: digits,
      }).format(value),
    );
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 9.95) return show(seconds, 'second', 1);
  if (seconds < 59.5) return show(seconds, 'second', 0);
  if (seconds < 3570) return show(seconds / 60, 'minute', 0);
  if (seconds < 86_400) return show(Math.max(1, Math.floor(seconds / 3600)), 'hour', 0);
  return show(Math.floor(seconds / 86_400), 'day', 0);
}

/** A moment as a person wants it: relative under 24 hours, else the date. Times ahead of the clock count as now. */
export function formatMoment(iso: string, now: number, locale: string): string {
  const then = Date.parse(iso);
  if (Number.isNaN(then)) return iso;
  const seconds = Math.max(0, (now - then) / 1000);
  if (seconds >= 86_400) return new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(then);
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  if (seconds < 60) return relative.format(0, 'second');
  if (seconds < 3600) return relative.format(-Math.floor(seconds / 60), 'minute');
  return relative.format(-Math.floor(seconds / 3600), 'hour');
}

/** A moment in full, for the hover text. */
export function formatExactMoment(iso: string, locale: string): string {
  const then = Date.parse(iso);
  return Number.isNaN(then) ? iso : new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'medium' }).format(then);
}

// controls, directional marks and invisible characters: a name may hold them, a reader must see that it does
const unseen = /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** A name or path as text that shows what is really in it: characters that hide or reorder others become `‹U+202E›`. */
export function visibleName(name: string): string {
  return name.replace(unseen, (found) => `‹U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`);
}
