/** How to reach a remote: an address of its own, or an alias of the user's SSH configuration. */
export type RemoteAddress =
  | { readonly kind: 'address'; readonly user: string; readonly host: string; readonly port: number }
  | { readonly kind: 'alias'; readonly alias: string };

/** What becomes of a skill directory that appears on the remote and does not exist here. */
export type NewSkillsPolicy = 'bring' | 'review';

/** A saved remote: where it is, which folders belong together, and the user's policies. Holds no secret. */
export interface Connection {
  readonly id: string;
  readonly name: string;
  readonly address: RemoteAddress;
  /** Private key file; null means the SSH agent, then the usual key files. */
  readonly identityFile: string | null;
  /** Replaces every other known-hosts file and receives accepted keys; null means the user's own files. */
  readonly knownHostsFile: string | null;
  /** SHA-256 fingerprint (`SHA256:…`) the user consented to beforehand; a host that shows it is added to known_hosts. */
  readonly acceptedHostKey: string | null;
  /** False: neither the user's nor the system's SSH configuration is read. */
  readonly useSshConfig: boolean;
  /** Absolute Hermes home on this computer, fixed when the connection was added. */
  readonly localHome: string;
  /** Hermes home on the remote; null means `$HOME/.hermes` there. */
  readonly remoteHome: string | null;
  /** Named profile (`profiles/<name>` in both homes); null means the default home. */
  readonly profile: string | null;
  /** Synced trees, relative to the Hermes home, for instance `skills`. */
  readonly roots: readonly string[];
  readonly newSkills: NewSkillsPolicy;
  /** The user's own rules, in gitignore syntax. */
  readonly userRules: readonly string[];
  /** Paths for which app rules that may be lifted are lifted. */
  readonly lifted: readonly string[];
  /** ISO 8601. */
  readonly createdAt: string;
}

/** What `connection add` takes; everything left out gets the default named in `Connection`. */
export interface NewConnection {
  readonly name: string;
  readonly address: RemoteAddress;
  readonly identityFile?: string | undefined;
  readonly knownHostsFile?: string | undefined;
  readonly acceptHostKey?: string | undefined;
  readonly useSshConfig?: boolean | undefined;
  readonly localHome?: string | undefined;
  readonly remoteHome?: string | undefined;
  readonly profile?: string | undefined;
  readonly roots?: readonly string[] | undefined;
  readonly newSkills?: NewSkillsPolicy | undefined;
}

/** Reads `user@host[:port]`; the host of an IPv6 address stands in brackets when a port follows. Null when it is none. */
export function parseAddress(text: string): Extract<RemoteAddress, { readonly kind: 'address' }> | null {
  const at = text.lastIndexOf('@');
  if (at <= 0) return null;
  const user = text.slice(0, at);
  const place = text.slice(at + 1);
  if (/^[\da-f.]*(:[\da-f.]*){2,}(%\w+)?$/i.test(place)) return { kind: 'address', user, host: place, port: 22 };
  const match = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(place);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3] ?? 22);
  return host === undefined || port < 1 || port > 65_535 ? null : { kind: 'address', user, host, port };
}

/** The address as a person writes it. */
export function showAddress(address: RemoteAddress): string {
  if (address.kind === 'alias') return address.alias;
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  return `${address.user}@${host}${address.port === 22 ? '' : `:${address.port}`}`;
}

/** One verdict of `connection test`. */
export interface ConnectionCheck {
  readonly id: string;
  readonly ok: boolean;
  readonly detail: string;
  /** What to do about it; null when there is nothing to do. */
  readonly fix: string | null;
  /** What failed, where that is an error; `fix` holds its sentence. */
  readonly error?: { readonly code: string; readonly message: string; readonly details: unknown };
  /** SHA-256 fingerprint that may be trusted; only where an unknown host key is what fails. */
  readonly unknownKey?: string;
}

/** A test that failed: when, and its first verdict against the connection. */
export interface FailedTest {
  /** ISO 8601. */
  readonly at: string;
  readonly check: string;
  /** What to do about it; what was found, where nothing is to be done. */
  readonly advice: string;
}

export interface ConnectionTest {
  readonly ok: boolean;
  readonly checks: readonly ConnectionCheck[];
}
