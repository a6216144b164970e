import { lstatSync, mkdirSync, readdirSync, readFileSync, statSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createRandom, type Random } from '../support/random';

export type Size = 'S' | 'M' | 'L';

/** What a made-up skills tree holds; a fifth of the files are `SKILL.md`-like texts, some are images that do not compress. */
export const sizes: Readonly<Record<Size, { readonly skills: number; readonly files: number; readonly bytes: number }>> = {
  S: { skills: 120, files: 600, bytes: 6e6 },
  M: { skills: 250, files: 5000, bytes: 60e6 },
  L: { skills: 2500, files: 100_000, bytes: 1e9 },
};

const syllables = 'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu al er in on us th ch sh st ing tion ment'.split(' ');

/** Text of a made-up vocabulary that compresses about as well as English does. */
function makeText(random: Random, bytes: number): Buffer {
  const words = Array.from({ length: 12_000 }, () => Array.from({ length: 1 + random.below(4) }, () => random.pick(syllables)).join(''));
  const parts: string[] = [];
  for (let length = 0, column = 0; length < bytes; ) {
    const word = words[Math.floor(words.length ** random.next()) - 1] ?? 'the';
    column += word.length + 1;
    const space = column > 76 ? (random.next() < 0.2 ? '\n\n- ' : '\n') : ' ';
    if (column > 76) column = 0;
    parts.push(word, space);
    length += word.length + space.length;
  }
  return Buffer.from(parts.join(''));
}

function makeNoise(random: Random, bytes: number): Buffer {
  const noise = Buffer.alloc(bytes);
  for (let at = 0; at < bytes; at += 4) noise.writeUInt32LE(Math.floor(random.next() * 2 ** 32), at);
  return noise;
}

/** Contents cut from a pool, one after the other, so that neighbours share nothing. */
class Pool {
  private readonly text: Buffer;
  private readonly noise: Buffer;
  private at = 0;

  constructor(
    private readonly random: Random,
    bytes: number,
  ) {
    this.text = makeText(random, Math.min(bytes, 64e6));
    this.noise = makeNoise(random, 8 << 20);
  }

  cut(kind: 'text' | 'noise', length: number): Buffer {
    const from = kind === 'text' ? this.text : this.noise;
    if (length > from.length / 2) return Buffer.concat([this.cut(kind, length - (from.length >> 1)), this.cut(kind, from.length >> 1)]);
    const start = kind === 'noise' ? this.random.below(from.length - length) : this.at + length > from.length ? 0 : this.at;
    if (kind === 'text') this.at = start + length;
    return from.subarray(start, start + length);
  }
}

