import ssh2, { type BaseAgent, type IdentityCallback, type ParsedKey, type SignCallback, type SigningRequestOptions } from 'ssh2';

const { BaseAgent: AgentBase, createAgent } = ssh2;

/** An agent that answered, and the keys it holds. */
export interface AgentKeys {
  readonly agent: BaseAgent;
  readonly keys: readonly ParsedKey[];
}

const listTimeoutMs = 5000;

/** Asks an agent for its keys; null when it cannot be reached, does not answer in time or holds none. */
export function listAgentKeys(socketPath: string): Promise<AgentKeys | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), listTimeoutMs);
    const agent = createAgent(socketPath);
    agent.getIdentities((error, keys) => {
      clearTimeout(timer);
      const parsed = (keys ?? []).map(toParsedKey).filter((key) => key !== null);
      resolve(error || parsed.length === 0 ? null : { agent, keys: parsed });
    });
  });
}

/** The same agent reduced to some of its keys, so that no other key is ever offered. */
export class SelectedAgent extends AgentBase {
  constructor(
    private readonly agent: BaseAgent,
    private readonly keys: readonly ParsedKey[],
  ) {
    super();
  }

  override getIdentities(done: IdentityCallback<ParsedKey>): void {
    done(null, [...this.keys]);
  }

  override sign(key: ParsedKey, data: Buffer, options: SigningRequestOptions | SignCallback, done?: SignCallback): void {
    if (typeof options === 'function') this.agent.sign(key, data, options);
    else this.agent.sign(key, data, options, done ?? (() => undefined));
  }
}

function toParsedKey(entry: unknown): ParsedKey | null {
  return typeof entry === 'object' && entry !== null && 'getPublicSSH' in entry ? (entry as ParsedKey) : null;
}
