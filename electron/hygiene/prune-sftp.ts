import { AppError } from '../../shared/errors';
import type { SftpChannel } from '../endpoints/sftp-channel';
import { sftpStatus, sftpStatusOf, translateSftpError } from '../endpoints/sftp-errors';
import { isRunId, stateFolder, trashFolder } from '../engine/state-names';
import {
  backupsFolder,
  type Failures,
  isPlain,
  isPruning,
  type Leaving,
  type MoveOutcome,
  type PruneSide,
  pruneLock,
  type Survey,
  surveyPath,
  surveyTree,
  type TrashOwner,
} from './prune-side';
import { createSftpReader } from './sftp-reader';
import type { SeenEntry, TreeReader } from './tree-reader';

/** A remote that offers nothing but SFTP. The channel belongs to the caller. */
export function createSftpPruneSide(channel: SftpChannel, home: string, now: () => number): PruneSide & TrashOwner {
  return new SftpPruneSide(channel, home, now);
}

class SftpPruneSide implements PruneSide, TrashOwner {
  readonly side = 'remote';

  constructor(
    private readonly channel: SftpChannel,
    readonly home: string,
    private readonly now: () => number,
  ) {}

  survey(paths: readonly string[], signal: AbortSignal): Promise<Survey> {
    return surveyTree(this.reader(signal), this.home, paths);
  }

  async move(run: string, items: readonly Leaving[], signal: AbortSignal): Promise<MoveOutcome> {
    const moveAll = async (): Promise<MoveOutcome> => {
      for (const { path, stamp } of items) {
        if ((await surveyPath(this.reader(signal), this.home, path))?.stamp !== stamp) return { kind: 'changed' };
      }
      await this.makeFolder(`${trashFolder}/${run}`, signal);
      const failed = new Map<string, string>();
      for (const { path, name } of items) await this.rename(path, `${trashFolder}/${run}/${name}`, path, failed, signal);
      return { kind: 'moved', failed };
    };
    return this.locked(signal, moveAll, (error) => ({ kind: 'refused', error }));
  }

  async restore(run: string, items: readonly Pick<Leaving, 'path' | 'name'>[], signal: AbortSignal): Promise<Failures> {
    return this.locked(signal, async () => {
      const failed = new Map<string, string>();
      for (const { path, name } of items) {
        const isKept = await this.isReal(`${trashFolder}/${run}/${name}`, signal);
        // It never went, or is back already.
        if (!isKept && (await this.channel.lstat(this.at(path), signal)) !== null) continue;
        const problem = isKept ? await this.obstacle(path, signal) : 'it is no longer in the trash';
        if (problem !== null) failed.set(path, problem);
        else await this.rename(`${trashFolder}/${run}/${name}`, path, path, failed, signal);
      }
      await this.channel.rmdir(this.at(`${trashFolder}/${run}`), signal).catch(refused);
      return failed;
    });
  }

  async kept(run: string, signal: AbortSignal): Promise<ReadonlySet<string>> {
    const folder = `${trashFolder}/${run}`;
    return (await this.isThere(folder, signal)) ? new Set((await this.listed(folder, signal)).map(({ name }) => name)) : new Set();
  }

  async drop(run: string, signal: AbortSignal): Promise<void> {
    const folder = `${trashFolder}/${run}`;
    if (!(await this.isThere(folder, signal))) return;
    try {
      await this.remove(folder, signal);
    } catch (error) {
      throw translateSftpError(error, 'delete', this.at(folder));
    }
  }

  async empty(before: string, signal: AbortSignal): Promise<void> {
    if (!(await this.isReal(trashFolder, signal))) return;
    const listed = await this.reader(signal).list(this.at(trashFolder));
    if (typeof listed === 'string') return;
    for (const { name } of listed) if (isRunId(name) && name < before) await this.drop(name, signal);
  }

  async close(): Promise<void> {}

  private async obstacle(path: string, signal: AbortSignal): Promise<string | null> {
    const up = path.slice(0, path.lastIndexOf('/'));
    if ((await this.channel.lstat(this.at(path), signal)) !== null) return 'something else has its name now';
    if (up === backupsFolder && (await this.channel.lstat(this.at(up), signal)) === null) {
      await this.channel.mkdir(this.at(up), 0o755, signal).catch(refused);
    }
    return (await isPlain(this.reader(signal), this.home, up)) ? null : 'the folder that held it is gone';
  }

