import type { EnginePath } from '../engine/entry';
import type { SftpChannel } from './sftp-channel';
import { refusalOf } from './sftp-errors';

/** A folder as the way to a path: real all the way down from its root, not there, or not to be walked through. */
export type FolderState = 'real' | 'missing' | { readonly blocked: string };

const newFolderMode = 0o755;

/** What is known of the folders below a home. Remembers, so that a thousand files of one folder ask once. */
export class SftpFolders {
  private readonly states = new Map<EnginePath, Promise<FolderState>>();

  constructor(
    private readonly channel: SftpChannel,
    private readonly home: string,
    private readonly signal: AbortSignal,
  ) {}

  /** The state of the folder that holds `path`. A root may be a link to a folder, anything below it may not. */
  holding(path: EnginePath): Promise<FolderState> {
    const folder = folderOf(path);
    return folder === null ? Promise.resolve('real') : this.state(folder);
  }

  /** Makes the folder that holds `path`, and those above it, where they are missing. Never touches one that exists. */
  async make(path: EnginePath): Promise<FolderState> {
    const folder = folderOf(path);
    if (folder === null) return 'real';
    const known = await this.state(folder);
    if (known !== 'missing') return known;
    const above = await this.make(folder);
    if (above !== 'real') return above;
    const made = this.create(folder);
    // Whoever asks meanwhile for a file beside this one waits for the same request.
    if ((await this.state(folder)) === 'missing') this.states.set(folder, made);
    return made;
  }

  private state(folder: EnginePath): Promise<FolderState> {
    const known = this.states.get(folder);
    if (known !== undefined) return known;
    const asked = this.look(folder);
    this.states.set(folder, asked);
    return asked;
  }

  private async look(folder: EnginePath): Promise<FolderState> {
    const above = folderOf(folder);
    if (above !== null) {
      const state = await this.state(above);
      if (state !== 'real') return state;
    }
    try {
      const at = `${this.home}/${folder}`;
      const stats = above === null ? await this.channel.stat(at, this.signal) : await this.channel.lstat(at, this.signal);
      if (stats === null) return 'missing';
      return stats.isDirectory() ? 'real' : { blocked: `${folder} is not a folder` };
    } catch (error) {
      return { blocked: refusalOf(error) };
    }
  }

  private async create(folder: EnginePath): Promise<FolderState> {
    try {
      await this.channel.mkdir(`${this.home}/${folder}`, newFolderMode, this.signal);
      return 'real';
    } catch (error) {
      const said = refusalOf(error);
      // Another file of the same folder, or somebody else, may have made it in between.
      const now = await this.look(folder);
      return now === 'missing' ? { blocked: `the folder ${folder} could not be made: ${said}` } : now;
    }
  }
}

/** The folder that holds a path; null for a root itself. */
export function folderOf(path: EnginePath): EnginePath | null {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? null : path.slice(0, slash);
}
