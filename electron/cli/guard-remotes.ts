import type { WireError } from '../../shared/contract';
import type { InspectedSide } from '../../shared/inspection';
import type { RunReport } from '../../shared/run-report';
import { type Cli, wireOf } from './cli';
import { sideText } from './inspect-command';
import { forTerminal, oneLine } from './text';

/** What a remote showed, or why it could not be looked at. */
export interface AskedRemote {
  readonly connection: RunReport['connection'];
  readonly remote: InspectedSide | null;
  readonly error: WireError | null;
}

/** Inspects the remote of every connection, one after the other, which writes nothing there. One that is away is an answer. */
export async function askRemotes(cli: Cli): Promise<readonly AskedRemote[]> {
  const { connections } = await cli.request('connection.list', {});
  const asked: AskedRemote[] = [];
  for (const { id, name } of connections) {
    const connection = { id, name };
    try {
      const { remote } = await cli.request('inspect', { connection: id, side: 'remote' });
      asked.push({ connection, remote, error: null });
    } catch (error) {
      asked.push({ connection, remote: null, error: wireOf(error) });
    }
  }
  return asked;
}

/** One remote for people. */
export function remoteText({ connection, remote, error }: AskedRemote): string {
  const name = oneLine(connection.name);
  if (error !== null) return `${name}: ${forTerminal(error.message)}`;
  return remote === null ? `${name}: was not looked at.` : sideText(name, remote);
}
