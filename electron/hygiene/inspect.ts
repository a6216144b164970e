import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { AppError, isAppError } from '../../shared/errors';
import type { Inspection } from '../../shared/inspection';
import type { Rules } from '../../shared/rules';
import { SftpChannel } from '../endpoints/sftp-channel';
import { findSftpHome, givenHome } from '../endpoints/sftp-home';
import type { SshConnection } from '../ssh/ssh-connection';
import { plainReason, stopError } from '../ssh/ssh-errors';
import { collectFindings } from './collect';
import { type ArchiveSizes, archiveKey, archiveSizes, archivesOf, describeSide, type Findings, type FoundHome } from './findings';
import { runInspectScript } from './inspect-shell';
import { createLocalReader, hashLocalFile } from './local-reader';
import { findRemains } from './local-remains';
import type { FoundPoint } from './restore-points';
import { createSftpReader } from './sftp-reader';

/** What `inspectLocal` looks at. */
export interface LocalInspection {
  /** The Hermes home that holds the profiles. */
  readonly home: string;
  readonly profile: string | null;
  readonly rules: Rules;
  /** `PATH` and the user's home folder, where a `hermes` executable may be; none when left out. */
  readonly path?: string | undefined;
  readonly userHome?: string | undefined;
  /** Where Hermes leaves what a killed sync-back held. */
  readonly temporaryFolder?: string | undefined;
  /** Milliseconds since 1970; when left out, no restore point counts as dated in the future. */
  readonly now?: number | undefined;
}

/** What `inspectRemote` looks at. */
export interface RemoteInspection {
  readonly connection: SshConnection;
  readonly remoteHome: string | null;
  readonly profile: string | null;
  readonly rules: Rules;
  /** Archives that this computer holds, by `archiveKey`: those of equal length there are hashed. */
  readonly hashes?: ArchiveSizes | undefined;
  /** Check archives over SFTP too, where that means to download them. */
  readonly check?: boolean | undefined;
  readonly now?: number | undefined;
}

const none: ArchiveSizes = new Map();

/** Looks at this computer's Hermes home. Writes nothing. */
export async function inspectLocal(request: LocalInspection, signal: AbortSignal): Promise<Findings> {
  const { home, profile, rules, path = '', userHome, temporaryFolder = tmpdir(), now = null } = request;
  const programs = process.platform === 'win32' ? ['hermes.exe', 'hermes.cmd'] : ['hermes'];
  const folders = [...path.split(delimiter).filter((folder) => folder !== ''), ...(userHome ? [join(userHome, '.local', 'bin')] : [])];
  const evidence = folders.flatMap((folder) => programs.map((program) => join(folder, program)));
  const reader = createLocalReader(signal);
  return stoppable(signal, async () => {
    const remains = await findRemains(reader, temporaryFolder);
    return collectFindings(reader, { side: 'local', base: home, profile, rules, evidence, remains, now });
  });
}

/** Looks at the remote's Hermes home, through its shell in one command, or through SFTP where there is no usable one. Writes nothing. */
export async function inspectRemote(request: RemoteInspection, signal: AbortSignal): Promise<Findings> {
  const { connection, remoteHome, profile, rules, hashes = none, now = null } = request;
  // Refused before anything is sent. The login folder is not known yet, and any will do to judge what was given.
  if (remoteHome !== null) givenHome(remoteHome, '/login/folder');
  const answer = await runInspectScript(connection, { remoteHome, profile, rules, hashes, now }, signal);
  if (answer.kind === 'found') return answer.findings;
  if (answer.kind === 'no-home') throw new AppError('remote.home-missing', { path: answer.path });
  return inspectBySftp(request, answer.detail, signal);
}

/** Looks at both sides and compares them; a side given as null is not looked at. */
export async function inspectSides(
  sides: { readonly local: LocalInspection | null; readonly remote: RemoteInspection | null },
  signal: AbortSignal,
): Promise<Inspection> {
  const local = sides.local === null ? null : await inspectLocal(sides.local, signal);
  if (sides.remote === null) return compareSides(local, null);
  const remote = await inspectRemote({ ...sides.remote, hashes: local === null ? none : archiveSizes(local) }, signal);
  if (sides.local === null || local === null) return compareSides(null, remote);
  const { home } = sides.local;
  return compareSides(await stoppable(signal, () => hashCopies(local, remote, home, signal)), remote);
}

/** Compares what two sides showed. Pure. */
export function compareSides(local: Findings | null, remote: Findings | null): Inspection {
  return {
    local: local === null ? null : describeSide(local, remote),
    remote: remote === null ? null : describeSide(remote, local),
  };
}

async function inspectBySftp(request: RemoteInspection, detail: string, signal: AbortSignal): Promise<Findings> {
  const channel = await openSftp(request.connection, detail, signal);
  try {
    const { base, login } = await findSftpHome(channel, request, signal);
    const reader = createSftpReader(channel, signal, request.check);
    const { profile, rules, now = null } = request;
    const evidence = [`${login}/.local/bin/hermes`];
    return await collectFindings(reader, { side: 'remote', base, profile, rules, evidence, remains: [], now });
  } finally {
    await channel.close();
  }
}

async function openSftp(connection: SshConnection, detail: string, signal: AbortSignal): Promise<SftpChannel> {
  try {
    return await SftpChannel.open(connection, signal);
  } catch (error) {
    if (!isAppError(error, 'ssh.no-shell')) throw error;
    const both = `${detail}; and over SFTP: ${error.details.detail}`;
    throw new AppError('ssh.no-shell', { host: connection.target.host, detail: both }, { cause: error });
  }
}

/** Hashes the local archives that the remote has hashed: only those can be copies, and no other is read for it. */
async function hashCopies(local: Findings, remote: Findings, base: string, signal: AbortSignal): Promise<Findings> {
  const there = archivesOf(remote);
  const inHome = async (profile: string, folder: string, found: FoundHome): Promise<FoundHome> => {
    const points: FoundPoint[] = [];
    for (const point of found.points) {
      const { id, archive } = point;
      const other = there.get(archiveKey(profile, id));
      const hashed = archive.state === 'present' && other?.state === 'present' && other.sha256 !== null && other.size === archive.size;
      if (!hashed) points.push(point);
      else {
        const sha256 = await hashLocalFile(`${folder}/skills/.curator_backups/${id}/skills.tar.gz`, signal);
        points.push({ ...point, archive: { ...archive, sha256 } });
      }
    }
    return { ...found, points };
  };
  const profiles: { name: string; home: FoundHome }[] = [];
  for (const { name, home } of local.profiles) profiles.push({ name, home: await inHome(name, `${base}/profiles/${name}`, home) });
  return { ...local, own: await inHome('', local.home, local.own), profiles };
}

/** The signal's own reason is no error of ours unless the link gave it. */
async function stoppable<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted) throw stopError(signal);
    if (error instanceof AppError) throw error;
    throw new AppError('internal.unexpected', { what: plainReason(error) }, { cause: error });
  }
}
