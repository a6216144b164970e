import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { icnsFile, icoFile, type Png, pngFile } from './files';
import { type Drawing, rasterise, readSvg } from './svg';

/** The states the tray shows; each has a drawing of its name. */
export const states = ['ready', 'working', 'paused', 'offline', 'needs-you'] as const;

/** On a light panel a coloured tile with a white mark, on a dark one the reverse; macOS tints a black mark on nothing itself. */
export type Scheme = 'light' | 'dark' | 'template';

const black = [0, 0, 0] as const;

/** The drawing of that name. Its first shape is the tile, the others are the mark. */
export function readDrawing(folder: string, name: string): Drawing {
  return readSvg(readFileSync(join(folder, `${name}.svg`), 'utf8'));
}

/** The drawing in the colours of a scheme. */
export function inScheme([tile, ...mark]: Drawing, scheme: Scheme): Drawing {
  if (tile === undefined || mark[0] === undefined) throw new Error('a drawing is a tile and a mark');
  if (scheme === 'light') return [tile, ...mark];
  if (scheme === 'template') return mark.map((shape) => ({ ...shape, colour: black }));
  return [{ ...tile, colour: mark[0].colour }, ...mark.map((shape) => ({ ...shape, colour: tile.colour }))];
}

function png(drawing: Drawing, size: number): Png {
  return { size, file: pngFile(rasterise(drawing, size), size) };
}

const traySizes = { mac: [16, 32], linux: [22, 44], windows: [16, 20, 24, 32, 48] } as const;
const appSizes = [16, 32, 48, 64, 128, 256, 512, 1024] as const;

/** A file to write and where, relative to the folder of icons. */
export interface IconFile {
  readonly path: string;
  readonly content: Buffer;
}

/** PNG at normal and double density: the names by which Electron finds the second one. */
function densities(name: string, drawing: Drawing, sizes: readonly number[]): readonly IconFile[] {
  return sizes.map((size, index) => ({ path: `${name}${index === 0 ? '' : '@2x'}.png`, content: png(drawing, size).file }));
}

/** What each system wants in its tray: macOS templates, Windows ICO, PNG on Linux. */
function trayFiles(folder: string): readonly IconFile[] {
  return states.flatMap((state) => {
    const drawing = readDrawing(folder, state);
    const dressed = (['light', 'dark'] as const).flatMap((scheme) => {
      const own = inScheme(drawing, scheme);
      const ico = { path: `tray/${state}-${scheme}.ico`, content: icoFile(traySizes.windows.map((size) => png(own, size))) };
      return [ico, ...densities(`tray/${state}-${scheme}`, own, traySizes.linux)];
    });
    // macOS takes a picture for a template when its name ends like this.
    return [...dressed, ...densities(`tray/${state}Template`, inScheme(drawing, 'template'), traySizes.mac)];
  });
}

/** The application's own icon, as the packages of each system want it. */
function appFiles(folder: string): readonly IconFile[] {
  const drawing = readDrawing(folder, 'app');
  const all = appSizes.map((size) => png(drawing, size));
  return [
    ...all.filter(({ size }) => size <= 512).map(({ size, file }) => ({ path: `app/${size}x${size}.png`, content: file })),
    { path: 'app/icon.ico', content: icoFile(all.filter(({ size }) => size <= 256)) },
    { path: 'app/icon.icns', content: icnsFile(all) },
  ];
}

/** Every icon file the app and its packages need, drawn from the SVG files of a folder. */
export function iconFiles(folder: string): readonly IconFile[] {
  return [...trayFiles(folder), ...appFiles(folder)];
}
