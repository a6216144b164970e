import type ssh2 from 'ssh2';

/** What may protect a connection, in the library's shape. What the configuration does not name is missing: there its own choice stands. */
export type Algorithms = Readonly<Pick<ssh2.Algorithms, 'cipher' | 'hmac' | 'kex'>>;

/** How the bytes reach a server: over TCP, through another machine, or through a command of the user's on this computer. */
export type SshRoute =
  | { readonly kind: 'direct'; readonly family: 0 | 4 | 6; readonly bindAddress: string | null }
  | { readonly kind: 'jump'; readonly via: SshTarget }
  | { readonly kind: 'command'; readonly command: string };

/** How soon a silent link counts as lost: after so many intervals in a row in which nothing came, probes notwithstanding. */
export interface Keepalive {
  readonly intervalMs: number;
  readonly silentIntervals: number;
}

/** Everything needed to reach a remote, resolved before the first packet. Holds no secret. */
export interface SshTarget {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** Key files that may be offered, in order; of some only the public half may be here. */
  readonly identityFiles: readonly string[];
  /** True: nothing but `identityFiles` is offered, not even by the agent. */
  readonly identitiesOnly: boolean;
  /** Sockets and pipes of SSH agents, and `pageant`; all that answer are used. */
  readonly agentSockets: readonly string[];
  /** Read in order; the first receives accepted keys. */
  readonly knownHostsFiles: readonly string[];
  /** The name to look up in known_hosts instead of the address. */
  readonly hostKeyAlias: string | null;
  /** The only ones to accept, in order; null where nothing is said about them. */
  readonly hostKeyAlgorithms: readonly string[] | null;
  /** Ciphers, MACs and key exchanges to accept, where something is said about them. */
  readonly algorithms: Algorithms;
  /** The ways to log in that are allowed, in order of preference. */
  readonly loginMethods: readonly LoginMethod[];
  /** False (`BatchMode`): a person is never asked. */
  readonly asks: boolean;
  /** What the configuration says about keeping the connection alive; null where it says nothing. */
  readonly keepalive: Keepalive | null;
  readonly route: SshRoute;
}

export type LoginMethod = 'publickey' | 'keyboard-interactive' | 'password';

/** All ways to log in, in the order in which OpenSSH tries them. */
export const loginMethods: readonly LoginMethod[] = ['publickey', 'keyboard-interactive', 'password'];

/** Straight there, over whatever the name resolves to. */
export const directRoute: SshRoute = { kind: 'direct', family: 0, bindAddress: null };

/** Environment variables as the resolver sees them. */
export type SshEnvironment = Readonly<Record<string, string | undefined>>;
