/**
 * The one rule object. Push, sync-back, inspection, growth and display all ask it; no other list of names exists.
 * It answers for a path relative to the Hermes home, root name first (`skills/a/SKILL.md`).
 */

/** Where Hermes's curator keeps restore points, in `skills/`. */
export const restorePointsName = '.curator_backups';

/** Hermes's `EXCLUDED_SKILL_DIRS` (agent/skill_utils.py): bookkeeping and dependency folders that are no skill content. */
export const excludedNames: readonly string[] = [
  '.git',
  '.github',
  '.hub',
  '.archive',
  restorePointsName,
  '.locks',
  '.venv',
  'venv',
  'node_modules',
  'site-packages',
  '__pycache__',
  '.tox',
  '.nox',
  '.pytest_cache',
  '.mypy_cache',
  '.ruff_cache',
];

/** Bookkeeping files directly in `skills/` that decide what Hermes archives or treats as bundled. */
const guardedNames: readonly string[] = [
  '.bundled_manifest',
  '.usage.json',
  '.usage.json.lock',
  '.curator_state',
  '.curator_suppressed',
  '.curator_ledger.jsonl',
];
const skillsRoot = 'skills';
/** Folder of organisation markers in `skills/`; what lies in it is guarded too. */
const guardedFolder = '_org';

/** Every name this app creates on either side is this, begins with this and a hyphen, or holds the mark of a copy. */
export const ownName = '.ebbgate';

/** Marks a copy of the remote's version that lies beside the local file: `SKILL.ebbgate-copy-build-box.md`. */
export const copyMark = `${ownName}-copy-`;

export type EntryKindForRules = 'file' | 'directory' | 'link' | 'other';
export type RuleOwner = 'hermes' | 'app' | 'user';
export type RuleId =
  | 'excluded-name'
  | 'invalid-path'
  | 'own-name'
  | 'unstorable-name'
  | 'twin'
  | 'symbolic-link'
  | 'special-file'
  | 'database'
  | 'runtime-file'
  | 'os-metadata'
  | 'user-rule';

/** `match` is the name, pattern or rule that decided. */
export interface Refusal {
  readonly kind: 'refused';
  readonly rule: RuleId;
  readonly owner: RuleOwner;
  readonly match: string;
}
export type Verdict = { readonly kind: 'in' } | { readonly kind: 'guarded' } | Refusal;

/** App rules on file names. A user may lift them for a path, for instance for a skill that ships a database. */
const filePatterns: readonly { readonly rule: RuleId; readonly glob: string }[] = [
  { rule: 'database', glob: '*.db' },
  { rule: 'database', glob: '*.db-wal' },
  { rule: 'database', glob: '*.db-shm' },
  { rule: 'database', glob: '*.sqlite*' },
  { rule: 'runtime-file', glob: '*.sock' },
  { rule: 'runtime-file', glob: '*.pid' },
  { rule: 'os-metadata', glob: '.DS_Store' },
  { rule: 'os-metadata', glob: '._*' },
];

/** The user's own rules, compiled elsewhere; `matches` returns the pattern that refuses the path, or null. */
export interface UserRules {
  readonly patterns: readonly string[];
  matches(path: string, isDirectory: boolean): string | null;
}

export interface RuleOptions {
  /** What names the local disk can store. */
  readonly platform: 'posix' | 'win32';
  /** Whether the local disk takes names that differ by case, or by Unicode form, for the same name. */
  readonly folds: { readonly case: boolean; readonly unicode: boolean };
  /** Names that the installed Hermes excludes beyond those that are known here. */
  readonly hermesNames?: readonly string[] | undefined;
  readonly userRules?: UserRules | null;
  /** Paths, with everything below them, for which the file-name rules are lifted. */
  readonly lifted?: readonly string[];
}

export interface Rules {
  /** Equal for equal rules; stored with a baseline, so that changed rules are noticed. */
  readonly fingerprint: string;
  /** Whether the local disk takes some different names for one. */
  readonly folds: boolean;
  judge(path: string, kind: EntryKindForRules): Verdict;
  /** Whether a walk enters the directory. Asked from the root downwards. */
  descends(path: string): boolean;
  /** The excluded name that refuses `path`, outermost first; null when none does. */
  treeOf(path: string): string | null;
  /** The path as the local disk compares it; paths with equal folds are one file here. */
  fold(path: string): string;
  /**
   * The part a remote can apply to save bytes. The local side judges everything again. `filePattern` is a POSIX extended
   * regular expression over whole paths for regular files whose content will not be asked for; null when some may be lifted.
   * `onlyNames` is true when these names and patterns are all the rules there are.
   */
  readonly remoteFilter: { readonly names: readonly string[]; readonly filePattern: string | null; readonly onlyNames: boolean };
}

const accepted: Verdict = { kind: 'in' };
const guarded: Verdict = { kind: 'guarded' };
const app = (rule: RuleId, match: string): Refusal => ({ kind: 'refused', rule, owner: 'app', match });

