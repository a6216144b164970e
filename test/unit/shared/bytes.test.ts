import { describe, expect, it } from 'vitest';
import { formatBytes, formatExactBytes } from '../../../shared/bytes';

/** Intl puts narrow and plain no-break spaces where a reader sees a space. */
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');

describe('formatBytes', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [999, '999 bytes'],
    [1000, '1 kB'],
    [12_345, '12.3 kB'],
    [999_499, '999 kB'],
    [999_500, '1 MB'],
    [41_600_000, '41.6 MB'],
    [331_000_000, '331 MB'],
    [1_400_000_000, '1.4 GB'],
    [2_500_000_000_000, '2.5 TB'],
    [4_200_000_000_000_000, '4,200 TB'],
  ])('shows %i as %s', (bytes, shown) => {
    expect(plain(formatBytes(bytes, 'en'))).toBe(shown);
  });

  it('follows the units and the decimal mark of the language', () => {
    expect(plain(formatBytes(41_600_000, 'fr'))).toBe('41,6 Mo');
    expect(plain(formatBytes(41_600_000, 'pt-BR'))).toBe('41,6 MB');
  });

  it('shows every byte on demand', () => {
    expect(plain(formatExactBytes(3_215_004, 'en'))).toBe('3,215,004 bytes');
    expect(plain(formatExactBytes(1, 'en'))).toBe('1 byte');
  });
});
