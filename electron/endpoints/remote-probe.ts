import type { SshConnection } from '../ssh/ssh-connection';
import { converse, fact, readFacts } from './remote-conversation';

/** What one look at a remote's shell tells. */
export interface RemoteFacts {
  readonly home: string;
  readonly exists: boolean;
  /** The folder that a push would write to and may not; null when it may. */
  readonly unwritable: string | null;
  /** Synced roots that are not there. */
  readonly missing: readonly string[];
  /** Names of the profiles there. */
  readonly profiles: readonly string[];
  /** Kernel and machine, as `uname -sm` prints them. */
  readonly system: string;
  /** Whose file tools there are. */
  readonly tools: string;
  /** What its archiver calls itself; empty when it does not say. */
  readonly tar: string;
  /** The first sign that Hermes itself runs there; null when there is none. */
  readonly hermes: string | null;
  /** Milliseconds by which its clock is ahead of ours, give or take the second it tells and the way there. */
  readonly clockAheadMs: number | null;
  readonly freeBytes: number | null;
}

export interface ProbeSettings {
  readonly remoteHome: string | null;
  readonly profile: string | null;
  readonly roots: readonly string[];
  readonly now: () => number;
}

/** Looks at the remote through its shell, writing nothing. `ssh.no-shell` when there is none to use. */
export async function probeRemote(connection: SshConnection, settings: ProbeSettings, signal: AbortSignal): Promise<RemoteFacts> {
  const { remoteHome, profile, roots, now } = settings;
  const empty = { clientId: '', rules: null, digest: null, counts: false, inlineBytes: 0, proposedIdentity: '' };
  const talk = await converse(connection, { mode: 'probe', remoteHome, profile, roots, ...empty }, signal);
  const facts = await readFacts(talk, connection);
  talk.channel.close();
  const number = (name: string): number | null => {
    const value = Number.parseInt(fact(facts, name) ?? '', 10);
    return Number.isNaN(value) ? null : value;
  };
  const [free, clock] = [number('free'), number('clock')];
  return {
    home: fact(facts, 'home') ?? '',
    exists: fact(facts, 'exists') === '1',
    unwritable: fact(facts, 'unwritable'),
    missing: facts.get('missing') ?? [],
    profiles: facts.get('profile') ?? [],
    system: fact(facts, 'os') ?? '',
    tools: { gnu: 'GNU', statc: 'BusyBox or toybox', bsd: 'BSD' }[fact(facts, 'tier') ?? ''] ?? 'unknown',
    tar: fact(facts, 'tar') ?? '',
    hermes: fact(facts, 'hermes'),
    clockAheadMs: clock === null ? null : clock * 1000 - now(),
    freeBytes: free === null ? null : free * 1024,
  };
}