/** Longest name and path a disk stores, in bytes (POSIX) or UTF-16 units (Windows with long paths). */
const longest = { posix: { name: 255, path: 3500 }, win32: { name: 255, path: 32_000 } } as const;
const reservedOnWindows = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])(\.|$)/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
const unstorableOnWindows = /[<>:"|?*\u0001-\u001f]|[. ]$/;
/** `PROGRA~1`: on Windows another spelling of a long name, so it could reach a refused one. */
const shortNameOnWindows = /^[^.]{1,6}~\d+(\.|$)/;
/** Code points that HFS+ ignores in names, so that `.g<U+200C>it` opens `.git`. */
const ignorable = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Two-step case mapping also folds letters whose lower case is their own (`ſ`, `K`). */
function foldName(name: string, folds: RuleOptions['folds']): string {
  const unicode = folds.unicode ? name.normalize('NFC').replace(ignorable, '') : name;
  const both = folds.case ? unicode.toUpperCase().toLowerCase() : unicode;
  return folds.unicode ? both.normalize('NFC') : both;
}

function globSource(glob: string): string {
  return glob.replace(/[.+^${}()|[\]\\]/g, '\\$&').replace(/\*/g, '[^/]*');
}

function unstorable(name: string, platform: RuleOptions['platform']): string | null {
  if (name.includes('\ufffd')) return 'not valid UTF-8';
  // A UTF-16 unit takes three bytes at most.
  if (platform === 'posix') return name.length * 3 > longest.posix.name && utf8Length(name) > longest.posix.name ? 'name too long' : null;
  if (name.length > longest.win32.name) return 'name too long';
  if (reservedOnWindows.test(name)) return 'reserved on Windows';
  if (unstorableOnWindows.test(name)) return 'characters that Windows cannot store';
  return shortNameOnWindows.test(name) ? 'short form of another name' : null;
}

function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** A folder's path, with its slash, and what its names say of all that is in it. */
interface Folder {
  readonly path: string;
  readonly refusal: Refusal | null;
  readonly folded: readonly string[];
}

/** Paths that could lead outside a root, or mean different things on different systems. */
function invalid(path: string): string | null {
  if (path === '') return 'empty';
  if (path.startsWith('/')) return 'absolute';
  if (path.includes('\0')) return 'NUL';
  if (path.includes('\\')) return 'backslash';
  return null;
}

/** Builds the rule object. Pure: equal options give equal verdicts in both directions. */
export function createRules(options: RuleOptions): Rules {
  const { platform, folds } = options;
  const user = options.userRules ?? null;
  const lifted = options.lifted ?? [];
  const names = [...excludedNames, ...(options.hermesNames ?? [])];
  const fold = (name: string) => foldName(name, folds);
  const excluded = new Map(names.map((name) => [fold(name), name]));
  const guardedFolded = new Set(guardedNames.map(fold));
  const own = fold(ownName);
  const copy = fold(copyMark);
  const patterns = filePatterns.map(({ rule, glob }) => ({ rule, glob, expression: new RegExp(`^${globSource(fold(glob))}$`) }));
  const anyPattern = new RegExp(patterns.map(({ expression }) => expression.source).join('|'));
  const isLifted = (path: string) => lifted.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));

  const judgeName = (name: string, folded: string): Refusal | null => {
    if (name === '' || name === '.' || name === '..') return app('invalid-path', name === '' ? 'empty name' : name);
    const tree = excluded.get(folded);
    if (tree !== undefined) return { kind: 'refused', rule: 'excluded-name', owner: 'hermes', match: tree };
    if (folded === own || folded.startsWith(`${own}-`) || folded.includes(copy)) return app('own-name', name);
    const reason = unstorable(name, platform);
    return reason === null ? null : app('unstorable-name', reason);
  };

  const judgeFolder = (path: string): Folder => {
    const names = path === '' ? [] : path.slice(0, -1).split('/');
    const folded = names.map(fold);
    for (const [index, name] of names.entries()) {
      const refusal = judgeName(name, folded[index] ?? '');
      if (refusal !== null) return { path, refusal, folded };
    }
    return { path, refusal: null, folded };
  };
  // Paths come folder by folder: the last folder's names need not be judged for each of its files.
  let folder = judgeFolder('');

  const judge = (path: string, kind: EntryKindForRules): Verdict => {
    const problem = invalid(path);
    if (problem !== null) return app('invalid-path', problem);
    const start = path.lastIndexOf('/') + 1;
    if (start !== folder.path.length || !path.startsWith(folder.path)) folder = judgeFolder(path.slice(0, start));
    if (folder.refusal !== null) return folder.refusal;
    const name = path.slice(start);
    const last = fold(name);
    const refusal = judgeName(name, last);
    if (refusal !== null) return refusal;
    if (path.length > longest[platform].path) return app('unstorable-name', 'path too long');
    if (kind === 'link') return app('symbolic-link', 'symbolic link');
    if (kind === 'other') return app('special-file', 'socket, pipe or device');
    const pattern = user?.matches(path, kind === 'directory') ?? null;
    if (pattern !== null) return { kind: 'refused', rule: 'user-rule', owner: 'user', match: pattern };
    if (kind === 'directory') return accepted;
    const hit = anyPattern.test(last) ? patterns.find(({ expression }) => expression.test(last)) : undefined;
    if (hit !== undefined && !isLifted(path)) return app(hit.rule, hit.glob);
    const { folded } = folder;
    const inSkills = folded[0] === skillsRoot;
    const marksSkills = folded.length === 1 ? guardedFolded.has(last) : folded[1] === guardedFolder;
    return inSkills && marksSkills ? guarded : accepted;
  };

  return {
    fingerprint: JSON.stringify([2, names, filePatterns, guardedNames, platform, folds, user?.patterns ?? [], lifted]),
    folds: folds.case || folds.unicode,
    judge,
    descends: (path) => judge(path, 'directory').kind === 'in',
    treeOf: (path) => {
      for (const name of path.split('/')) {
        const tree = excluded.get(fold(name));
        if (tree !== undefined) return tree;
      }
      return null;
    },
    fold: (path) => path.split('/').map(fold).join('/'),
    remoteFilter: {
      names,
      filePattern: lifted.length > 0 ? null : `(^|/)(${filePatterns.map(({ glob }) => globSource(glob)).join('|')})$`,
      onlyNames: user === null || user.patterns.length === 0,
    },
  };
}
