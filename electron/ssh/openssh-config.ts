import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../../shared/errors';
import { ConfigFileError, configFiles, readConfigLines } from './config-files';
import { valuesFor } from './config-values';
import { plainReason } from './ssh-errors';
import type { SshEnvironment } from './target';

/** Paths in which tokens, variables and `~` stand as they were written. */
const expanded: ReadonlySet<string> = new Set(['identityfile', 'identityagent', 'certificatefile']);

/** What `ssh -G` printed, by lower-case keyword. */
export interface OpenSshAnswer {
  first(keyword: string): string | null;
  all(keyword: string): readonly string[];
}

// A `Match exec` of the user's may hang, and nothing else would end it.
const timeoutMs = 10_000;

/** A host as it is asked for; null where nothing is stated. */
export interface AskedHost {
  readonly name: string;
  readonly user: string | null;
  readonly port: number | null;
}

/** The user's home as the environment states it. */
export function homeOf(env: SshEnvironment): string {
  return env.HOME || env.USERPROFILE || homedir();
}

/** Lets OpenSSH read the configuration for a host; null when it is not installed. The name must not begin with a dash. */
export async function askOpenSsh({ name, user, port }: AskedHost, env: SshEnvironment, home: string): Promise<OpenSshAnswer | null> {
  const stated = [...(port === null ? [] : ['-p', String(port)]), ...(user === null ? [] : ['-l', user])];
  const output = await run([...configFileArguments(home), '-G', ...stated, '--', name], name, env);
  return output === null ? null : parseAnswer(output, home, env);
}

/** Reads the configuration files for a host, where OpenSSH cannot. Runs nothing: a `Match exec` that would decide is named in an error. */
export async function askConfigFiles(asked: AskedHost, env: SshEnvironment, home: string): Promise<OpenSshAnswer> {
  const { name } = asked;
  try {
    const lines = (await Promise.all(configFiles(home).map((file) => readConfigLines(file, home)))).flat();
    const { values, undecided } = valuesFor(lines, { ...asked, localUser: accountName() });
    if (undecided !== null) {
      const reason = 'only OpenSSH ("ssh"), which is not installed here, can decide it';
      throw new AppError('connection.unsupported-option', { host: name, option: undecided, reason });
    }
    const hostName = (values.get('hostname')?.[0] ?? name).replaceAll('%h', name);
    const said = [...values].flatMap(([keyword, all]) => all.map((value) => `${keyword} ${value}`));
    return parseAnswer([`hostname ${hostName}`, ...said].join('\n'), home, env);
  } catch (error) {
    if (!(error instanceof ConfigFileError)) throw error;
    throw new AppError('connection.alias-unresolved', { alias: name, reason: `${error.file}: ${plainReason(error)}` }, { cause: error });
  }
}

/** The answer's lines; paths have `~` and the tokens that stand for people and places filled in. */
export function parseAnswer(output: string, home: string, env: SshEnvironment): OpenSshAnswer {
  const values = new Map<string, string[]>();
  for (const line of output.split(/\r?\n/)) {
    const space = line.indexOf(' ');
    if (space <= 0) continue;
    const keyword = line.slice(0, space).toLowerCase();
    values.set(keyword, [...(values.get(keyword) ?? []), line.slice(space + 1).trim()]);
  }
  const tokens: Readonly<Record<string, string>> = {
    '%%': '%',
    '%d': home,
    '%h': values.get('hostname')?.[0] ?? '',
    '%p': values.get('port')?.[0] ?? '',
    '%r': values.get('user')?.[0] ?? '',
    '%u': accountName(),
  };
  const expand = (value: string): string =>
    expandHome(value, home)
      .replace(/%[%dhpru]/g, (token) => tokens[token] ?? token)
      .replace(/\$\{(\w+)\}/g, (variable, name: string) => env[name] ?? variable);
  const all = (keyword: string): readonly string[] => {
    const found = values.get(keyword) ?? [];
    return expanded.has(keyword) ? found.map(expand) : found;
  };
  return { all, first: (keyword) => all(keyword)[0] ?? null };
}

/** Splits a list of paths whose quotes OpenSSH dropped: a word that does not begin like a path continues the one before. */
export function unquotePaths(list: string, home: string): readonly string[] {
  const paths: string[] = [];
  for (const word of list.split(' ').filter((part) => part !== '')) {
    if (paths.length > 0 && !/^([~/\\%]|[a-z]:|none$)/i.test(word)) paths[paths.length - 1] += ` ${word}`;
    else paths.push(word);
  }
  const files = paths.filter((path) => path.toLowerCase() !== 'none' && path !== '/dev/null');
  return files.map((path) => relocate(expandHome(path, home), home));
}

function run(args: readonly string[], name: string, env: SshEnvironment): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const options = { env: { ...env }, timeout: timeoutMs, windowsHide: true, maxBuffer: 1024 * 1024 };
    const child = execFile('ssh', [...args], options, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      if (error.code === 'ENOENT') return resolve(null);
      const said = stderr.trim().split('\n')[0] ?? '';
      const reason = error.killed
        ? `"ssh -G" did not answer within ${timeoutMs / 1000} s`
        : plainReason({ message: said || error.message });
      reject(new AppError('connection.alias-unresolved', { alias: name, reason }, { cause: error }));
    });
    child.stdin?.end();
  });
}

// OpenSSH looks up the home in the account database and ignores HOME; here a HOME that differs is meant.
function configFileArguments(home: string): readonly string[] {
  if (accountHome() === null || accountHome() === home) return [];
  const own = join(home, '.ssh', 'config');
  return ['-F', existsSync(own) ? own : 'none'];
}

function relocate(path: string, home: string): string {
  const account = accountHome();
  return account !== null && account !== home && path.startsWith(join(account, '.ssh')) ? join(home, path.slice(account.length)) : path;
}

function expandHome(path: string, home: string): string {
  return path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path;
}

function accountHome(): string | null {
  if (process.platform === 'win32') return null;
  try {
    return userInfo().homedir;
  } catch {
    // An account without an entry in the database has no home besides HOME.
    return null;
  }
}

function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    // Such an account has no name either; a path that needs it does not exist then.
    return '';
  }
}
