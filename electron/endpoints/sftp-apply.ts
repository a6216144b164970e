import { AppError } from '../../shared/errors';
import { pathPhrases } from '../../shared/phrases/paths';
import type { Applied, ApplyRequest, Change, IncomingFile } from '../engine/endpoint';
import type { EnginePath, ListedEntry } from '../engine/entry';
import { plainReason, stopError } from '../ssh/ssh-errors';
import { overtaken } from './overtaken';
import { refusalOf, sftpStatusOf } from './sftp-errors';
import type { FileSource } from './sftp-files';
import { folderOf, SftpFolders } from './sftp-folders';
import { changedSince, type WriteChange, type WriteSettings, writeFile } from './sftp-write';

/** What an apply needs besides the request. */
export interface ApplySettings extends WriteSettings {
  /** Hashes known of files whose listing would not vouch for them. */
  readonly knownHash: (path: EnginePath) => string | null;
  /** Temporary files that an earlier run of this client left behind. */
  readonly leftovers: readonly EnginePath[];
}

/** Contents up to this size are kept in memory, so that the next file need not wait for this one's round trips. */
const smallBytes = 256 * 1024;
const filesAtOnce = 32;

/** Carries out changes by SFTP; the contract is `Endpoint.apply`'s. */
export async function applyBySftp(source: FileSource, settings: ApplySettings, request: ApplyRequest): Promise<readonly Applied[]> {
  const stop = new AbortController();
  const signal = AbortSignal.any([source.signal, stop.signal]);
  const worker = new ApplyWorker({ ...source, signal }, settings, request, stop);
  return worker.run();
}

class ApplyWorker {
  private readonly results = new Map<EnginePath, Applied>();
  private readonly folders: SftpFolders;
  private readonly running = new Set<Promise<void>>();
  private arrived = 0;

  constructor(
    private readonly source: FileSource,
    private readonly settings: ApplySettings,
    private readonly request: ApplyRequest,
    private readonly stop: AbortController,
  ) {
    this.folders = new SftpFolders(source.channel, source.home, source.signal);
  }

  async run(): Promise<readonly Applied[]> {
    const { changes } = this.request;
    try {
      if (this.source.signal.aborted) throw stopError(this.source.signal);
      await this.request.recorded;
      await this.sweep();
      await this.receive(new Map(changes.flatMap((change) => (change.kind === 'write' ? [[change.path, change] as const] : []))));
      await this.settled();
      const removals = changes.filter((change) => change.kind === 'remove');
      for (const change of removals) await this.start(() => this.remove(change));
      await this.settled();
      await this.removeEmptied(removals.filter(({ path }) => this.results.get(path)?.ok === true).map(({ path }) => path));
    } catch (error) {
      // The first failure counts; what else runs ends by its signal and takes its temporary file along.
      this.stop.abort(error);
      await Promise.allSettled(this.running);
      throw error;
    }
    return changes.map(({ path }) => this.results.get(path) ?? { path, ok: false, reason: pathPhrases['not-arrived'] });
  }

  private async receive(writes: ReadonlyMap<EnginePath, WriteChange>): Promise<void> {
    if (writes.size === 0) return;
    const contents = this.request.contents[Symbol.asyncIterator]();
    try {
      await this.receiveAll(contents, writes);
    } catch (error) {
      // Not awaited: a source that hangs is why a cancel came.
      contents.return?.().catch(() => undefined);
      throw error;
    }
  }

  private async receiveAll(contents: AsyncIterator<IncomingFile>, writes: ReadonlyMap<EnginePath, WriteChange>): Promise<void> {
    for (;;) {
      // A source that never answers must not outlive a cancel.
      const next = await this.orStopped(contents.next());
      if (next.done === true) return;
      const file = next.value;
      const change = writes.get(file.path);
      const body = this.counted(file);
      if (change === undefined || change.content.size !== file.size) {
        await drain(body);
        if (change !== undefined) this.results.set(file.path, overtaken(file.path));
      } else if (file.size > smallBytes) {
        await this.write(change, body);
        await drain(body);
      } else {
        const held = await collect(body, smallBytes);
        await this.start(() => this.write(change, held));
      }
    }
  }

  private async *counted(file: IncomingFile): AsyncGenerator<Uint8Array> {
    const pieces = file.body[Symbol.asyncIterator]();
    for (;;) {
      const next = await this.orStopped(pieces.next());
      if (next.done === true) return;
      this.arrived += next.value.length;
      this.request.onProgress?.(this.arrived);
      yield next.value;
    }
  }

