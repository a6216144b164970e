import { posix } from 'node:path';
import { AppError } from '../../shared/errors';
import type { SftpChannel } from './sftp-channel';
import { sftpStatusOf, translateSftpError } from './sftp-errors';

/** The Hermes home on an account that offers SFTP alone. */
export interface SftpHome {
  /** The home itself, of the profile when there is one. */
  readonly home: string;
  /** The Hermes home that holds the profiles; equal to `home` without a profile. */
  readonly base: string;
  /** The account's own folder. */
  readonly login: string;
  readonly exists: boolean;
}

/** Finds the Hermes home: the given one, or `.hermes` in the account's folder. Reads only. */
export async function findSftpHome(
  channel: SftpChannel,
  where: { readonly remoteHome: string | null; readonly profile: string | null },
  signal: AbortSignal,
): Promise<SftpHome> {
  const login = await loginFolder(channel, signal);
  const base = where.remoteHome === null ? posix.join(login, '.hermes') : givenHome(where.remoteHome, login);
  const parent = posix.dirname(base);
  if (!(await isFolder(channel, parent, signal))) throw new AppError('remote.home-missing', { path: parent });
  const real = await realFolder(channel, base, signal);
  if (real === login) throw new AppError('remote.home-invalid', { path: base, reason: 'it is the home folder of the account itself' });
  const home = where.profile === null ? base : posix.join(base, 'profiles', where.profile);
  return { home, base, login, exists: await isFolder(channel, home, signal) };
}

/** The given home with `~/` replaced; refuses what could name a folder that is not the app's to write in. */
export function givenHome(given: string, login: string): string {
  const invalid = (reason: string): AppError => new AppError('remote.home-invalid', { path: given, reason });
  const expanded = given === '~' || given.startsWith('~/') ? `${login}/${given.slice(2)}` : given;
  if (!expanded.startsWith('/')) throw invalid('it is not an absolute path');
  if (expanded.includes('\0') || expanded.split('/').includes('..')) throw invalid('it leads through "..", or is no path at all');
  const home = posix.normalize(expanded).replace(/\/+$/, '');
  if (home === login || home === '') throw invalid('it is the home folder of the account itself');
  if (home.split('/').length < 3) throw invalid('it lies directly below the root of the disk');
  return home;
}

async function loginFolder(channel: SftpChannel, signal: AbortSignal): Promise<string> {
  try {
    const login = await channel.realpath('.', signal);
    const found = login.startsWith('/') && (await isFolder(channel, login, signal));
    // A server that could not enter the account's folder starts at `/`. A folder made for SFTP alone also shows as `/`,
    // and holds no password file.
    const whole = login === '/' && (await channel.stat('/etc/passwd', signal)) !== null;
    if (!found || whole) throw new AppError('remote.home-missing', { path: login });
    return login;
  } catch (error) {
    throw translateSftpError(error, 'tell the home folder', '.');
  }
}

async function isFolder(channel: SftpChannel, path: string, signal: AbortSignal): Promise<boolean> {
  try {
    return (await channel.stat(path, signal))?.isDirectory() ?? false;
  } catch (error) {
    throw translateSftpError(error, 'look at', path);
  }
}

async function realFolder(channel: SftpChannel, path: string, signal: AbortSignal): Promise<string | null> {
  try {
    return (await channel.stat(path, signal)) === null ? null : await channel.realpath(path, signal);
  } catch (error) {
    if (sftpStatusOf(error) === null) throw error;
    return null;
  }
}
