import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** One import of a source file. */
export interface Import {
  readonly specifier: string;
  /** The file in the tree that it leads to; null for a package or a built-in module. */
  readonly file: string | null;
  readonly typeOnly: boolean;
}

/** One source file of the tree, by its path from the root, `/`-separated. */
export interface Source {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

const folders = ['build', 'electron', 'renderer', 'shared', 'test'];
const statement = /^[ \t]*(?:import|export)\s+(type\s+)?((?:[\w$*\s{},]|\/\/.*\n)*?\sfrom\s+)?['"]([^'"\n]+)['"]/gm;
const dynamic = /\bimport\(\s*(?:\/\*.*?\*\/\s*)?['"]([^'"\n]+)['"]/g;

/** Source text without comments. Naive about comment marks inside strings, which only ever hides text after `//`. */
export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`])\/\/.*$/gm, '$1');
}

function filesUnder(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) return filesUnder(path);
    return /\.(ts|tsx|mjs)$/.test(entry.name) ? [path] : [];
  });
}

function leadsTo(from: string, specifier: string): string | null {
  if (!specifier.startsWith('.')) return null;
  const base = posix.join(posix.dirname(from), specifier.split('?')[0] ?? specifier);
  return (
    ['', '.ts', '.tsx', '/index.ts'].map((end) => base + end).find((path) => /\.\w+$/.test(path) && existsSync(join(root, path))) ?? base
  );
}

function readImports(path: string, text: string): readonly Import[] {
  const statements = [...text.matchAll(statement)].map(([, type, names = '', specifier = '']): Import => {
    const listed =
      /\{([^}]*)\}/
        .exec(names)?.[1]
        ?.split(',')
        .filter((name) => name.trim() !== '') ?? [];
    const namesTypesOnly = /^\s*\{/.test(names) && listed.length > 0 && listed.every((name) => /^\s*type\s/.test(name));
    return { specifier, file: leadsTo(path, specifier), typeOnly: type !== undefined || namesTypesOnly };
  });
  const calls = [...text.matchAll(dynamic)].map(
    ([, specifier = '']): Import => ({ specifier, file: leadsTo(path, specifier), typeOnly: false }),
  );
  return [...statements, ...calls];
}

/** Every source file of the tree with its imports. */
export function readSources(): readonly Source[] {
  return folders.flatMap(filesUnder).map((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return { path, text, imports: readImports(path, text) };
  });
}
