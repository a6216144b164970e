/** Everything needed to reach a remote, resolved before the first packet. Holds no secret. */
export interface SshTarget {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** Private key files that may be offered, in order. */
  readonly identityFiles: readonly string[];
  /** True: nothing but `identityFiles` is offered, not even by the agent. */
  readonly identitiesOnly: boolean;
  /** Socket or pipe of the SSH agent; null when there is none. */
  readonly agentSocket: string | null;
  /** Read in order; the first receives accepted keys. */
  readonly knownHostsFiles: readonly string[];
  /** The name to look up in known_hosts instead of the address. */
  readonly hostKeyAlias: string | null;
}

/** Environment variables as the resolver sees them. */
export type SshEnvironment = Readonly<Record<string, string | undefined>>;