  private async rename(from: string, to: string, path: string, failed: Map<string, string>, signal: AbortSignal): Promise<void> {
    try {
      await this.channel.rename(this.at(from), this.at(to), signal);
    } catch (error) {
      if (sftpStatusOf(error) === null) throw error;
      failed.set(path, translateSftpError(error, 'move', path).message);
    }
  }

  /** Works while nobody else moves anything there; a lock that was left behind is taken over. */
  private async locked<T>(signal: AbortSignal, work: () => Promise<T>, refused: (error: AppError) => T = rethrown): Promise<T> {
    try {
      await this.lock(signal);
    } catch (error) {
      if (error instanceof AppError) return refused(error);
      throw error;
    }
    try {
      return await work();
    } finally {
      // The link may be gone; a lock that stays counts for ten minutes.
      await this.channel.rmdir(this.at(pruneLock), signal).catch(() => undefined);
    }
  }

  private async lock(signal: AbortSignal): Promise<void> {
    for (const folder of [stateFolder, trashFolder]) await this.makeFolder(folder, signal);
    const seen = await this.reader(signal).look(this.at(pruneLock), { follow: false });
    const since = typeof seen === 'string' ? null : seen.mtime;
    if (since !== null && !isPruning({ entries: [], clock: null, locked: null, pruning: { since } }, this.now())) {
      await this.channel.rmdir(this.at(pruneLock), signal).catch(refused);
    }
    try {
      await this.channel.mkdir(this.at(pruneLock), 0o700, signal);
    } catch (error) {
      throw translateSftpError(error, 'lock the trash', this.at(pruneLock));
    }
  }

  private async makeFolder(folder: string, signal: AbortSignal): Promise<void> {
    if (await this.isReal(folder, signal)) return;
    try {
      await this.channel.mkdir(this.at(folder), 0o700, signal);
    } catch (error) {
      throw translateSftpError(error, 'make the folder', this.at(folder));
    }
  }

  /** Whether it is a folder, and so is everything of ours above it. */
  private async isReal(path: string, signal: AbortSignal): Promise<boolean> {
    const names = path.split('/');
    for (let depth = 1; depth <= names.length; depth += 1) {
      const seen = await this.reader(signal).look(this.at(names.slice(0, depth).join('/')), { follow: false });
      if (typeof seen === 'string' || seen.kind !== 'folder') return false;
    }
    return true;
  }

  /** Whether the trash has a folder; fails when a link lies where it, or the trash, should be. */
  private async isThere(folder: string, signal: AbortSignal): Promise<boolean> {
    const names = folder.split('/');
    for (let depth = 1; depth <= names.length; depth += 1) {
      const path = this.at(names.slice(0, depth).join('/'));
      const seen = await this.reader(signal).look(path, { follow: false });
      if (seen === 'missing') return false;
      if (typeof seen !== 'string' && seen.kind === 'folder') continue;
      throw new AppError('remote.failed', { operation: 'use the trash', path, said: 'it is a link or cannot be read' });
    }
    return true;
  }

  private async remove(folder: string, signal: AbortSignal): Promise<void> {
    for (const { name, kind } of await this.listed(folder, signal)) {
      if (kind === 'folder') await this.remove(`${folder}/${name}`, signal);
      else await this.channel.unlink(this.at(`${folder}/${name}`), signal);
    }
    await this.channel.rmdir(this.at(folder), signal);
  }

  private async listed(folder: string, signal: AbortSignal): Promise<readonly SeenEntry[]> {
    const listed = await this.reader(signal).list(this.at(folder));
    if (typeof listed === 'string') throw new AppError('remote.failed', { operation: 'list', path: this.at(folder), said: listed });
    return listed;
  }

  private reader(signal: AbortSignal): TreeReader {
    return createSftpReader(this.channel, signal);
  }

  private at(path: string): string {
    return `${this.home}/${path}`;
  }
}

function rethrown(error: AppError): never {
  throw error;
}

/** The server's refusal shows in what lies there afterwards; a lost link does not. */
function refused(error: unknown): void {
  const status = sftpStatusOf(error);
  if (status === null || status === sftpStatus.noSpace) throw error;
}
