import { randomBytes } from 'node:crypto';
import type { Connection, NewConnection, RemoteAddress } from '../../shared/connection';
import { AppError } from '../../shared/errors';
import { excludedNames } from '../../shared/rules';
import { absolutePath, localHermesHome } from '../platform/app-paths';
import { type ConnectionStore, foldName } from '../store/connections';

/** The saved connections, by id or name. */
export interface Connections {
  list(): readonly Connection[];
  /** Checks, fills in the defaults and stores. Connects to nothing. */
  add(wanted: NewConnection): Promise<Connection>;
  /** Removes it with its session and decisions, and returns what it was. Files elsewhere are the caller's. */
  remove(idOrName: string): Promise<Connection>;
  /** Fails with `connection.unknown`. */
  find(idOrName: string): Connection;
}

export interface ConnectionsOptions {
  readonly now?: () => number;
  /** Where the local Hermes home is when the request does not say. */
  readonly localHome?: () => string;
}

/** The saved connections on top of their store. */
export function createConnections(store: ConnectionStore, options: ConnectionsOptions = {}): Connections {
  const { now = Date.now, localHome = () => localHermesHome(undefined) } = options;
  const find = (idOrName: string): Connection => {
    const all = store.list();
    const found =
      all.find(({ id }) => id === idOrName) ??
      all.find(({ name }) => name === idOrName) ??
      all.find(({ name }) => foldName(name) === foldName(idOrName));
    if (found === undefined) throw new AppError('connection.unknown', { name: idOrName });
    return found;
  };
  return {
    list: () => store.list(),
    find,
    async add(wanted) {
      const connection = newConnection(wanted, new Date(now()).toISOString(), localHome);
      await store.add(connection);
      return connection;
    },
    async remove(idOrName) {
      const connection = find(idOrName);
      await store.remove(connection.id);
      return connection;
    },
  };
}

function newConnection(wanted: NewConnection, createdAt: string, localHome: () => string): Connection {
  return {
    id: randomBytes(8).toString('hex'),
    name: checkedName(wanted.name),
    address: checkedAddress(wanted.address),
    identityFile: checkedFile('identity file', wanted.identityFile),
    knownHostsFile: checkedFile('known-hosts file', wanted.knownHostsFile),
    acceptedHostKey: checkedHostKey(wanted.acceptHostKey),
    useSshConfig: wanted.useSshConfig ?? true,
    localHome: checkedLocalHome(wanted.localHome ?? localHome()),
    remoteHome: checkedRemoteHome(wanted.remoteHome),
    profile: checkedProfile(wanted.profile),
    roots: checkedRoots(wanted.roots ?? ['skills']),
    newSkills: wanted.newSkills ?? 'bring',
    userRules: [],
    lifted: [],
    createdAt,
  };
}

function invalid(what: string): AppError {
  return new AppError('usage.invalid', { what });
}