  private async write(change: WriteChange, body: AsyncIterable<Uint8Array> | readonly Uint8Array[]): Promise<void> {
    const { path } = change;
    const expected = this.withHash(path, change.expected);
    const holding = await this.folders.make(path);
    if (holding !== 'real') return this.fail(path, holding === 'missing' ? 'its folder is gone' : holding.blocked);
    this.results.set(path, await writeFile(this.source, this.settings, { ...change, expected }, body));
  }

  private async remove(change: Change & { readonly kind: 'remove' }): Promise<void> {
    const { path } = change;
    const { channel, home, signal } = this.source;
    const holding = await this.folders.holding(path);
    if (holding !== 'real') return this.fail(path, holding === 'missing' ? 'its folder is gone' : holding.blocked);
    try {
      const reason = await changedSince(this.source, path, this.withHash(path, change.expected));
      if (reason !== null) return this.fail(path, reason);
      // RACE: what is written to the file between the check and here is lost with it.
      await channel.unlink(`${home}/${path}`, signal);
      this.results.set(path, { path, ok: true, entry: null });
    } catch (error) {
      this.fail(path, refusalOf(error));
    }
  }

  /** Removes the folders that removals emptied, upwards, never a root. The server refuses those that hold something. */
  private async removeEmptied(paths: readonly EnginePath[]): Promise<void> {
    const { channel, home, signal } = this.source;
    let folders = new Set(paths.map(folderOf));
    while (folders.size > 0) {
      const deepest = Math.max(...[...folders].map((folder) => depthOf(folder)));
      if (deepest < 2) return;
      const above = new Set([...folders].filter((folder) => depthOf(folder) < deepest));
      const remove = async (folder: EnginePath): Promise<void> => {
        try {
          await channel.rmdir(`${home}/${folder}`, signal);
          above.add(folderOf(folder));
        } catch (error) {
          if (sftpStatusOf(error) === null) throw error;
        }
      };
      await Promise.all([...folders].filter((folder) => depthOf(folder) === deepest).map((folder) => remove(folder ?? '')));
      folders = above;
    }
  }

  private async sweep(): Promise<void> {
    const { channel, home, signal } = this.source;
    for (const path of this.settings.leftovers) {
      await channel.unlink(`${home}/${path}`, signal).catch((error: unknown) => {
        // It stays listed as a refused name; the next run tries again.
        if (sftpStatusOf(error) === null) throw error;
      });
    }
  }

  private withHash<T extends ListedEntry | null>(path: EnginePath, expected: T): T {
    return expected === null || expected.hash !== null ? expected : { ...expected, hash: this.settings.knownHash(path) };
  }

  private fail(path: EnginePath, reason: string): void {
    this.results.set(path, { path, ok: false, reason });
  }

  /** Runs beside others; waits while too many run. A failure of the side stops everything through the signal. */
  private async start(work: () => Promise<void>): Promise<void> {
    while (this.running.size >= filesAtOnce) await Promise.race(this.running);
    if (this.source.signal.aborted) throw stopError(this.source.signal);
    const task = work()
      .catch((error: unknown) => {
        this.stop.abort(
          error instanceof AppError ? error : new AppError('internal.unexpected', { what: plainReason(error) }, { cause: error }),
        );
      })
      .finally(() => this.running.delete(task));
    this.running.add(task);
  }

  private async settled(): Promise<void> {
    await Promise.all(this.running);
    if (this.source.signal.aborted) throw stopError(this.source.signal);
  }

  private orStopped<T>(work: Promise<T>): Promise<T> {
    const { signal } = this.source;
    return new Promise<T>((resolve, reject) => {
      const cancel = (): void => reject(stopError(signal));
      if (signal.aborted) cancel();
      signal.addEventListener('abort', cancel, { once: true });
      work.then(resolve, reject).finally(() => signal.removeEventListener('abort', cancel));
    });
  }
}

function depthOf(folder: EnginePath | null): number {
  return folder === null ? 0 : folder.split('/').length;
}

async function drain(body: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of body);
}

/** The pieces of a body; what exceeds the limit is only counted, as one piece that makes the length wrong. */
async function collect(body: AsyncIterable<Uint8Array>, limit: number): Promise<readonly Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body) {
    length += piece.length;
    if (length <= limit) pieces.push(piece);
    else if (length - piece.length <= limit) pieces.push(new Uint8Array(limit + 1));
  }
  return pieces;
}
