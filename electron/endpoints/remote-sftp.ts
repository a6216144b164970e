import { createHash, randomBytes } from 'node:crypto';
import { AppError } from '../../shared/errors';
import { causePhrases } from '../../shared/phrases/causes';
import type { Applied, ApplyRequest, Endpoint, IncomingFile, Listing, ListRequest, TreeTotals, WantedFile } from '../engine/endpoint';
import type { EnginePath, ListedEntry } from '../engine/entry';
import { identityPath, makeTemporaryName, parseTemporaryName, stateFolder } from '../engine/state-names';
import type { SshConnection } from '../ssh/ssh-connection';
import { stopError } from '../ssh/ssh-errors';
import { applyBySftp } from './sftp-apply';
import { SftpChannel } from './sftp-channel';
import { sftpStatusOf, translateSftpError } from './sftp-errors';
import { type FileSource, hashFiles, readFiles, readSmallFile } from './sftp-files';
import { findSftpHome, type SftpHome } from './sftp-home';
import { countRefused } from './sftp-totals';
import { entryOf, type SftpVisitor, walkSftp } from './sftp-walk';

export interface SftpEndpointOptions {
  readonly connection: SshConnection;
  /** The Hermes home as the user gave it; null for `.hermes` in the account's folder. */
  readonly remoteHome: string | null;
  readonly profile: string | null;
  readonly clientId: string;
  readonly now: () => number;
}

const identityLimit = 1024;
const newFolderMode = 0o755;
const freshFileLimit = 1024 * 1024;
const freshTotalLimit = 4 * 1024 * 1024;

/**
 * A remote that offers nothing but SFTP. Content is told unchanged by size and whole-second time alone, so an edit that keeps
 * both goes unnoticed while there is memory; that is all the protocol has.
 */
export function createSftpEndpoint(options: SftpEndpointOptions): Endpoint {
  return new SftpEndpoint(options);
}

class SftpEndpoint implements Endpoint {
  readonly side = 'remote';
  private opened: Promise<SftpChannel> | null = null;
  private found: SftpHome | null = null;
  /** Begins the random part of our temporary names: what a broken run of this client left is known by it. */
  private readonly tag: string;
  private readonly known = new Map<EnginePath, string>();
  private readonly leftovers = new Set<EnginePath>();

  constructor(private readonly options: SftpEndpointOptions) {
    this.tag = createHash('sha256').update(options.clientId).digest('hex').slice(0, 16);
  }

  async list(request: ListRequest, signal: AbortSignal): Promise<Listing> {
    const source = await this.source(signal);
    this.known.clear();
    this.leftovers.clear();
    const entries = new Map<EnginePath, ListedEntry>();
    const unreadable = new Set<EnginePath>();
    const now = this.options.now();
    const visitor: SftpVisitor = {
      enters: (path) => request.rules.descends(path),
      meets: (path, stats, kind) => {
        if (this.isLeftover(path)) this.leftovers.add(path);
        entries.set(path, this.recalled(path, entryOf(stats, kind, now), request));
      },
      fails: (path) => {
        unreadable.add(path);
      },
    };
    const there = this.exists();
    const [roots, identity, freeBytes] = await Promise.all([
      Promise.all(request.roots.map((root) => (there ? walkSftp(source.channel, source.home, root, visitor, signal) : false))),
      there ? this.identity(source) : null,
      this.freeBytes(source),
    ]);
    await this.hashFresh(source, entries, request);
    return {
      home: source.home,
      missingRoots: request.roots.filter((_, index) => roots[index] === false),
      entries,
      unreadable: [...unreadable].sort(),
      identity,
      freeBytes,
    };
  }

  async hash(paths: readonly EnginePath[], signal: AbortSignal): Promise<ReadonlyMap<EnginePath, string>> {
    const hashes = await hashFiles(await this.source(signal), paths);
    for (const [path, hash] of hashes) this.known.set(path, hash);
    return hashes;
  }

  async totals(request: Pick<ListRequest, 'roots' | 'rules'>, signal: AbortSignal): Promise<TreeTotals> {
    const source = await this.source(signal);
    return this.exists() ? countRefused(source, request) : { byTree: new Map(), complete: true };
  }

  async *read(files: readonly WantedFile[], signal: AbortSignal): AsyncIterable<IncomingFile> {
    yield* readFiles(await this.source(signal), files);
  }

  async apply(request: ApplyRequest, signal: AbortSignal): Promise<readonly Applied[]> {
    const source = await this.source(signal);
    if (request.changes.some(({ kind }) => kind === 'write')) await this.makeHome(source);
    const settings = {
      now: this.options.now,
      temporaryName: () => this.temporaryName('new'),
      knownHash: (path: EnginePath) => this.known.get(path) ?? null,
      leftovers: [...this.leftovers],
    };
    return applyBySftp(source, settings, request);
  }

