// One file although it is long: a listing's conversation and the requests that may have to interrupt it share their state.
import { AppError, isAppError } from '../../shared/errors';
import { orCancelled, throwIfCancelled } from '../engine/cancel';
import type {
  Applied,
  ApplyRequest,
  Basis,
  Endpoint,
  IncomingFile,
  Listing,
  ListRequest,
  SideMemory,
  TreeTotals,
  WantedFile,
} from '../engine/endpoint';
import type { EnginePath, ListedEntry } from '../engine/entry';
import type { SshConnection } from '../ssh/ssh-connection';
import { changedBetween, changedMeanwhile, without } from './remote-again';
import { readChanges, readTrees } from './remote-changes';
import { type Conversation, converse, endedBy, type Facts, fact, readFacts } from './remote-conversation';
import { parseUnreadable } from './remote-listing';
import { type ListSettings, listSettings, type PreparedListing, prepareListing } from './remote-prepared';
import { type Idle, readFromRemote } from './remote-read';
import { type ScriptMode, zeroEnded } from './remote-script';
import { writeToRemote } from './remote-write';
import { inOneChunk } from './tar-stream';

/** Contents of so many bytes come with the listing: below that, sending blind is cheaper than one more round trip. */
const inlineBytes = 1 << 20;
/** Round trip up to which a large push goes uncompressed: the processor is then slower than the link. */
const fastLinkMs = 60;
const largePush = 8 << 20;

export interface RemoteShellOptions {
  readonly connection: SshConnection;
  readonly remoteHome: string | null;
  readonly profile: string | null;
  readonly clientId: string;
  /** Contents of up to so many bytes come with the listing; 1 MiB when left out. */
  readonly inlineBytes?: number;
  /** Called once the listing's script runs, so that a shell is there. */
  readonly onStarted?: () => void;
  /** A listing that waits on this connection; used when it is the one that is asked for, and closed in any case. */
  readonly prepared?: PreparedListing | null;
}

/** The remote through its POSIX shell: one script, one round trip where nothing changed. `ssh.no-shell` when there is none. */
export function createRemoteShellEndpoint(options: RemoteShellOptions): RemoteShell {
  return new RemoteShell(options);
}

/** See `createRemoteShellEndpoint`. */
export class RemoteShell implements Endpoint {
  readonly side = 'remote';
  private talk: Conversation | null = null;
  private home = '';
  private apart: readonly string[] = [];
  private compress = false;
  private isCounting = false;
  private isPrepared = false;
  private roots: readonly string[] = [];
  /** Digest of the listing. */
  private digest: string | null = null;
  /** Digest of what the remote keeps, as it will tell; null while it was not asked to keep anything. */
  private keeping: Promise<string | null> | null = null;
  /** Ends when the listing was read; then the counts of refused trees follow on the same channel. */
  private listed: Promise<unknown> = Promise.resolve();
  private counts: Promise<TreeTotals> | null = null;
  /** What the caller knows of this side. */
  private known: { readonly request: ListRequest; readonly entries: ReadonlyMap<EnginePath, ListedEntry> } | null = null;
  /** The server allows one channel: the listing's conversation gives way to others. */
  private oneChannel = false;
  /** Small contents that came with the listing. */
  private readonly received = new Map<EnginePath, Buffer>();

  constructor(private readonly options: RemoteShellOptions) {}

  list(request: ListRequest, signal: AbortSignal): Promise<Listing> {
    const listing = this.listNow(request, signal).then((found) => {
      this.known = { request, entries: found.entries };
      return found;
    });
    this.listed = listing.catch(() => undefined);
    return listing;
  }

  /** Makes the listing of a later run ready on the same connection. */
  prepare(request: Pick<ListRequest, 'roots' | 'rules'>, signal: AbortSignal): Promise<PreparedListing> {
    const { connection } = this.options;
    return prepareListing(connection, this.settingsFor(request), signal);
  }

  private settingsFor(request: Pick<ListRequest, 'roots' | 'rules' | 'counts'>): ListSettings {
    return listSettings(this.options, request, this.options.inlineBytes ?? inlineBytes);
  }

