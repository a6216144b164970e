import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmod,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';

/** What a test puts at a path: text, bytes, or something with attributes. */
export type TreeValue =
  | string
  | Uint8Array
  | { readonly text: string | Uint8Array; readonly executable?: boolean; readonly mode?: number; readonly mtime?: number }
  | { readonly link: string }
  | { readonly folder: true; readonly mode?: number }
  | { readonly fifo: true };

/** A tree as a plain object: `{ 'skills/a/SKILL.md': 'text', 'skills/a/run.sh': { text: '…', executable: true } }`. */
export type Tree = Readonly<Record<string, TreeValue>>;

/** What lies at a path; `mode` holds the permission bits, null where the side has none. */
export type TreeImage =
  | { readonly kind: 'file'; readonly text: string; readonly mode: number | null; readonly mtime: number }
  | { readonly kind: 'folder'; readonly mode: number | null }
  | { readonly kind: 'link'; readonly to: string }
  | { readonly kind: 'other' };

/** A Hermes home through which a test arranges and looks at one side's tree, past the endpoint under test. */
export interface TestHome {
  write(tree: Tree): Promise<void>;
  /** Everything below the home, folders too, by path. */
  read(): Promise<ReadonlyMap<string, TreeImage>>;
  /** Removes what lies at the path, with everything below it. */
  remove(path: string): Promise<void>;
  /** Gives a file a second name. */
  hardLink(path: string, second: string): Promise<void>;
  /** Overwrites with other content of the same length and puts the modification time back. */
  stealthEdit(path: string, content: string): Promise<void>;
  /** Returns once nothing written before can share a clock tick with a write from now on. */
  settle(): Promise<void>;
}

/** Content of more than this many bytes appears in images as its hash. */
const longest = 4096;

/** Text by which two contents are compared: the content itself, or its hash when it is long. */
export function contentText(content: string | Uint8Array): string {
  const bytes = Buffer.from(content);
  return bytes.length <= longest ? bytes.toString('utf8') : `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** SHA-256 in hex. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** A new folder under the system's temporary folder. */
export async function makeTempFolder(label: string): Promise<string> {
  return mkdtemp(join(await realpath(tmpdir()), `ebbgate-test-${label}-`));
}

/** Refuses any folder that is not one of this suite's temporary folders, or inside one. */
export async function assertDisposable(folder: string): Promise<void> {
  const inside = relative(await realpath(tmpdir()), folder);
  const first = inside.split(sep)[0] ?? '';
  if (inside === '' || isAbsolute(inside) || !/^ebbgate-/.test(first) || inside.split(sep).includes('..')) {
    throw new Error(`${folder} is not a temporary folder of a test`);
  }
}

/** Removes a temporary folder, and nothing else. */
export async function removeTempFolder(folder: string): Promise<void> {
  await assertDisposable(folder);
  await rm(folder, { recursive: true, force: true });
}

async function writeEntry(path: string, value: TreeValue): Promise<void> {
  if (typeof value === 'string' || value instanceof Uint8Array) return writeFile(path, value);
  if ('link' in value) return symlink(value.link, path);
  if ('fifo' in value) {
    execFileSync('mkfifo', [path]);
    return;
  }
  if ('folder' in value) {
    await mkdir(path, { recursive: true });
    if (value.mode !== undefined) await chmod(path, value.mode);
    return;
  }
  await writeFile(path, value.text);
  if (value.executable !== undefined) await chmod(path, value.executable ? 0o755 : 0o644);
  if (value.mode !== undefined) await chmod(path, value.mode);
  if (value.mtime !== undefined) {
    // Half a microsecond more, since the way to the disk cuts microseconds off.
    const seconds = (value.mtime + 0.0005) / 1000;
    await utimes(path, seconds, seconds);
  }
}

/** Writes a tree below `root`, making parents as needed. Files are overwritten in place. */
export async function writeTree(root: string, tree: Tree): Promise<void> {
  await assertDisposable(root);
  for (const [path, value] of Object.entries(tree)) {
    const full = join(root, path);
    await mkdir(dirname(full), { recursive: true });
    await writeEntry(full, value);
  }
}

async function imageOf(path: string): Promise<TreeImage> {
  const stats = await lstat(path);
  const mode = process.platform === 'win32' ? null : stats.mode & 0o7777;
  if (stats.isSymbolicLink()) return { kind: 'link', to: await readlink(path) };
  if (stats.isDirectory()) return { kind: 'folder', mode };
  if (!stats.isFile()) return { kind: 'other' };
  return { kind: 'file', text: contentText(await readFile(path)), mode, mtime: Math.floor(stats.mtimeMs) };
}

/** Everything below `root`, in the order of names. Links are not followed. */
export async function readTree(root: string): Promise<ReadonlyMap<string, TreeImage>> {
  const images = new Map<string, TreeImage>();
  const visit = async (folder: string): Promise<void> => {
    for (const name of (await readdir(join(root, folder))).sort()) {
      const path = folder === '' ? name : `${folder}/${name}`;
      const image = await imageOf(join(root, path));
      images.set(path, image);
      if (image.kind === 'folder') await visit(path);
    }
  };
  await visit('');
  return images;
}

/** The short form of an image: text by path, `-> target` for links, `(other)`; folders are left out. */
export function contentsOf(images: ReadonlyMap<string, TreeImage>): Readonly<Record<string, string>> {
  const contents: Record<string, string> = {};
  for (const [path, image] of images) {
    if (image.kind === 'file') contents[path] = image.text;
    if (image.kind === 'link') contents[path] = `-> ${image.to}`;
    if (image.kind === 'other') contents[path] = '(other)';
  }
  return contents;
}

/** Times in a stamp are finer than this; no write within it is told from the one before. */
const tick = 50;

async function untilTimePasses(moment: number): Promise<void> {
  while (Date.now() <= moment) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** A test home over a real folder. */
export function folderHome(folder: string): TestHome {
  return {
    write: (tree) => writeTree(folder, tree),
    read: () => readTree(folder),
    remove: async (path) => {
      await assertDisposable(folder);
      await rm(join(folder, path), { recursive: true });
    },
    hardLink: (path, second) => link(join(folder, path), join(folder, second)),
    stealthEdit: async (path, content) => {
      const full = join(folder, path);
      const { atime, mtime, size } = await lstat(full);
      if (Buffer.byteLength(content) !== size) throw new Error('a stealth edit keeps the length');
      await writeFile(full, content);
      await utimes(full, atime, mtime);
    },
    settle: () => untilTimePasses(Date.now() + tick),
  };
}
