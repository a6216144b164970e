import { describe, expect, it } from 'vitest';
import { drawGlyph } from '../../../electron/shell/glyphs';
import type { ConnectionState } from '../../../shared/contract';

const states: readonly ConnectionState[] = ['ready', 'working', 'paused', 'offline', 'needs-you'];
const pairs = states.flatMap((one, index) => states.slice(index + 1).map((other) => [one, other] as const));

/** Black or white per pixel: what is left of an icon without its colours. */
function silhouette(state: ConnectionState): readonly boolean[] {
  const { pixels, size } = drawGlyph(state, 16, 'template');
  return Array.from({ length: size * size }, (_, index) => (pixels[index * 4 + 3] ?? 0) > 127);
}

/** Luminance per pixel of the coloured icon, over black. */
function greyscale(state: ConnectionState): readonly number[] {
  const { pixels, size } = drawGlyph(state, 16, 'tile');
  return Array.from({ length: size * size }, (_, index) => {
    const [blue = 0, green = 0, red = 0] = pixels.subarray(index * 4, index * 4 + 3);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  });
}

describe('drawGlyph', () => {
  it.each(pairs)('draws %s and %s apart by form alone at 16 pixels', (one, other) => {
    const second = silhouette(other);
    expect(silhouette(one).filter((pixel, index) => pixel !== second[index]).length).toBeGreaterThanOrEqual(20);
  });

  it.each(pairs)('keeps %s and %s apart in greyscale', (one, other) => {
    const second = greyscale(other);
    const different = greyscale(one).filter((luminance, index) => Math.abs(luminance - (second[index] ?? 0)) > 80);
    expect(different.length).toBeGreaterThanOrEqual(20);
  });

  it.each(states)('draws %s in black on nothing for macOS, which tints it', (state) => {
    const { pixels } = drawGlyph(state, 16, 'template');
    expect(pixels.filter((value, index) => index % 4 !== 3 && value !== 0)).toEqual(new Uint8Array(0));
    expect(pixels.filter((_value, index) => index % 4 === 3).some((alpha) => alpha === 255)).toBe(true);
  });

  it('fills four bytes a pixel at each size, and colour never exceeds alpha', () => {
    for (const size of [16, 32]) {
      const { pixels } = drawGlyph('ready', size, 'tile');
      expect(pixels.length).toBe(size * size * 4);
      expect(pixels.every((value, index) => value <= (pixels[index - (index % 4) + 3] ?? 0))).toBe(true);
    }
  });
});
