import type { ConnectionState } from '../../shared/contract';

/** A drawn icon: size × size pixels, four bytes each (blue, green, red, alpha; colour already multiplied by alpha). */
export interface GlyphBitmap {
  readonly size: number;
  readonly pixels: Uint8Array;
}

/** `tile` stands on a panel of any colour; `template` is black on nothing, which macOS tints itself. */
export type GlyphStyle = 'tile' | 'template';

type Shape = (x: number, y: number) => boolean;

const bar =
  (left: number, top: number, right: number, bottom: number): Shape =>
  (x, y) =>
    x >= left && x <= right && y >= top && y <= bottom;

const stroke =
  (fromX: number, fromY: number, toX: number, toY: number, width: number): Shape =>
  (x, y) => {
    const along = ((x - fromX) * (toX - fromX) + (y - fromY) * (toY - fromY)) / ((toX - fromX) ** 2 + (toY - fromY) ** 2);
    const t = Math.min(1, Math.max(0, along));
    return Math.hypot(x - fromX - t * (toX - fromX), y - fromY - t * (toY - fromY)) <= width / 2;
  };

const any =
  (...shapes: readonly Shape[]): Shape =>
  (x, y) =>
    shapes.some((shape) => shape(x, y));

/** Told apart by form alone; coordinates run from 0 to 16. */
const shapes: Readonly<Record<ConnectionState, Shape>> = {
  // a tick
  ready: any(stroke(3.5, 8.5, 6.5, 11.5, 2), stroke(6.5, 11.5, 12.5, 4.5, 2)),
  // one arrow out, one home
  working: any(
    stroke(3, 5, 13, 5, 1.6),
    stroke(10.4, 2.4, 13, 5, 1.6),
    stroke(10.4, 7.2, 13, 5, 1.6),
    stroke(3, 11, 13, 11, 1.6),
    stroke(5.6, 8.8, 3, 11, 1.6),
    stroke(5.6, 13.6, 3, 11, 1.6),
  ),
  // two bars
  paused: any(bar(4, 4, 7, 12), bar(9, 4, 12, 12)),
  // a cross
  offline: any(stroke(4.5, 4.5, 11.5, 11.5, 2), stroke(11.5, 4.5, 4.5, 11.5, 2)),
  // an exclamation mark, the widest
  'needs-you': any(bar(6.6, 2.8, 9.4, 9.4), bar(6.6, 10.8, 9.4, 13.2)),
};

/** Red, green, blue. Colour only supports what the form says. */
const tiles: Readonly<Record<ConnectionState, readonly [number, number, number]>> = {
  ready: [22, 101, 92],
  working: [29, 90, 158],
  paused: [88, 96, 105],
  offline: [66, 66, 72],
  'needs-you': [163, 72, 0],
};

const roundedTile: Shape = (x, y) => {
  const radius = 3.5;
  const dx = Math.max(radius - x, x - (16 - radius), 0);
  const dy = Math.max(radius - y, y - (16 - radius), 0);
  return Math.hypot(dx, dy) <= radius;
};

/** How much of a pixel a shape covers, from 4 × 4 samples. */
function coverage(shape: Shape, column: number, row: number, scale: number): number {
  let hits = 0;
  for (let sample = 0; sample < 16; sample += 1) {
    const x = (column + ((sample % 4) + 0.5) / 4) / scale;
    const y = (row + (Math.floor(sample / 4) + 0.5) / 4) / scale;
    if (shape(x, y)) hits += 1;
  }
  return hits / 16;
}

/** Draws the icon of a state. Pure, so that its distinctness can be tested. */
export function drawGlyph(state: ConnectionState, size: number, style: GlyphStyle): GlyphBitmap {
  const pixels = new Uint8Array(size * size * 4);
  const scale = size / 16;
  const [red, green, blue] = tiles[state];
  for (let index = 0; index < size * size; index += 1) {
    const column = index % size;
    const row = Math.floor(index / size);
    const mark = coverage(shapes[state], column, row, scale);
    const alpha = style === 'template' ? mark : coverage(roundedTile, column, row, scale);
    const channel = (tile: number) => (style === 'template' ? 0 : Math.round((tile + (255 - tile) * mark) * alpha));
    pixels.set([channel(blue), channel(green), channel(red), Math.round(alpha * 255)], index * 4);
  }
  return { size, pixels };
}