  private async listNow(request: ListRequest, signal: AbortSignal): Promise<Listing> {
    this.talk?.channel.close();
    this.received.clear();
    this.keeping = null;
    this.counts = null;
    this.roots = request.roots;
    const memory = request.memory?.token ? request.memory : null;
    const settings = this.settingsFor(request);
    const digest = memory?.token ?? null;
    const prepared = this.options.prepared?.begin(settings, digest, signal) ?? null;
    this.isPrepared = prepared !== null;
    this.talk = prepared ?? (await this.start('list', { ...settings, digest }, signal));
    // Asked for at once, so that nobody waits for another round trip.
    this.isCounting = request.counts === true;
    if (this.isCounting) this.talk.channel.stdin.write('trees\n');
    this.options.onStarted?.();
    const talk = this.talk;
    const facts = await readFacts(talk, this.options.connection);
    this.home = fact(facts, 'home') ?? '';
    this.apart = facts.get('apart') ?? [];
    this.compress = fact(facts, 'gz') === '1';
    const status = fact(facts, 'status');
    const entries = status === 'same' && memory !== null ? memory.entries : await this.changed(talk, facts, memory);
    this.digest = fact(facts, 'now');
    if (status === 'same') this.keeping = Promise.resolve(digest);
    const free = Number.parseInt(fact(facts, 'free') ?? '', 10);
    return {
      home: this.home,
      missingRoots: facts.get('missing') ?? [],
      entries,
      unreadable: (facts.get('unreadable') ?? []).flatMap((complaint) => parseUnreadable(complaint, request.roots)),
      identity: fact(facts, 'identity'),
      freeBytes: Number.isNaN(free) ? null : free * 1024,
    };
  }

  /** What is remembered, as the answer says it has become. */
  private async changed(talk: Conversation, facts: Facts, memory: SideMemory | null): Promise<ReadonlyMap<EnginePath, ListedEntry>> {
    const entries = new Map(fact(facts, 'status') === 'full' ? [] : memory?.entries);
    await readChanges(talk, { facts, compressed: this.compress, entries, received: this.received });
    return entries;
  }

  async hash(paths: readonly EnginePath[], signal: AbortSignal): Promise<ReadonlyMap<EnginePath, string>> {
    const hashes = new Map<EnginePath, string>();
    if (paths.length === 0) return hashes;
    const talk = await this.start('hash', {}, signal);
    talk.channel.stdin.end(zeroEnded(paths));
    await readFacts(talk, this.options.connection);
    for (const path of paths) {
      const line = (await talk.reader.record('\n'))?.toString('latin1') ?? null;
      if (line === null) throw talk.endedEarly();
      if (/^[0-9a-f]{64}$/.test(line)) hashes.set(path, line);
    }
    talk.channel.close();
    return hashes;
  }

  async totals(_request: unknown, signal: AbortSignal): Promise<TreeTotals> {
    throwIfCancelled(signal);
    await this.listed;
    return orCancelled(this.readCounts(), signal);
  }

  /** The counts that follow the listing on its channel. They must be read before anything else is. */
  private readCounts(): Promise<TreeTotals> {
    this.counts ??= readTrees(this.open()).then((counts) => {
      this.isCounting = false;
      return counts;
    });
    this.counts.catch(() => undefined);
    return this.counts;
  }

  async *read(files: readonly WantedFile[], signal: AbortSignal, basis?: Basis): AsyncGenerator<IncomingFile> {
    const missing: WantedFile[] = [];
    for (const file of files) {
      const body = this.received.get(file.path);
      if (body === undefined) missing.push(file);
      else yield { path: file.path, size: body.length, body: inOneChunk(body) };
    }
    const context = { connection: this.options.connection, start: () => this.start('pack', {}, signal), idle: () => this.idle() };
    yield* readFromRemote(context, missing, signal, basis ?? null);
  }

  async apply(request: ApplyRequest, signal: AbortSignal): Promise<readonly Applied[]> {
    throwIfCancelled(signal);
    const { talk, changed } = await this.resume(signal);
    const changes = request.changes.filter(({ path }) => !changed.has(path));
    const bytes = request.changes.reduce((sum, change) => sum + (change.kind === 'write' ? change.content.size : 0), 0);
    const compress = this.compress && (bytes < largePush || talk.roundTripMs > fastLinkMs);
    const context = { talk, home: this.home, roots: this.roots, apart: this.apart, compress, clientId: this.options.clientId };
    const contents = changed.size === 0 ? request.contents : without(request.contents, changed);
    const applied = await endedBy(signal, talk, () => writeToRemote(context, { ...request, changes, contents }, signal));
    // What was listed again is not what the caller knows: nothing may be remembered of it.
    this.keeping = this.kept(talk).then((digest) => (this.oneChannel ? null : digest));
    const left = request.changes.filter(({ path }) => changed.has(path));
    return [...applied, ...left.map(({ path }): Applied => ({ path, ok: false, reason: changedMeanwhile }))];
  }

