import { randomBytes } from 'node:crypto';
import { link, lstat, mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '../../shared/errors';
import { causePhrases } from '../../shared/phrases/causes';
import { problemOf, systemCode } from '../engine/disk';
import { identityPath, makeTemporaryName, stateFolder } from '../engine/state-names';
import { isAbsence, type LocalPaths, openRegular } from './local-files';

/** A marker is a short line; anything longer is no marker of ours. */
const longestMarker = 4096;

/** The identity marker of a home; null when there is none. Rejects when there is one that cannot be read. */
export async function readIdentity(paths: LocalPaths): Promise<string | null> {
  try {
    const folder = await lstat(paths.resolve(stateFolder));
    if (!folder.isDirectory())
      throw new AppError('local.failed', { operation: 'read', path: stateFolder, reason: causePhrases['is-no-folder'] });
    const handle = await openRegular(paths.resolve(identityPath));
    try {
      const buffer = Buffer.alloc(longestMarker);
      const { bytesRead } = await handle.read(buffer, 0, longestMarker, 0);
      return buffer.toString('utf8', 0, bytesRead).trim();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isAbsence(error)) return null;
    throw new AppError('local.failed', { operation: 'read', path: identityPath, reason: problemOf(error) }, { cause: error });
  }
}

async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    if (systemCode(error) !== 'EEXIST') throw error;
  });
}

/** Writes content under a name that appears complete, or not at all when something has that name. */
async function writeOnce(file: string, content: string): Promise<void> {
  const temporary = join(dirname(file), makeTemporaryName({ kind: 'id', pid: process.pid, random: randomBytes(8).toString('hex') }));
  const handle = await open(temporary, 'wx', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  try {
    await link(temporary, file);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return;
    // A disk without hard links: created whole or not at all as far as that disk allows.
    const direct = await open(file, 'wx', 0o600);
    await direct.writeFile(content).finally(() => direct.close());
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Writes the identity marker if there is none, and returns the one that is there afterwards. */
export async function writeIdentity(paths: LocalPaths, proposed: string): Promise<string> {
  const known = await readIdentity(paths);
  if (known !== null) return known;
  try {
    await makeFolder(paths.home);
    await makeFolder(paths.resolve(stateFolder));
    await writeOnce(paths.resolve(identityPath), proposed);
  } catch (error) {
    throw new AppError('local.failed', { operation: 'write', path: identityPath, reason: problemOf(error) }, { cause: error });
  }
  return (await readIdentity(paths)) ?? proposed;
}