  async identify(proposed: string, signal: AbortSignal): Promise<string> {
    const source = await this.source(signal);
    const { channel, home } = source;
    const there = this.exists() ? await this.identity(source) : null;
    if (there !== null) return there;
    await this.makeHome(source);
    const folder = `${home}/${stateFolder}`;
    try {
      const stats = await channel.lstat(folder, signal);
      if (stats === null) await channel.mkdir(folder, 0o700, signal);
      else if (!stats.isDirectory())
        throw new AppError('remote.failed', { operation: 'use', path: folder, said: causePhrases['is-not-a-folder'] });
      const handle = await channel.create(`${home}/${identityPath}`, 0o600, signal);
      await channel.write(handle, Buffer.from(`${proposed}\n`), 0, signal);
      await channel.closeFile(handle, signal);
      return proposed;
    } catch (error) {
      // Somebody may have been first; what is there counts, whoever wrote it.
      const now = sftpStatusOf(error) === null ? null : await this.identity(source);
      if (now !== null) return now;
      throw translateSftpError(error, 'write', `${home}/${identityPath}`);
    }
  }

  /** Nothing is kept there: the entries' stamps are the memory. */
  async remember(): Promise<null> {
    return null;
  }

  async close(): Promise<void> {
    const { opened } = this;
    this.opened = null;
    // One that failed to open said so to whoever asked for it.
    await opened?.then((channel) => channel.close()).catch(() => undefined);
  }

  private async source(signal: AbortSignal): Promise<FileSource> {
    if (signal.aborted) throw stopError(signal);
    const channel = await this.channel(signal);
    this.found ??= await findSftpHome(channel, this.options, signal);
    return { channel, home: this.found.home, signal };
  }

  private async channel(signal: AbortSignal): Promise<SftpChannel> {
    const opened = this.opened ?? SftpChannel.open(this.options.connection, signal);
    this.opened = opened;
    try {
      return await opened;
    } catch (error) {
      // A later call may try again, for instance after a cancelled one.
      if (this.opened === opened) this.opened = null;
      throw error;
    }
  }

  private exists(): boolean {
    return this.found?.exists ?? false;
  }

  private async makeHome(source: FileSource): Promise<void> {
    const found = this.found;
    if (found === null || found.exists) return;
    const profiles = `${found.base}/profiles`;
    for (const folder of found.home === found.base ? [found.base] : [found.base, profiles, found.home]) {
      try {
        if ((await source.channel.stat(folder, source.signal)) === null) await source.channel.mkdir(folder, newFolderMode, source.signal);
      } catch (error) {
        throw translateSftpError(error, 'make the folder', folder);
      }
    }
    this.found = { ...found, exists: true };
  }

  private async identity(source: FileSource): Promise<string | null> {
    const at = `${source.home}/${identityPath}`;
    try {
      const content = await readSmallFile(source, at, identityLimit);
      return content?.toString('utf8').split('\n')[0]?.trim() || null;
    } catch (error) {
      throw translateSftpError(error, 'read', at);
    }
  }

  private async freeBytes({ channel, home, signal }: FileSource): Promise<number | null> {
    const base = this.found?.base ?? home;
    return (await channel.freeBytes(home, signal)) ?? (await channel.freeBytes(base.slice(0, base.lastIndexOf('/')) || '/', signal));
  }

  /**
   * Size and second prove nothing for files written around now, and `apply` has to see a later write to one: their hash is the
   * proof. Few and small in practice; what exceeds the limits is left to whoever asks for hashes.
   */
  private async hashFresh(source: FileSource, entries: Map<EnginePath, ListedEntry>, { rules }: ListRequest): Promise<void> {
    let bytes = 0;
    const fresh = [...entries].filter(([path, { kind, stamp, size }]) => {
      if (kind !== 'file' || stamp !== '' || size > freshFileLimit || rules.judge(path, 'file').kind === 'refused') return false;
      bytes += size;
      return bytes <= freshTotalLimit;
    });
    if (fresh.length === 0) return;
    const hashes = await hashFiles(
      source,
      fresh.map(([path]) => path),
    );
    for (const [path, entry] of fresh) entries.set(path, { ...entry, hash: hashes.get(path) ?? null });
  }

  /** Memory proves a hash only where both times vouched for the content. */
  private recalled(path: EnginePath, entry: ListedEntry, { memory }: ListRequest): ListedEntry {
    const before = memory?.entries.get(path);
    if (before === undefined || before.kind !== entry.kind || entry.stamp === '' || before.stamp !== entry.stamp) return entry;
    return { ...entry, hash: before.hash };
  }

  private isLeftover(path: EnginePath): boolean {
    const name = parseTemporaryName(path.slice(path.lastIndexOf('/') + 1));
    return name?.kind === 'new' && name.random.startsWith(this.tag);
  }

  private temporaryName(kind: 'new'): string {
    return makeTemporaryName({ kind, pid: process.pid, random: `${this.tag}${randomBytes(8).toString('hex')}` });
  }
}
