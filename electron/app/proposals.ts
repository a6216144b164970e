import type { Connection, NewConnection, RemoteAddress } from '../../shared/connection';
import type { Proposal } from '../../shared/proposal';
import type { HermesRemote, HermesRemotes } from '../hermes/remotes';
import { foldName } from '../store/connections';

/** A name of the SSH configuration, as far as proposals need it. */
export interface KnownAlias {
  readonly alias: string;
  readonly file: string;
  readonly hostName: string;
  readonly user: string | null;
  readonly port: number;
}

export interface ProposalSources {
  readonly aliases: readonly KnownAlias[];
  readonly hermes: HermesRemotes['remotes'];
  readonly saved: readonly Connection[];
  readonly localHome: string;
  /** The account on this computer, which SSH assumes where none is stated. */
  readonly localUser: string;
}

/** Where code is kept: nobody has a home there. */
const forges = /(^|\.)(github\.com|gitlab\.com|bitbucket\.org|codeberg\.org|sr\.ht|ssh\.dev\.azure\.com)$/i;

/** The remotes one could add, those of Hermes first, each machine and profile once. */
export function proposeConnections({ aliases, hermes, saved, localHome, localUser }: ProposalSources): readonly Proposal[] {
  const found: { readonly origin: Proposal['origin']; readonly file: string; readonly connection: NewConnection }[] = [];
  for (const remote of hermes) {
    found.push({ origin: 'hermes', file: remote.file, connection: fromHermes(remote, aliases, localHome, localUser) });
  }
  for (const { alias, file, hostName, user } of aliases) {
    if (user === 'git' || forges.test(hostName)) continue;
    found.push({ origin: 'ssh-config', file, connection: { name: alias, address: { kind: 'alias', alias }, localHome } });
  }
  const taken = new Set(saved.map(({ name }) => foldName(name)));
  const proposals: Proposal[] = [];
  for (const one of found) {
    if (proposals.some(({ connection }) => leadsThere(connection, one.connection))) continue;
    const savedAs = saved.find((connection) => leadsThere(connection, one.connection))?.name ?? null;
    const name = savedAs ?? freeName(one.connection.name, taken);
    taken.add(foldName(name));
    proposals.push({ ...one, connection: { ...one.connection, name }, savedAs });
  }
  return proposals;
}

/** An alias stays an alias, so that everything else it stands for applies; stated parts that differ make it an address. */
function fromHermes(remote: HermesRemote, aliases: readonly KnownAlias[], localHome: string, localUser: string): NewConnection {
  const known = aliases.find(({ alias }) => alias === remote.host) ?? null;
  const user = remote.user ?? known?.user ?? localUser;
  const port = remote.port ?? known?.port ?? 22;
  const agrees = known !== null && user === (known.user ?? localUser) && port === known.port;
  const address: RemoteAddress = agrees
    ? { kind: 'alias', alias: known.alias }
    : { kind: 'address', user, host: known?.hostName ?? remote.host, port };
  const name = remote.profile === null ? remote.host : `${remote.host} ${remote.profile}`;
  return {
    ...{ name, address, localHome },
    ...(remote.key === null ? {} : { identityFile: remote.key }),
    ...(remote.profile === null ? {} : { profile: remote.profile }),
  };
}

interface Leading {
  readonly address: RemoteAddress;
  readonly profile?: string | null | undefined;
}

function leadsThere(a: Leading, b: Leading): boolean {
  return showKey(a.address) === showKey(b.address) && (a.profile ?? null) === (b.profile ?? null);
}

function showKey(address: RemoteAddress): string {
  return JSON.stringify(address.kind === 'alias' ? [address.alias] : [address.user, address.host.toLowerCase(), address.port]);
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  const name = wanted.slice(0, 60);
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name} ${number}`;
    if (!taken.has(foldName(candidate))) return candidate;
  }
}
