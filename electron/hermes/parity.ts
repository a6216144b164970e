import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import type { RuleParity } from '../../shared/inspection';
import { excludedNames } from '../../shared/rules';

/** Where to look for an installed Hermes. */
export interface HermesPlaces {
  /** The Hermes home: its installer puts the program into `hermes-agent` there. */
  readonly home: string;
  /** `PATH`, on which a `hermes` may lead to its virtualenv. */
  readonly path: string;
}

/** File of Hermes that holds the constant, and the constant (agent/skill_utils.py). */
const moduleFile = join('agent', 'skill_utils.py');
const constant = 'EXCLUDED_SKILL_DIRS';
/** The module is far smaller; a larger file is another one. */
const longest = 1_000_000;
/** A name that can be a rule on both sides as it is. Another one is reported and not used. */
const usable = /^(?![-])(?!\.{1,2}$)[A-Za-z0-9._-]{1,64}$/;

/** Compares our names with those of the Hermes that is installed here. Reads one file, never runs anything. */
export async function readParity(places: HermesPlaces): Promise<RuleParity> {
  const file = await findModule(places);
  if (file === null) return { state: 'not-found', file, added: [], absent: [], unusable: [] };
  const source = (await stat(file)).size > longest ? null : await readFile(file, 'utf8').catch(() => null);
  const names = source === null ? null : parseExcludedNames(source);
  if (names === null) return { state: 'unreadable', file, added: [], absent: [], unusable: [] };
  const foreign = names.filter((name) => !excludedNames.includes(name));
  const absent = excludedNames.filter((name) => !names.includes(name));
  const state = foreign.length + absent.length === 0 ? 'in-step' : 'differs';
  return {
    state,
    file,
    added: foreign.filter((name) => usable.test(name)),
    absent,
    unusable: foreign.filter((name) => !usable.test(name)),
  };
}

async function findModule({ home, path }: HermesPlaces): Promise<string | null> {
  const roots = [join(home, 'hermes-agent')];
  for (const folder of path.split(delimiter).filter((part) => part !== '')) {
    const program = await realpath(join(folder, 'hermes')).catch(() => null);
    // <virtualenv>/bin/hermes, often inside the checkout.
    if (program !== null) roots.push(dirname(dirname(program)), dirname(dirname(dirname(program))));
  }
  for (const root of roots) {
    for (const candidate of [root, ...(await sitePackages(root))]) {
      const file = join(candidate, moduleFile);
      if ((await stat(file).catch(() => null))?.isFile()) return file;
    }
  }
  return null;
}

async function sitePackages(root: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const lib of [join(root, 'lib'), join(root, 'venv', 'lib'), join(root, '.venv', 'lib')]) {
    const names = await readdir(lib).catch(() => []);
    found.push(...names.filter((name) => name.startsWith('python')).map((name) => join(lib, name, 'site-packages')));
  }
  return found;
}

/**
 * The names in a Python literal: a set, list or tuple of plain strings, perhaps inside `frozenset(…)`, perhaps several joined
 * by `|`. Null for anything that would have to be run to be understood.
 */
export function parseExcludedNames(source: string): readonly string[] | null {
  const start = new RegExp(`^${constant}\\s*(?::[^=\\n]*)?=(?!=)`, 'm').exec(source);
  return start === null ? null : readLiteral(source.slice(start.index + start[0].length));
}

const token =
  /[ \t\r\f]+|#[^\n]*|\\\n|(?<line>\n)|(?<word>frozenset|set|tuple|list)\b|(?<open>[([{])|(?<close>[)\]}])|(?<comma>,)|(?<or>\|)|(?<text>"[^"\\\n]*"|'[^'\\\n]*')/y;
const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

function readLiteral(source: string): readonly string[] | null {
  const names: string[] = [];
  const open: string[] = [];
  /** What came before decides what may come: two strings side by side would be one. */
  let before: 'start' | 'word' | 'open' | 'close' | 'comma' | 'or' | 'text' = 'start';
  token.lastIndex = 0;
  for (let match = token.exec(source); match !== null; match = token.exec(source)) {
    const { line, word, open: opened, close, comma, or, text } = match.groups ?? {};
    const isValueDue = before === 'start' || before === 'open' || before === 'comma' || before === 'or';
    if (line !== undefined) {
      if (open.length === 0 && before === 'close') return names;
      if (open.length === 0) return null;
    } else if (word !== undefined) {
      if (!isValueDue) return null;
      before = 'word';
    } else if (opened !== undefined) {
      if (!isValueDue && before !== 'word') return null;
      open.push(closing[opened] ?? '');
      before = 'open';
    } else if (close !== undefined) {
      if (open.pop() !== close || before === 'word' || before === 'or') return null;
      before = 'close';
    } else if (comma !== undefined) {
      if (open.length === 0 || (before !== 'text' && before !== 'close')) return null;
      before = 'comma';
    } else if (or !== undefined) {
      if (before !== 'close') return null;
      before = 'or';
    } else if (text !== undefined) {
      if (open.length === 0 || !isValueDue) return null;
      names.push(text.slice(1, -1));
      before = 'text';
    }
    if (token.lastIndex === source.length) return open.length === 0 && before === 'close' ? names : null;
  }
  return null;
}
