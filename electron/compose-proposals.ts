import { homedir, userInfo } from 'node:os';
import type { Connection } from '../shared/connection';
import type { Reply } from '../shared/contract';
import { proposeConnections } from './app/proposals';
import { readHermesRemotes } from './hermes/remotes';
import { ConfigFileError } from './ssh/config-files';
import { listAliases } from './ssh/known-aliases';

/** What the user's SSH and Hermes configuration offers. A file that cannot be understood is said, and the others are read. */
export async function findProposals(saved: readonly Connection[], localHome: string): Promise<Reply<'connection.proposals'>> {
  const notes: string[] = [];
  const aliases = await listAliases(homedir()).catch((error: unknown) => {
    if (!(error instanceof ConfigFileError)) throw error;
    notes.push(`${error.file} could not be understood: ${error.message}.`);
    return [];
  });
  const hermes = await readHermesRemotes(localHome, process.env);
  const sources = { aliases, hermes: hermes.remotes, saved, localHome, localUser: userInfo().username };
  return { proposals: proposeConnections(sources), notes: [...notes, ...hermes.notes] };
}
