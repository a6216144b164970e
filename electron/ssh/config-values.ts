import type { ConfigCondition, ConfigLine } from './config-files';
import { listMatches } from './patterns';

/** The host as it was asked for. */
export interface ConfigRequest {
  readonly name: string;
  /** Null: not stated. */
  readonly user: string | null;
  readonly port: number | null;
  /** The account on this computer. */
  readonly localUser: string;
}

/** What the files say about one host. */
export interface ConfigValues {
  /** By lower-case keyword; the first value wins, but for those that may be given several times. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** The first condition that cannot be decided without running or connecting to something; null when there is none. */
  readonly undecided: string | null;
}

/** ssh_config(5): these may appear several times, and all count. */
const collected: ReadonlySet<string> = new Set(['identityfile', 'certificatefile']);

/** What the lines of all files, in order, set for a host. Conditions see what earlier lines have set, as in OpenSSH. */
export function valuesFor(lines: readonly ConfigLine[], request: ConfigRequest): ConfigValues {
  const values = new Map<string, readonly string[]>();
  if (request.user !== null) values.set('user', [request.user]);
  if (request.port !== null) values.set('port', [String(request.port)]);
  let undecided: string | null = null;
  for (const { keyword, text, words, conditions } of lines) {
    const verdicts = conditions.map((condition) => decide(condition, values, request));
    if (verdicts.includes(false)) continue;
    const open = verdicts.find((verdict) => typeof verdict === 'string');
    if (open !== undefined) {
      undecided ??= open;
      continue;
    }
    // A command keeps its quotes: they are the shell's.
    const value = keyword === 'proxycommand' ? text : words.join(' ');
    if (collected.has(keyword)) values.set(keyword, [...(values.get(keyword) ?? []), value]);
    // With a jump host a later command says nothing, and the other way round.
    else if (keyword === 'proxycommand' || keyword === 'proxyjump') {
      if (!values.has('proxycommand') && !values.has('proxyjump')) values.set(keyword, [value]);
    } else if (!values.has(keyword)) values.set(keyword, [value]);
  }
  return { values, undecided };
}

/** Whether a condition holds; a text names what cannot be decided. */
function decide(
  { kind, words }: ConfigCondition,
  values: ReadonlyMap<string, readonly string[]>,
  request: ConfigRequest,
): boolean | string {
  if (kind === 'host') return listMatches(words, request.name);
  const first = (keyword: string): string | undefined => values.get(keyword)?.[0];
  const subjects: Readonly<Record<string, string>> = {
    host: (first('hostname') ?? request.name).replaceAll('%h', request.name),
    originalhost: request.name,
    user: first('user') ?? request.localUser,
    localuser: request.localUser,
  };
  let open: string | null = null;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const isNegated = word.startsWith('!');
    const criterion = word.slice(isNegated ? 1 : 0).toLowerCase();
    if (criterion === 'all') continue;
    // Never true in the only pass there is here.
    if (criterion === 'canonical') {
      if (!isNegated) return false;
      continue;
    }
    if (criterion === 'final') {
      open ??= 'Match final';
      continue;
    }
    at += 1;
    const subject = subjects[criterion];
    if (subject === undefined) open ??= `Match ${criterion}`;
    else if (listMatches((words[at] ?? '').split(','), subject) === isNegated) return false;
  }
  return open ?? true;
}
