import { crc32, deflateSync } from 'node:zlib';

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), body.length + 4);
  return frame;
}

/** A PNG file of a square picture: eight bits each for red, green, blue and alpha (W3C PNG, colour type 6). */
export function pngFile(pixels: Uint8Array, size: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const rows = Buffer.alloc(size * (size * 4 + 1));
  for (let row = 0; row < size; row += 1) rows.set(pixels.subarray(row * size * 4, (row + 1) * size * 4), row * (size * 4 + 1) + 1);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A picture of one size, as a PNG file. */
export interface Png {
  readonly size: number;
  readonly file: Buffer;
}

/** A Windows icon of several sizes, up to 256 pixels; PNG inside ICO is read since Windows Vista. */
export function icoFile(pictures: readonly Png[]): Buffer {
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let offset = head.length;
  for (const [index, { size, file }] of pictures.entries()) {
    const at = 6 + 16 * index;
    // 256 is written as 0
    head.set([size % 256, size % 256, 0, 0, 1, 0, 32, 0], at);
    head.writeUInt32LE(file.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += file.length;
  }
  return Buffer.concat([head, ...pictures.map(({ file }) => file)]);
}

/** The names under which macOS looks for a PNG of a size inside an icon file. */
const icnsTypes: Readonly<Record<number, readonly string[]>> = {
  16: ['icp4'],
  32: ['icp5', 'ic11'],
  64: ['ic12'],
  128: ['ic07'],
  256: ['ic08', 'ic13'],
  512: ['ic09', 'ic14'],
  1024: ['ic10'],
};

/** A macOS icon of several sizes. */
export function icnsFile(pictures: readonly Png[]): Buffer {
  const parts = pictures.flatMap(({ size, file }) =>
    (icnsTypes[size] ?? []).map((type) => {
      const head = Buffer.alloc(8);
      head.write(type, 'latin1');
      head.writeUInt32BE(file.length + 8, 4);
      return Buffer.concat([head, file]);
    }),
  );
  const head = Buffer.alloc(8);
  head.write('icns', 'latin1');
  head.writeUInt32BE(8 + parts.reduce((sum, { length }) => sum + length, 0), 4);
  return Buffer.concat([head, ...parts]);
}
