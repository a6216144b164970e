import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A remote that Hermes is set up to work on over SSH; what its configuration leaves open is null. */
export interface HermesRemote {
  /** The file that names the host. */
  readonly file: string;
  /** Named profile; null for the default home. */
  readonly profile: string | null;
  readonly host: string;
  readonly user: string | null;
  readonly port: number | null;
  /** As written: it may begin with `~`. */
  readonly key: string | null;
}

export interface HermesRemotes {
  readonly remotes: readonly HermesRemote[];
  /** What could not be read, in sentences. */
  readonly notes: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;
type Settings = Readonly<Record<string, string | undefined>>;

/** The remotes in `config.yaml` and `.env` of a Hermes home and of its profiles. Values of `config.yaml` win; `${NAME}` is filled in. */
export async function readHermesRemotes(home: string, env: Environment): Promise<HermesRemotes> {
  const remotes: HermesRemote[] = [];
  const notes: string[] = [];
  const profiles = await readdir(join(home, 'profiles'), { withFileTypes: true }).catch(() => []);
  const names = profiles.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  for (const profile of [null, ...names.sort()]) {
    const found = await readOne(profile === null ? home : join(home, 'profiles', profile), profile, env, notes);
    if (found !== null) remotes.push(found);
  }
  return { remotes, notes };
}

async function readOne(home: string, profile: string | null, env: Environment, notes: string[]): Promise<HermesRemote | null> {
  const files = { yaml: join(home, 'config.yaml'), dotenv: join(home, '.env') };
  const dotenv = parseDotenv((await readText(files.dotenv, notes)) ?? '');
  const terminal = await terminalSettings((await readText(files.yaml, notes)) ?? '', files.yaml, notes);
  const variables: Environment = { ...env, ...dotenv };
  const take = (setting: string, variable: string): { readonly value: string; readonly file: string } | null => {
    const value = terminal[setting] ?? dotenv[variable];
    const filled = value?.replace(/\$\{(\w+)\}/g, (_whole, name: string) => variables[name] ?? '').trim();
    return filled ? { value: filled, file: terminal[setting] === undefined ? files.dotenv : files.yaml } : null;
  };
  const host = take('ssh_host', 'TERMINAL_SSH_HOST');
  if (host === null || take('backend', 'TERMINAL_ENV')?.value !== 'ssh') return null;
  const port = Number(take('ssh_port', 'TERMINAL_SSH_PORT')?.value ?? Number.NaN);
  return {
    file: host.file,
    profile,
    host: host.value,
    user: take('ssh_user', 'TERMINAL_SSH_USER')?.value ?? null,
    port: Number.isInteger(port) ? port : null,
    key: take('ssh_key', 'TERMINAL_SSH_KEY')?.value ?? null,
  };
}

/** Null when there is no such file. */
async function readText(file: string, notes: string[]): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') notes.push(`${file} could not be read: ${message}.`);
    return null;
  }
}

/** The scalar settings below `terminal`. */
async function terminalSettings(text: string, file: string, notes: string[]): Promise<Settings> {
  // Loaded with the first proposal: most commands make none.
  const { parse } = await import('yaml');
  try {
    const root: unknown = parse(text);
    const terminal = isRecord(root) ? root.terminal : null;
    if (!isRecord(terminal)) return {};
    const scalars = Object.entries(terminal).filter(([, value]) => typeof value === 'string' || typeof value === 'number');
    return Object.fromEntries(scalars.map(([key, value]) => [key, String(value)]));
  } catch (error) {
    // The parser's message quotes lines, which may hold anything; its first line says what is wrong.
    const [reason = ''] = (error as Error).message.split('\n');
    notes.push(`${file} could not be understood: ${reason.replace(/:$/, '')}.`);
    return {};
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `NAME=value` lines, with `export` and quotes taken off; comments and everything else are passed over. */
function parseDotenv(text: string): Settings {
  const found: Record<string, string> = {};
  for (const line of text.split(/\r?\n/)) {
    const match = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^#]*?))\s*(?:#.*)?$/.exec(line);
    if (match?.[1] !== undefined) found[match[1]] = match[2] ?? match[3] ?? match[4] ?? '';
  }
  return found;
}
