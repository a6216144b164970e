import { throwIfCancelled } from '../engine/cancel';
import type { ListRequest } from '../engine/endpoint';
import type { SshConnection } from '../ssh/ssh-connection';
import { type Conversation, converse, stallMs } from './remote-conversation';
import type { ScriptSettings } from './remote-script';

/** What a listing's script is told before the digest is known. */
export type ListSettings = Omit<ScriptSettings, 'mode' | 'digest' | 'proposedIdentity'>;

/**
 * A listing whose script already waits on the remote: begun, it costs one round trip. It holds one channel of its connection and
 * ends with it; the waiting shell reads the end of its input and exits.
 */
export interface PreparedListing {
  /** Begins it; null when it was prepared for another request, or is over. Works once. */
  begin(settings: ListSettings, digest: string | null, signal: AbortSignal): Conversation | null;
  close(): void;
}

/** Everything a prepared script has fixed, as one text. Whether it counts is told when it begins. */
function textOf({ rules, counts: _, ...settings }: ListSettings): string {
  return JSON.stringify([settings, rules?.remoteFilter]);
}

/** Settings of a listing's script. */
export function listSettings(
  account: Pick<ScriptSettings, 'remoteHome' | 'profile' | 'clientId'>,
  { roots, rules, counts = false }: Pick<ListRequest, 'roots' | 'rules' | 'counts'>,
  inlineBytes: number,
): ListSettings {
  const { remoteHome, profile, clientId } = account;
  // Contents are only sent unasked where the remote knows all rules there are.
  return { remoteHome, profile, clientId, roots, rules, counts, inlineBytes: rules.remoteFilter.onlyNames ? inlineBytes : 0 };
}

/** Starts a listing's script up to the point where it waits. `ssh.no-shell` when there is no shell for it. */
export async function prepareListing(connection: SshConnection, settings: ListSettings, signal: AbortSignal): Promise<PreparedListing> {
  const talk = await converse(connection, { ...settings, mode: 'list', digest: 'later', proposedIdentity: '' }, signal);
  const prepared = textOf(settings);
  let isOver = false;
  const close = (): void => {
    isOver = true;
    talk.channel.close();
  };
  talk.channel.exit
    .finally(() => {
      isOver = true;
    })
    .catch(() => undefined);
  return {
    begin: (wanted, digest, runSignal) => {
      throwIfCancelled(runSignal);
      if (isOver || textOf(wanted) !== prepared) {
        close();
        return null;
      }
      isOver = true;
      runSignal.addEventListener('abort', () => talk.channel.close(), { once: true });
      talk.channel.failWhenSilent(stallMs);
      talk.channel.stdin.write(`${digest ?? '-'} ${wanted.counts ? 1 : 0}\n`);
      return talk;
    },
    close,
  };
}
