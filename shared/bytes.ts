const units = ['kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Bytes in decimal units with at most three digits, as a person reads them: "41.6 MB", "12 kB", "0 bytes". */
export function formatBytes(bytes: number, locale: string): string {
  if (bytes < 1000) return formatExactBytes(bytes, locale);
  let value = bytes / 1000;
  let unit = 0;
  // 999.6 kB would be rounded to "1,000 kB"
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const shown = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: units[unit] ?? 'terabyte',
    unitDisplay: 'short',
    maximumSignificantDigits: value >= 999.5 ? 6 : 3,
  });
  return shown.format(value);
}

/** Every byte: "3,215,004 bytes". */
export function formatExactBytes(bytes: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'unit', unit: 'byte', unitDisplay: 'long' }).format(bytes);
}
