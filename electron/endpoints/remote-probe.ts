import type { SshConnection } from '../ssh/ssh-connection';
import { converse, fact, readFacts } from './remote-conversation';

/** What one look at a remote's shell tells. */
export interface RemoteFacts {
  readonly home: string;
  readonly exists: boolean;
  /** Kernel and machine, as `uname -sm` prints them. */
  readonly system: string;
  /** Whose file tools there are. */
  readonly tools: string;
  readonly freeBytes: number | null;
}

/** Looks at the remote through its shell, writing nothing. `ssh.no-shell` when there is none to use. */
export async function probeRemote(
  connection: SshConnection,
  settings: { readonly remoteHome: string | null; readonly profile: string | null },
  signal: AbortSignal,
): Promise<RemoteFacts> {
  const empty = { clientId: '', roots: [], rules: null, digest: null, counts: false, inlineBytes: 0, proposedIdentity: '' };
  const talk = await converse(connection, { mode: 'probe', ...settings, ...empty }, signal);
  const facts = await readFacts(talk, connection);
  talk.channel.close();
  const free = Number.parseInt(fact(facts, 'free') ?? '', 10);
  const tools = { gnu: 'GNU', statc: 'BusyBox or toybox', bsd: 'BSD' }[fact(facts, 'tier') ?? ''] ?? 'unknown';
  return {
    home: fact(facts, 'home') ?? '',
    exists: fact(facts, 'exists') === '1',
    system: fact(facts, 'os') ?? '',
    tools,
    freeBytes: Number.isNaN(free) ? null : free * 1024,
  };
}