  async identify(proposed: string, signal: AbortSignal): Promise<string> {
    const talk = await this.start('identify', { proposedIdentity: proposed }, signal);
    const facts = await readFacts(talk, this.options.connection);
    talk.channel.close();
    const identity = fact(facts, 'identity');
    if (identity === null)
      throw new AppError('remote.failed', { operation: 'write the identity marker', path: this.home, said: talk.channel.stderrText() });
    return identity;
  }

  /** After a listing, its digest is known beforehand: should the remote fail to keep it, the next listing is a full one. */
  async remember(signal: AbortSignal): Promise<string | null> {
    if (this.keeping !== null) return orCancelled(this.keeping, signal);
    if (this.talk === null) return null;
    const talk = await orCancelled(this.ready(), signal);
    talk.channel.stdin.write('keep\n');
    this.keeping = this.kept(talk);
    return this.digest;
  }

  /** What the remote says that it keeps; null when it keeps nothing, or the link is gone. */
  private kept(talk: Conversation): Promise<string | null> {
    const told = readFacts(talk, this.options.connection).then((facts) => fact(facts, 'kept'));
    return told.then((digest) => (digest === '-' ? null : digest)).catch(() => null);
  }

  async close(): Promise<void> {
    await this.keeping;
    this.options.prepared?.close();
    this.talk?.channel.close();
    this.talk = null;
  }

  /** The listing's conversation, where it can serve a reading: only a prepared script knows how to, and what was counted may take its time. */
  private idle(): Idle | null {
    const { talk, compress: isCompressed } = this;
    if (talk === null || !this.isPrepared || this.isCounting) return null;
    const giveUp = () => {
      talk.channel.close();
      if (this.talk === talk) this.talk = null;
    };
    return { talk, isCompressed, giveUp };
  }

  private open(): Conversation {
    if (this.talk === null) throw new Error('list comes first');
    return this.talk;
  }

  /** The conversation, with nothing left to be read of it. */
  private async ready(): Promise<Conversation> {
    await this.keeping;
    if (this.isCounting) await this.readCounts();
    return this.open();
  }

  /** The conversation for a write. One that had to give way is held again, and what changed between the listings is told. */
  private async resume(signal: AbortSignal): Promise<{ readonly talk: Conversation; readonly changed: ReadonlySet<EnginePath> }> {
    if (this.talk !== null || this.known === null) return { talk: await this.ready(), changed: new Set() };
    const { request, entries } = this.known;
    const again = await this.listNow({ ...request, counts: false }, signal);
    return { talk: this.open(), changed: changedBetween(entries, again.entries) };
  }

  /** Holds a conversation. Where the server allows one channel, that of the listing gives way. */
  private async start(
    mode: ScriptMode,
    own: Partial<ListSettings> & { readonly digest?: string | null; readonly proposedIdentity?: string },
    signal: AbortSignal,
  ): Promise<Conversation> {
    const { connection, remoteHome, profile, clientId } = this.options;
    const settings = { roots: this.roots, rules: null, digest: null, counts: false, inlineBytes: 0, proposedIdentity: '', ...own };
    const hold = async () => {
      if (this.oneChannel && this.talk !== null) await this.giveWay();
      return converse(connection, { mode, remoteHome, profile, clientId, ...settings }, signal);
    };
    try {
      return await hold();
    } catch (error) {
      if (!isAppError(error, 'ssh.one-channel')) throw error;
      this.oneChannel = true;
      return hold();
    }
  }

  private async giveWay(): Promise<void> {
    // Counts still to be read would be lost; without them the report only says less.
    if (this.isCounting) await this.readCounts().catch(() => undefined);
    this.talk?.channel.close();
    this.talk = null;
  }
}
