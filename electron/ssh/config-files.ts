import { readdir, readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, parse } from 'node:path';
import type { Line } from 'ssh-config';
import { globMatches } from './patterns';

/** A condition under which lines count: the patterns of a `Host` line, or the words of a `Match` line. */
export interface ConfigCondition {
  readonly kind: 'host' | 'match';
  readonly words: readonly string[];
}

/** One setting as written, and all conditions around it. */
export interface ConfigLine {
  readonly file: string;
  readonly conditions: readonly ConfigCondition[];
  /** Lower case. */
  readonly keyword: string;
  readonly words: readonly string[];
  /** The words as one text, with their quotes. */
  readonly text: string;
}

/** A configuration file that is there and could not be read or understood. */
export class ConfigFileError extends Error {
  constructor(
    readonly file: string,
    override readonly cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause));
  }
}

/** The user's file, then the system's, as OpenSSH reads them (ssh_config(5)). */
export function configFiles(home: string): readonly string[] {
  const system = process.platform === 'win32' ? 'C:\\ProgramData\\ssh\\ssh_config' : '/etc/ssh/ssh_config';
  return [join(home, '.ssh', 'config'), system];
}

/** Every line of a file in the order of reading, with included files in place. A missing file is empty. Runs nothing. */
export async function readConfigLines(file: string, home: string): Promise<readonly ConfigLine[]> {
  return readFileLines(file, { home, base: dirname(file), conditions: [], around: [] });
}

interface Place {
  readonly home: string;
  /** Where relative names of an `Include` start: the folder of the user's or the system's own file. */
  readonly base: string;
  readonly conditions: readonly ConfigCondition[];
  /** Files whose `Include` led here; one of them included again would never end. */
  readonly around: readonly string[];
}

async function readFileLines(file: string, place: Place): Promise<readonly ConfigLine[]> {
  const config = await parseFile(file);
  return collect(config, file, { ...place, around: [...place.around, file] });
}

async function parseFile(file: string): Promise<readonly Line[]> {
  try {
    const text = await readFile(file, 'utf8');
    // Loaded with the first file: most commands read none.
    const { parse: parseConfig } = await import('ssh-config');
    return parseConfig(text);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw new ConfigFileError(file, error);
  }
}

async function collect(lines: readonly Line[], file: string, place: Place): Promise<readonly ConfigLine[]> {
  const found: ConfigLine[] = [];
  for (const line of lines) {
    if (!('param' in line)) continue;
    const keyword = line.param.toLowerCase();
    const words = typeof line.value === 'string' ? [line.value] : line.value.map(({ val }) => val);
    if ('config' in line) {
      const kind = keyword === 'match' ? 'match' : 'host';
      found.push(...(await collect(line.config, file, { ...place, conditions: [...place.conditions, { kind, words }] })));
    } else if (keyword === 'include') {
      for (const pattern of words) {
        for (const included of await expandPattern(pattern, place)) {
          if (!place.around.includes(included)) found.push(...(await readFileLines(included, place)));
        }
      }
    } else {
      const text = typeof line.value === 'string' ? line.value : line.value.map(({ val, quoted }) => (quoted ? `"${val}"` : val)).join(' ');
      found.push({ file, conditions: place.conditions, keyword, words, text });
    }
  }
  return found;
}

/** The files an `Include` names, sorted within each folder. */
async function expandPattern(pattern: string, { home, base }: Place): Promise<readonly string[]> {
  const inHome = pattern.startsWith('~/') ? join(home, pattern.slice(2)) : pattern;
  const path = isAbsolute(inHome) ? inHome : join(base, inHome);
  const { root } = parse(path);
  let found: readonly string[] = [root];
  for (const part of path.slice(root.length).split(/[\\/]/)) {
    if (/[*?]/.test(part)) found = (await Promise.all(found.map((folder) => matchingNames(folder, part)))).flat();
    else found = found.map((folder) => join(folder, part));
  }
  return found;
}

async function matchingNames(folder: string, pattern: string): Promise<readonly string[]> {
  // A folder that cannot be listed holds nothing for us, as for OpenSSH.
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => globMatches(pattern, name) && (pattern.startsWith('.') || !name.startsWith('.')))
    .sort()
    .map((name) => join(folder, name));
}
