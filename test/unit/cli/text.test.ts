import { describe, expect, it } from 'vitest';
import { formatAge, formatBytes, formatDuration, formatTally, forTerminal, oneLine, table } from '../../../electron/cli/text';

describe('text', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [9949, '9.9 kB'],
    [9950, '10 kB'],
    [999_499, '999 kB'],
    [999_500, '1.0 MB'],
    [3_200_000, '3.2 MB'],
    [41_000_000, '41 MB'],
    [2 * 1024 ** 3, '2.1 GB'],
    [5e15, '5000 TB'],
  ])('shows %i bytes as %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });

  it('counts files with their thousands apart', () => {
    expect([formatTally({ files: 1, bytes: 5 }), formatTally({ files: 1234, bytes: 0 })]).toEqual(['1 file, 5 B', '1,234 files, 0 B']);
  });

  it('shows short and long times', () => {
    expect([12, 1400, 61_000].map(formatDuration)).toEqual(['12 ms', '1.4 s', '1 min 1 s']);
  });

  it('shows how long ago something was', () => {
    const minute = 60_000;
    const ages = [0, 59, 60, 2879, 2880].map((minutes) =>
      formatAge('2026-01-02T03:04:05.000Z', Date.parse('2026-01-02T03:04:05.000Z') + minutes * minute),
    );
    expect(ages).toEqual(['0 min ago', '59 min ago', '1 h ago', '47 h ago', '2 days ago']);
  });

  it('takes away what steers a terminal or turns text around, and keeps every letter', () => {
    expect(forTerminal('a\u001b[31mb\u202ec\r\nd 漢é')).toBe('a\\u001b[31mb\\u202ec\\u000d\nd 漢é');
    expect(oneLine('a\nb')).toBe('a\\nb');
  });

  it('lines columns up', () => {
    expect(
      table(
        [
          ['a', 'bb', 'c'],
          ['aaa', 'b', 'long'],
        ],
        ' ',
      ),
    ).toBe(' a    bb  c\n aaa  b   long');
  });
});