function put(file: string, content: Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

function nameOf(skill: string, index: number, isLarge: boolean, random: Random): string {
  const part = isLarge ? `/part-${Math.floor(index / 12)}` : '';
  if (index === 0) return `${skill}/SKILL.md`;
  if (index % 5 === 1) return `${skill}/references${part}/guide ${index}.md`;
  if (index % 5 === 2) return `${skill}/scripts${part}/run_${index}.py`;
  if (index % 5 === 3) return `${skill}/templates${part}/t${index}.yaml`;
  return random.next() < 0.35 ? `${skill}/assets${part}/image${index}.png` : `${skill}/references${part}/réf${index}.md`;
}

/** Writes the skills of a size into a folder; equal seeds give equal bytes and times. */
export function writeTree(folder: string, size: Size, seed: number): void {
  const { skills, files, bytes } = sizes[size];
  const random = createRandom(seed);
  const pool = new Pool(random, bytes);
  const each = files / skills;
  const planned: { readonly path: string; readonly weight: number }[] = [];
  for (let skill = 0; skill < skills; skill += 1) {
    const base = `category-${String(skill % 12).padStart(2, '0')}/skill-${String(skill).padStart(4, '0')}`;
    for (let index = 0; index < each; index += 1) {
      // Lengths of real files: many short ones, few long ones.
      const normal = Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
      planned.push({ path: nameOf(base, index, size === 'L', random), weight: Math.exp(1.1 * normal) });
    }
  }
  const sum = planned.reduce((total, { weight }) => total + weight, 0);
  for (const { path, weight } of planned) {
    const length = Math.max(60, Math.round((weight / sum) * bytes));
    const head = path.endsWith('.png') ? Buffer.alloc(0) : Buffer.from(`# ${path}\n`);
    const file = join(folder, path);
    put(file, Buffer.concat([head, pool.cut(path.endsWith('.png') ? 'noise' : 'text', length)]).subarray(0, length));
    const time = 1.75e9 + random.next() * 1e7;
    utimesSync(file, time, time);
  }
}

/** Adds what piles up on a remote: 24 MB of restore points, a stale hub lock, and 200 MB in 20 000 files of a `node_modules`. */
export function addBookkeeping(folder: string, seed: number): void {
  const random = createRandom(seed);
  const pool = new Pool(random, 64e6);
  for (let point = 1; point <= 6; point += 1) {
    const base = join(folder, '.curator_backups', `2026-05-0${point}T13-05-42Z`);
    put(join(base, 'skills.tar.gz'), pool.cut('noise', 4e6));
    put(join(base, 'manifest.json'), Buffer.from(`{"snapshot":${point}}\n`));
  }
  put(join(folder, '.hub/lock.json'), Buffer.from('{}\n'));
  const skill = listFiles(folder).find((path) => path.endsWith('/SKILL.md')) ?? 'category-00/skill-0000/SKILL.md';
  for (let index = 0; index < 20_000; index += 1) {
    const lib = index % 50 < 10 ? '' : `lib${index % 4}/`;
    put(join(folder, dirname(skill), `node_modules/pkg-${Math.floor(index / 50)}/${lib}f${index % 50}.js`), pool.cut('text', 10_000));
  }
}

/** Every file of a tree, in order, without what the rules refuse. */
export function listFiles(folder: string): readonly string[] {
  const found: string[] = [];
  const visit = (inside: string): void => {
    for (const entry of readdirSync(join(folder, inside), { withFileTypes: true })) {
      if (/^(\.curator_backups|\.hub|node_modules)$/.test(entry.name)) continue;
      const path = inside === '' ? entry.name : `${inside}/${entry.name}`;
      if (entry.isDirectory()) visit(path);
      else found.push(path);
    }
  };
  visit('');
  return found.sort();
}

/** What one round changed. `null`: the file is gone. */
export type Edited = ReadonlyMap<string, Buffer | null>;

/** Ten texts edited in the middle and at the end, two new files, one removed: another set in each round. */
export function editSome(folder: string, round: number): Edited {
  const texts = listFiles(folder).filter((path) => !path.endsWith('.png') && !path.endsWith('SKILL.md') && !path.includes('added'));
  const edited = new Map<string, Buffer | null>();
  for (let index = 0; index < 10; index += 1) {
    const path = texts[(Math.floor((index * texts.length) / 10) + 3 + round) % texts.length] ?? '';
    const old = readFileSync(join(folder, path));
    const middle = old.length >> 1;
    const line = `edited in round ${round}`;
    edited.set(path, Buffer.concat([old.subarray(0, middle), Buffer.from(line), old.subarray(middle), Buffer.from(`\n${line}\n`)]));
  }
  const model = readFileSync(join(folder, texts[1] ?? '')).reverse();
  for (const path of [texts[7], texts.at(-3)])
    edited.set(join(dirname(path ?? ''), `added in ${round}.md`), Buffer.concat([model, Buffer.from(String(round))]));
  edited.set(texts[((texts.length >> 1) + 20 + round) % texts.length] ?? '', null);
  for (const [path, content] of edited) {
    if (content === null) unlinkSync(join(folder, path));
    else put(join(folder, path), content);
  }
  return edited;
}

/** One file edited without a change of its length, and its time put back. */
export function editUnseen(folder: string, round: number): Edited {
  const path = listFiles(folder).filter((name) => name.endsWith('.py'))[round * 3 + 1] ?? '';
  const file = join(folder, path);
  const { atime, mtime } = statSync(file);
  const content = readFileSync(file);
  content.write(String(round % 10).repeat(20), 30);
  writeFileSync(file, content);
  utimesSync(file, atime, mtime);
  return new Map([[path, content]]);
}

/** The time of every file moved, and no content. */
export function touchAll(folder: string, round: number): Edited {
  const time = 1.77e9 + round * 100;
  for (const path of listFiles(folder)) utimesSync(join(folder, path), time, time);
  return new Map();
}

/** Where the big file of the scenario lies. */
export const bigFile = 'category-00/skill-0000/assets/model.bin';

/** Writes the 20 MB file that `editBig` edits. */
export function addBig(folder: string, seed: number): void {
  put(join(folder, bigFile), makeNoise(createRandom(seed), 20 << 20));
}

/** A kilobyte in the middle of a 20 MB file. */
export function editBig(folder: string, round: number): Edited {
  const content = readFileSync(join(folder, bigFile));
  content.fill(round, 10_000_000 + round * 1000, 10_001_000 + round * 1000);
  writeFileSync(join(folder, bigFile), content);
  return new Map([[bigFile, content]]);
}

/** Whether a tree holds what a round changed; removals count only where the tool removes. */
export function hasArrived(folder: string, edited: Edited, removes: boolean): boolean {
  return [...edited].every(([path, content]) => {
    const there = lstatSync(join(folder, path), { throwIfNoEntry: false });
    if (content === null) return there === undefined || !removes;
    return there !== undefined && readFileSync(join(folder, path)).equals(content);
  });
}

/** Whether two trees hold the same files with the same content. */
export function sameTrees(a: string, b: string): boolean {
  const [left, right] = [listFiles(a), listFiles(b)];
  return left.join('\n') === right.join('\n') && left.every((path) => readFileSync(join(a, path)).equals(readFileSync(join(b, path))));
}