/** Control characters, lone surrogates, and what turns the direction of text around: none of it can be shown as it is. */
const unshowable = /[\p{Cc}\p{Cs}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

function checkedName(name: string): string {
  if (name.length === 0 || [...name].length > 64) throw invalid('A connection name has 1 to 64 characters.');
  if (unshowable.test(name)) throw invalid('A connection name cannot hold control characters.');
  if (name !== name.trim()) throw invalid('A connection name cannot begin or end with a space.');
  if (name.startsWith('-')) throw invalid('A connection name cannot begin with a hyphen.');
  return name;
}

function checkedAddress(address: RemoteAddress): RemoteAddress {
  if (address.kind === 'alias') {
    checkWord('SSH alias', address.alias);
    if (/[*?!,]/.test(address.alias)) throw invalid(`The SSH alias "${address.alias}" is a pattern, not a name.`);
    return { kind: 'alias', alias: address.alias };
  }
  checkWord('user name', address.user);
  checkWord('host', address.host);
  if (/[/\\@]/.test(address.host)) throw invalid(`The host "${address.host}" is no host name.`);
  if (!Number.isInteger(address.port) || address.port < 1 || address.port > 65_535) {
    throw invalid(`The port ${address.port} is not between 1 and 65535.`);
  }
  return { kind: 'address', user: address.user, host: address.host, port: address.port };
}

/** Something that ssh, which also reads names from its command line, takes for a name and nothing else. */
function checkWord(what: string, word: string): void {
  if (word.length === 0) throw invalid(`The ${what} is empty.`);
  if (word.length > 255) throw invalid(`The ${what} is longer than 255 characters.`);
  if (/\s/.test(word) || unshowable.test(word)) throw invalid(`The ${what} cannot hold spaces or control characters.`);
  if (word.startsWith('-')) throw invalid(`The ${what} "${word}" cannot begin with a hyphen.`);
}

function checkedFile(what: string, file: string | undefined): string | null {
  if (file === undefined) return null;
  if (file.length === 0 || unshowable.test(file)) throw invalid(`The ${what} is not a usable path.`);
  return absolutePath(file);
}

function checkedHostKey(fingerprint: string | undefined): string | null {
  if (fingerprint === undefined) return null;
  const digest = /^SHA256:([A-Za-z0-9+/]{43})=?$/.exec(fingerprint)?.[1];
  if (digest === undefined) throw invalid(`"${fingerprint}" is no host key fingerprint. It looks like SHA256: and 43 characters.`);
  return `SHA256:${digest}`;
}

function checkedLocalHome(home: string): string {
  if (home.length === 0 || unshowable.test(home)) throw invalid('The local Hermes home is not a usable path.');
  const absolute = absolutePath(home);
  if (absolute === absolutePath('/')) throw invalid('The local Hermes home cannot be the whole disk.');
  return absolute;
}

/** A folder that is named in full and is neither the disk nor somebody's home: everything in it may be ours to change. */
function checkedRemoteHome(home: string | undefined): string | null {
  if (home === undefined) return null;
  const problem = `The remote Hermes home "${home}" cannot be used:`;
  if (unshowable.test(home)) throw invalid('The remote Hermes home cannot hold control characters.');
  const fromHome = home.startsWith('~/');
  if (!fromHome && !home.startsWith('/')) throw invalid(`${problem} it must begin with / or ~/.`);
  const parts = home
    .slice(fromHome ? 2 : 1)
    .split('/')
    .filter((part) => part !== '');
  if (parts.some((part) => part === '.' || part === '..')) throw invalid(`${problem} it holds "." or "..".`);
  if (parts.length < (fromHome ? 1 : 2))
    throw invalid(`${problem} it must lie at least two folders deep, and not be a home directory itself.`);
  return `${fromHome ? '~/' : '/'}${parts.join('/')}`;
}

function checkedProfile(profile: string | undefined): string | null {
  if (profile === undefined) return null;
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(profile)) {
    throw invalid(`"${profile}" is no profile name. It has letters, digits, points, hyphens and underscores.`);
  }
  return profile;
}

/** Files and folders of a Hermes home that belong to one machine, or to Hermes alone. */
const machineLocal = /^(config\.yaml|\.env|auth\.json|state\.db.*|sessions|logs|memories|cron|profiles|\.ebbgate.*)$/i;

function checkedRoots(roots: readonly string[]): readonly string[] {
  if (roots.length === 0) throw invalid('At least one folder must be synced.');
  for (const root of roots) checkRoot(root);
  for (const root of roots) {
    const outer = roots.find((other) => other !== root && root.startsWith(`${other}/`));
    if (outer !== undefined) throw invalid(`The folder "${root}" lies in "${outer}", which is synced already.`);
  }
  if (new Set(roots).size < roots.length) throw invalid('A folder is named twice.');
  return [...roots];
}

function checkRoot(root: string): void {
  const parts = root.split('/');
  if (!parts.every((part) => /^[A-Za-z0-9._][A-Za-z0-9._-]*$/.test(part) && part !== '.' && part !== '..')) {
    throw invalid(
      `"${root}" is no folder inside a Hermes home. It has letters, digits, points, hyphens and underscores, with / between folders.`,
    );
  }
  if (machineLocal.test(parts[0] ?? '')) throw invalid(`"${root}" belongs to one machine and is never synced.`);
  const refused = parts.find((part) => excludedNames.includes(part.toLowerCase()) || part.toLowerCase() === '.ebbgate');
  if (refused !== undefined) throw invalid(`"${root}" is bookkeeping (${refused}) and is never synced.`);
}
