import type { Tally } from '../../shared/run-report';

const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** A number of bytes for people: decimal units, one digit after the point below ten. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // 999.5 of a unit would be shown as 1000 of it.
  while (unit < units.length - 1 && value >= (unit === 0 ? 1000 : 999.5)) {
    value /= 1000;
    unit += 1;
  }
  const shown = unit > 0 && value < 9.95 ? value.toFixed(1) : value.toFixed(0);
  return `${shown} ${units[unit]}`;
}

/** A number with its thousands apart. */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** A number of files and their bytes. */
export function formatTally({ files, bytes }: Tally): string {
  return `${formatCount(files)} ${files === 1 ? 'file' : 'files'}, ${formatBytes(bytes)}`;
}

/** A length of time. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1000)} s`;
}

/** A moment in local time, to the minute. */
export function formatTime(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** How long ago a moment was, in whole units. */
export function formatAge(iso: string, now: number): string {
  const minutes = Math.max(0, Math.floor((now - Date.parse(iso)) / 60_000));
  if (minutes < 60) return `${minutes} min ago`;
  return minutes < 2880 ? `${Math.floor(minutes / 60)} h ago` : `${Math.floor(minutes / 1440)} days ago`;
}

/** Text of foreign origin, such as a remote's file name, without what would steer a terminal. Newlines stay. */
export function forTerminal(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, (char) =>
    char === '\n' ? char : `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}

/** Text that must stay on its line. */
export function oneLine(text: string): string {
  return forTerminal(text.replaceAll('\n', '\\n'));
}

/** Rows as columns, the last one as long as it is. */
export function table(rows: readonly (readonly string[])[], indent = ''): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map((row) => indent + row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join('  '))
    .join('\n');
}
