import { describe, expect, it } from 'vitest';
import { formatDuration, formatExactMoment, formatMoment, formatNumber, formatRoughBytes, visibleName } from '../../../renderer/format';

/** Intl puts narrow and plain no-break spaces where a reader sees a space. */
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');

describe('formatRoughBytes', () => {
  it.each([
    [0, '0 bytes'],
    [912, '912 bytes'],
    [3_215_004, '3.2 MB'],
    [41_012_345, '41 MB'],
    [59_900_000, '60 MB'],
    [331_499_999, '331 MB'],
    [9_990, '10 kB'],
    [999_999, '1 MB'],
  ])('shows %i as %s', (bytes, shown) => {
    expect(plain(formatRoughBytes(bytes, 'en'))).toBe(shown);
  });
});

describe('formatMoment', () => {
  const now = Date.parse('2026-11-30T14:05:00.000Z');
  const earlier = (minutes: number) => new Date(now - minutes * 60_000).toISOString();

  it.each([
    [0, 'now'],
    [0.9, 'now'],
    [1, '1 minute ago'],
    [59.9, '59 minutes ago'],
    [60, '1 hour ago'],
    [60 * 24 - 1, '23 hours ago'],
  ])('is relative %f minutes later', (minutes, shown) => {
    expect(formatMoment(earlier(minutes), now, 'en')).toBe(shown);
  });

  it('is a date from 24 hours on', () => {
    expect(formatMoment('2026-11-20T12:00:00.000Z', now, 'en')).toBe('Nov 20, 2026');
  });

  it('counts a time ahead of the clock as now', () => {
    expect(formatMoment(earlier(-90), now, 'en')).toBe('now');
  });

  it('leaves what is no time as it is', () => {
    expect(formatMoment('soon', now, 'en')).toBe('soon');
    expect(formatExactMoment('soon', 'en')).toBe('soon');
  });

  it('has the whole moment for the hover text', () => {
    expect(formatExactMoment('2026-11-20T12:34:56.000Z', 'en')).toMatch(/November 2[01], 2026.*34:56/);
  });
});

describe('formatDuration', () => {
  it.each([
    [-5, '0 sec'],
    [312, '0.3 sec'],
    [9_949, '9.9 sec'],
    [42_400, '42 sec'],
    [59_600, '1 min'],
    [42 * 60_000, '42 min'],
    [59.6 * 60_000, '1 hr'],
    [3 * 3_600_000, '3 hr'],
    [49 * 3_600_000, '2 days'],
  ])('shows %f ms as %s', (ms, shown) => {
    expect(plain(formatDuration(ms, 'en'))).toBe(shown);
  });
});

describe('formatNumber', () => {
  it('groups as the language does', () => {
    expect(formatNumber(20_119, 'en')).toBe('20,119');
  });
});

describe('visibleName', () => {
  it('leaves ordinary names of any script alone', () => {
    for (const name of ['skills/a b/SKILL.md', 'مهارات', '技能', 'naïve', '🗂️'.replace('\ufe0f', '')]) expect(visibleName(name)).toBe(name);
  });

  it('shows characters that hide or reorder others', () => {
    expect(visibleName('a\u202eb\u0000c\u200bd\ne')).toBe('a‹U+202E›b‹U+0000›c‹U+200B›d‹U+000A›e');
  });
});
