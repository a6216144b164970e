/** Red, green, blue, each 0 to 255. */
export type Colour = readonly [number, number, number];

/** A shape of a drawing: its colour, and how far a point is from its edge (negative inside), in the drawing's units. */
export interface Shape {
  readonly colour: Colour;
  distance(x: number, y: number): number;
}

/** A drawing 16 units wide and high; later shapes lie on earlier ones. */
export type Drawing = readonly Shape[];

/** Width and height of every drawing, in its units. */
const units = 16;

type Attributes = Readonly<Record<string, string>>;
type Point = readonly [number, number];

/** Takes attributes one by one, so that one nobody asked for is noticed. */
class Taker {
  readonly #left: Map<string, string>;
  constructor(
    readonly name: string,
    attributes: Attributes,
  ) {
    this.#left = new Map(Object.entries(attributes));
  }

  text(key: string, wanted?: string): string {
    const value = this.#left.get(key);
    this.#left.delete(key);
    if (value === undefined || (wanted !== undefined && value !== wanted)) throw new Error(`<${this.name}>: ${key} is ${value}`);
    return value;
  }

  number(key: string): number {
    const value = Number(this.text(key));
    if (!Number.isFinite(value)) throw new Error(`<${this.name}>: ${key} is no number`);
    return value;
  }

  colour(key: string): Colour {
    const found = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/.exec(this.text(key));
    if (found === null) throw new Error(`<${this.name}>: ${key} is no colour like #16655c`);
    return [1, 2, 3].map((index) => Number.parseInt(found[index] ?? '', 16)) as unknown as Colour;
  }

  end(): void {
    if (this.#left.size > 0) throw new Error(`<${this.name}>: ${[...this.#left.keys()].join(', ')} cannot be drawn`);
  }
}

const makers: Readonly<Record<string, (taker: Taker) => Shape>> = {
  rect: (taker) => {
    const [x, y, width, height] = [taker.number('x'), taker.number('y'), taker.number('width'), taker.number('height')];
    const radius = taker.number('rx');
    return { colour: taker.colour('fill'), distance: boxDistance([x + width / 2, y + height / 2], width / 2, height / 2, radius) };
  },
  circle: (taker) => {
    const [cx, cy, r] = [taker.number('cx'), taker.number('cy'), taker.number('r')];
    return { colour: taker.colour('fill'), distance: (x, y) => Math.hypot(x - cx, y - cy) - r };
  },
  path: (taker) => {
    for (const key of ['stroke-linecap', 'stroke-linejoin']) taker.text(key, 'round');
    taker.text('fill', 'none');
    const segments = readSegments(taker.text('d'));
    const half = taker.number('stroke-width') / 2;
    return {
      colour: taker.colour('stroke'),
      distance: (x, y) => {
        let nearest = Number.POSITIVE_INFINITY;
        for (const [from, to] of segments) nearest = Math.min(nearest, segmentDistance(x, y, from, to));
        return nearest - half;
      },
    };
  },
};

function boxDistance([cx, cy]: Point, halfWidth: number, halfHeight: number, radius: number): Shape['distance'] {
  return (x, y) => {
    const dx = Math.abs(x - cx) - halfWidth + radius;
    const dy = Math.abs(y - cy) - halfHeight + radius;
    return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - radius;
  };
}

function segmentDistance(x: number, y: number, [fromX, fromY]: Point, [toX, toY]: Point): number {
  const along = ((x - fromX) * (toX - fromX) + (y - fromY) * (toY - fromY)) / ((toX - fromX) ** 2 + (toY - fromY) ** 2);
  const t = Math.min(1, Math.max(0, along));
  return Math.hypot(x - fromX - t * (toX - fromX), y - fromY - t * (toY - fromY));
}

/** Straight lines alone: `M x y L x y …`, with as many pieces as wanted. */
function readSegments(d: string): readonly (readonly [Point, Point])[] {
  const steps = [...d.matchAll(/([A-Za-z])\s*(-?[\d.]+)[\s,]+(-?[\d.]+)\s*/g)];
  if (steps.map(([step]) => step).join('') !== d || steps.some(([, letter]) => letter !== 'M' && letter !== 'L')) {
    throw new Error(`<path>: only M and L can be drawn: ${d}`);
  }
  const points = steps.map(([, letter, x, y]) => ({ letter, point: [Number(x), Number(y)] as const }));
  return points.flatMap(({ letter, point }, index) => {
    const before = points[index - 1];
    return letter === 'L' && before !== undefined ? [[before.point, point] as const] : [];
  });
}

/**
 * Reads the few SVG elements that the icons are drawn with: `rect`, `circle` and `path` of straight strokes with round ends.
 * Throws on everything else instead of leaving it out.
 */
export function readSvg(text: string): Drawing {
  const tags = [...text.matchAll(/<(\/?)([a-z]+)((?:\s+[\w:-]+="[^"]*")*)\s*(\/?)>/g)];
  if (tags.map(([tag]) => tag).join('') !== text.replace(/>\s+</g, '><').trim()) throw new Error('this SVG holds more than plain tags');
  return tags.flatMap(([, , name = '', attributes = '']) => {
    if (name === 'svg') return [];
    const make = makers[name];
    if (make === undefined) throw new Error(`<${name}> cannot be drawn`);
    const taker = new Taker(
      name,
      Object.fromEntries([...attributes.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, key, value]) => [key, value])),
    );
    const shape = make(taker);
    taker.end();
    return [shape];
  });
}

/** Draws at a size in pixels: rows of red, green, blue and alpha, colour not multiplied by alpha. */
export function rasterise(drawing: Drawing, size: number): Uint8Array {
  const scale = size / units;
  const pixels = new Uint8Array(size * size * 4);
  for (let index = 0; index < size * size; index += 1) {
    const x = ((index % size) + 0.5) / scale;
    const y = (Math.floor(index / size) + 0.5) / scale;
    let red = 0;
    let green = 0;
    let blue = 0;
    let alpha = 0;
    for (const { colour, distance } of drawing) {
      // How much of a pixel lies inside an edge is, closely enough, how far its middle is from it.
      const cover = Math.min(1, Math.max(0, 0.5 - distance(x, y) * scale));
      if (cover === 0) continue;
      alpha = cover + alpha * (1 - cover);
      const share = cover / alpha;
      red += (colour[0] - red) * share;
      green += (colour[1] - green) * share;
      blue += (colour[2] - blue) * share;
    }
    pixels[index * 4] = Math.round(red);
    pixels[index * 4 + 1] = Math.round(green);
    pixels[index * 4 + 2] = Math.round(blue);
    pixels[index * 4 + 3] = Math.round(alpha * 255);
  }
  return pixels;
}
