import ssh2, { type BaseAgent, type IdentityCallback, type ParsedKey, type SignCallback, type SigningRequestOptions } from 'ssh2';

const { BaseAgent: AgentBase, createAgent } = ssh2;

/** An agent, the keys of it that can be used, and why it has none where it has none. */
export interface AgentKeys {
  readonly agent: BaseAgent;
  readonly keys: readonly ParsedKey[];
  readonly trouble: string | null;
}

const listTimeoutMs = 5000;

/** Asks an agent for its keys. Never fails: what is wrong with it is part of the answer. */
export function listAgentKeys(socketPath: string): Promise<AgentKeys> {
  return new Promise((resolve) => {
    const agent = createAgent(socketPath);
    const end = (keys: readonly ParsedKey[], trouble: string | null): void => {
      clearTimeout(timer);
      resolve({ agent, keys, trouble });
    };
    const timer = setTimeout(() => end([], `${socketPath} does not answer`), listTimeoutMs);
    agent.getIdentities((error, listed) => {
      if (error) return end([], `${socketPath} cannot be reached`);
      const keys = (listed ?? []).map(toParsedKey).filter((key) => key !== null);
      if (keys.length > 0) return end(keys, null);
      end(
        [],
        listed?.length ? 'it holds only keys that cannot be used, such as those of security keys' : 'it holds no key; it may be locked',
      );
    });
  });
}

/** The same agent reduced to some of its keys, so that no other key is ever offered. */
export class SelectedAgent extends AgentBase {
  /** `waits` is called with a key's name when a signature is asked for; what it returns, when the agent has answered. */
  constructor(
    private readonly agent: BaseAgent,
    private readonly keys: readonly ParsedKey[],
    private readonly waits: (key: string) => () => void,
  ) {
    super();
  }

  override getIdentities(done: IdentityCallback<ParsedKey>): void {
    done(null, [...this.keys]);
  }

  override sign(key: ParsedKey, data: Buffer, options: SigningRequestOptions | SignCallback, done?: SignCallback): void {
    const answered = this.waits(key.comment || key.type);
    const [settings, callback] = typeof options === 'function' ? [{}, options] : [options, done ?? (() => undefined)];
    this.agent.sign(key, data, settings, (error, signature) => {
      answered();
      if (error) callback(error);
      else callback(null, signature);
    });
  }
}

/** An authentication agent may list types that the library does not know; those come as plain bytes. */
function toParsedKey(entry: unknown): ParsedKey | null {
  return typeof entry === 'object' && entry !== null && 'getPublicSSH' in entry ? (entry as ParsedKey) : null;
}
