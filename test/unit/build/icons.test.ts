import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { iconFiles, inScheme, readDrawing, type Scheme, states } from '../../../build/icons/render';
import { rasterise, readSvg } from '../../../build/icons/svg';
import { trayIconFile } from '../../../electron/shell/icons';
import type { ConnectionState } from '../../../shared/contract';

const folder = resolve(import.meta.dirname, '../../../build/icons');
const size = 16;
const pairs = states.flatMap((one, index) => states.slice(index + 1).map((other) => [one, other] as const));
const panels = { light: 240, dark: 32 } as const;

const pixels = (state: string, scheme: Scheme) => rasterise(inScheme(readDrawing(folder, state), scheme), size);

/** Luminance per pixel, on a panel of that luminance: what is left of an icon without its colours. */
function greyscale(state: string, scheme: 'light' | 'dark'): readonly number[] {
  const drawn = pixels(state, scheme);
  return Array.from({ length: size * size }, (_, index) => {
    const [red = 0, green = 0, blue = 0, alpha = 0] = drawn.subarray(index * 4, index * 4 + 4);
    return ((0.2126 * red + 0.7152 * green + 0.0722 * blue) * alpha + panels[scheme] * (255 - alpha)) / 255;
  });
}

describe('the tray icons', () => {
  it('are drawn for every state that the tray can show', () => {
    const all = { ready: 0, working: 0, paused: 0, offline: 0, 'needs-you': 0 } satisfies Record<ConnectionState, 0>;
    expect([...states].sort()).toEqual(Object.keys(all).sort());
  });

  it.each(pairs)('show %s and %s apart in greyscale at 16 pixels, on light and dark panels', (one, other) => {
    for (const scheme of ['light', 'dark'] as const) {
      const second = greyscale(other, scheme);
      const different = greyscale(one, scheme).filter((luminance, index) => Math.abs(luminance - (second[index] ?? 0)) > 80);
      expect(different.length).toBeGreaterThanOrEqual(20);
    }
  });

  it.each(pairs)('show %s and %s apart by form alone, as macOS tints them', (one, other) => {
    const silhouette = (state: string) => pixels(state, 'template').filter((_value, index) => index % 4 === 3);
    const second = silhouette(other);
    expect(silhouette(one).filter((alpha, index) => Math.abs(alpha - (second[index] ?? 0)) > 127).length).toBeGreaterThanOrEqual(20);
  });

  it.each(states)('stand out from both panels when %s', (state) => {
    for (const scheme of ['light', 'dark'] as const) {
      const standing = greyscale(state, scheme).filter((luminance) => Math.abs(luminance - panels[scheme]) > 100);
      expect(standing.length).toBeGreaterThan(100);
    }
  });

  it.each(states)('are black on nothing for macOS when %s', (state) => {
    const drawn = pixels(state, 'template');
    expect(drawn.filter((value, index) => index % 4 !== 3 && value !== 0)).toEqual(new Uint8Array(0));
    expect(drawn.some((value, index) => index % 4 === 3 && value === 255)).toBe(true);
  });

  it('are where the tray looks for them, on each system and panel', () => {
    const made = new Set(iconFiles(folder).map(({ path }) => path));
    const wanted = states.flatMap((state) =>
      (['darwin', 'linux', 'win32'] as const).flatMap((platform) =>
        [true, false].map((dark) => trayIconFile('', state, { platform, dark }).replaceAll('\\', '/')),
      ),
    );
    expect(wanted.filter((path) => !made.has(path))).toEqual([]);
    const png = wanted.filter((path) => path.endsWith('.png'));
    expect(png.filter((path) => !made.has(path.replace('.png', '@2x.png')))).toEqual([]);
    expect(png.filter((path) => /Template\.png$/.test(path)).length).toBeGreaterThan(0);
  });
});

describe('readSvg', () => {
  const around = (inside: string) => `<svg viewBox="0 0 16 16">${inside}</svg>`;
  it.each([
    ['an element it cannot draw', '<ellipse cx="1" cy="1" rx="1" ry="1" fill="#000000"/>'],
    ['an attribute it cannot draw', '<circle cx="1" cy="1" r="1" fill="#000000" opacity="0.5"/>'],
    [
      'a curve',
      '<path d="M1 1 C2 2 3 3 4 4" fill="none" stroke="#000000" stroke-linecap="round" stroke-linejoin="round" stroke-width="1"/>',
    ],
    ['a colour with a name', '<circle cx="1" cy="1" r="1" fill="red"/>'],
    ['a missing number', '<circle cx="1" cy="1" fill="#000000"/>'],
    ['text between the tags', 'hello'],
  ])('refuses %s instead of leaving it out', (_what, inside) => {
    expect(() => readSvg(around(inside))).toThrow();
  });

  it('draws what the elements say, the later ones on top', () => {
    const drawn = rasterise(
      readSvg(around('<rect x="0" y="0" width="16" height="16" rx="0" fill="#102030"/>\n<circle cx="8" cy="8" r="4" fill="#ffffff"/>')),
      size,
    );
    const at = (x: number, y: number) => [...drawn.subarray((y * size + x) * 4, (y * size + x) * 4 + 4)];
    expect([at(1, 1), at(8, 8)]).toEqual([
      [16, 32, 48, 255],
      [255, 255, 255, 255],
    ]);
  });
});

describe('the icon files', () => {
  const named = (name: string) => iconFiles(folder).find(({ path }) => path === name)?.content ?? Buffer.alloc(0);

  it('hold each size that Windows picks from', () => {
    const ico = named(join('tray', 'ready-light.ico').replaceAll('\\', '/'));
    const count = ico.readUInt16LE(4);
    expect(Array.from({ length: count }, (_, index) => ico[6 + 16 * index])).toEqual([16, 20, 24, 32, 48]);
    const last = 6 + 16 * (count - 1);
    expect(ico.readUInt32LE(last + 12) + ico.readUInt32LE(last + 8)).toBe(ico.length);
  });

  it('state their own length for macOS', () => {
    const icns = named('app/icon.icns');
    expect([icns.toString('latin1', 0, 4), icns.readUInt32BE(4)]).toEqual(['icns', icns.length]);
  });
});
