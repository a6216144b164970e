import { throwIfCancelled, untilCancelled } from '../../electron/engine/cancel';
import type { Applied, Change, Endpoint, IncomingFile, Listing, ListRequest, TreeTotals } from '../../electron/engine/endpoint';
import type { EnginePath, ListedEntry } from '../../electron/engine/entry';
import { identityPath, stateFolder } from '../../electron/engine/state-names';
import { isAppError } from '../../shared/errors';
import { type MemoryHome, type MemoryNode, parentOf } from './memory-home';
import { sha256 } from './tree';

/** An in-memory side, with knobs for what real sides do at bad moments. */
export interface MemoryOptions {
  readonly side: 'local' | 'remote';
  readonly home: MemoryHome;
  /** Files and folders that cannot be read. */
  readonly unreadable?: ReadonlySet<EnginePath>;
  /** Changes that fail, with the reason. */
  readonly failing?: ReadonlyMap<EnginePath, string>;
  /** Runs when a listing is complete, before the run goes on: the place to change a tree behind the run's back. */
  readonly afterList?: () => Promise<void>;
  /** False for a side without execute bits. */
  readonly executableBits?: boolean;
  readonly freeBytes?: number | null;
  /** Where `list` says the home is. */
  readonly homePath?: string;
  /** Called before each change is carried out. When it throws, the side is lost: this change and the later ones do not happen. */
  readonly onChange?: (change: Change) => void;
}

/** An endpoint in memory that also tells which contents were asked of it. */
export interface MemoryEndpoint extends Endpoint {
  readonly hashed: readonly EnginePath[];
  readonly sent: readonly EnginePath[];
}

interface Context {
  readonly home: MemoryHome;
  readonly options: MemoryOptions;
  readonly entryOf: (node: Exclude<MemoryNode, { kind: 'folder' }>) => ListedEntry;
}

function* below(home: MemoryHome, folder: string): Generator<[string, MemoryNode]> {
  const found = [...home.nodes].filter(([path]) => path.startsWith(`${folder}/`));
  yield* found.sort(([a], [b]) => (a < b ? -1 : 1));
}

function listRoots({ home, options, entryOf }: Context, { roots, rules, memory }: ListRequest): Listing {
  const entries = new Map<EnginePath, ListedEntry>();
  const unreadable: EnginePath[] = [];
  const visit = (folder: string): void => {
    if (options.unreadable?.has(folder) === true) {
      unreadable.push(folder);
      return;
    }
    for (const path of home.childrenOf(folder)) {
      const node = home.nodes.get(path);
      if (node?.kind === 'folder') {
        if (rules.descends(path)) visit(path);
      } else if (options.unreadable?.has(path) === true) unreadable.push(path);
      else if (node !== undefined) {
        const entry = entryOf(node);
        const known = memory?.entries.get(path);
        entries.set(
          path,
          known !== undefined && known.stamp !== '' && known.stamp === entry.stamp ? { ...entry, hash: known.hash } : entry,
        );
      }
    }
  };
  const missingRoots = roots.filter((root) => !home.nodes.has(root));
  for (const root of roots) if (!missingRoots.includes(root)) visit(root);
  const marker = home.nodes.get(identityPath);
  return {
    home: options.homePath ?? '/memory/.hermes',
    missingRoots,
    entries,
    unreadable,
    identity: marker?.kind === 'file' ? Buffer.from(marker.bytes).toString('utf8').trim() : null,
    freeBytes: options.freeBytes === undefined ? 1e12 : options.freeBytes,
  };
}

function totalsOf({ home }: Context, { roots, rules }: Pick<ListRequest, 'roots' | 'rules'>): TreeTotals {
  const byTree = new Map<string, { files: number; bytes: number }>();
  for (const root of roots) {
    for (const [path, node] of below(home, root)) {
      if (node.kind === 'folder') continue;
      const size = node.kind === 'file' ? node.bytes.length : node.kind === 'link' ? node.to.length : 0;
      const parts = path.split('/').slice(0, -1);
      const refused = parts
        .map((_, index) => parts.slice(0, index + 1).join('/'))
        .find((folder) => folder !== root && !rules.descends(folder));
      if (refused === undefined) continue;
      const tree = rules.treeOf(refused) ?? refused.slice(refused.lastIndexOf('/') + 1);
      const total = byTree.get(tree) ?? { files: 0, bytes: 0 };
      byTree.set(tree, { files: total.files + 1, bytes: total.bytes + size });
    }
  }
  return { byTree, complete: true };
}

async function collect(contents: AsyncIterable<IncomingFile>, signal: AbortSignal, onProgress: (bytes: number) => void) {
  const arrived = new Map<EnginePath, Uint8Array>();
  let bytes = 0;
  try {
    for await (const file of untilCancelled(contents, signal)) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of untilCancelled(file.body, signal)) {
        chunks.push(chunk);
        bytes += chunk.length;
        onProgress(bytes);
      }
      const content = Buffer.concat(chunks);
      if (content.length === file.size) arrived.set(file.path, content);
    }
  } catch (error) {
    // As on a disk: what a source did not deliver before it broke is a failed change, and the rest goes on.
    if (isAppError(error, 'run.cancelled')) throw error;
  }
  return arrived;
}

/** Why a change cannot be made now; null when it can. */
function obstacle({ home, options }: Context, change: Change, arrived: ReadonlyMap<EnginePath, Uint8Array>): string | null {
  const failing = options.failing?.get(change.path);
  if (failing !== undefined) return failing;
  for (let parent = parentOf(change.path); parent.includes('/'); parent = parentOf(parent)) {
    const node = home.nodes.get(parent);
    if (node !== undefined && node.kind !== 'folder') return `${parent} is no folder`;
  }
  const content = arrived.get(change.path);
  if (change.kind === 'write' && content === undefined) return 'its content did not arrive';
  if (isOvertaken(change, arrived)) return 'it changed while it was read';
  const node = home.nodes.get(change.path);
  if (change.expected === null) return node === undefined ? null : 'something is there now';
  if (node?.kind !== 'file') return node === undefined ? 'it is gone' : 'it is no file any more';
  const same = `v${node.version}` === change.expected.stamp || sha256(node.bytes) === change.expected.hash;
  return same ? null : 'it changed meanwhile';
}

function isOvertaken(change: Change, arrived: ReadonlyMap<EnginePath, Uint8Array>): boolean {
  const content = arrived.get(change.path);
  return change.kind === 'write' && content !== undefined && sha256(content) !== change.content.hash;
}

function carryOut({ home, options, entryOf }: Context, change: Change, arrived: ReadonlyMap<EnginePath, Uint8Array>): ListedEntry | null {
  options.onChange?.(change);
  if (change.kind === 'write') {
    home.putFile(change.path, { bytes: arrived.get(change.path) ?? new Uint8Array(), ...change.content });
    const node = home.nodes.get(change.path);
    return node?.kind === 'file' ? { ...entryOf(node), hash: change.content.hash } : null;
  }
  home.nodes.delete(change.path);
  for (let parent = parentOf(change.path); parent.includes('/') && home.childrenOf(parent).length === 0; parent = parentOf(parent)) {
    home.nodes.delete(parent);
  }
  return null;
}

function applyAll(context: Context, changes: readonly Change[], arrived: ReadonlyMap<EnginePath, Uint8Array>): readonly Applied[] {
  const honoursGroups = context.options.side === 'local';
  const obstacles = new Map(changes.map((change) => [change.path, obstacle(context, change, arrived)]));
  const broken = new Map<string, string>();
  for (const { group, path } of changes) {
    const reason = obstacles.get(path);
    if (honoursGroups && group !== null && reason != null && !broken.has(group)) broken.set(group, `${path}: ${reason}`);
  }
  const ordered = [...changes.filter(({ kind }) => kind === 'write'), ...changes.filter(({ kind }) => kind === 'remove')];
  return ordered.map((change) => {
    const own = obstacles.get(change.path);
    const others = change.group === null ? undefined : broken.get(change.group);
    const reason = own ?? (others === undefined ? null : `another file of this skill failed: ${others}`);
    if (reason !== null) return { path: change.path, ok: false, reason, overtaken: !honoursGroups && isOvertaken(change, arrived) };
    return { path: change.path, ok: true, entry: carryOut(context, change, arrived) };
  });
}

/** Makes an endpoint over an in-memory home. */
export function createMemoryEndpoint(options: MemoryOptions): MemoryEndpoint {
  const { home, side } = options;
  const hashed: EnginePath[] = [];
  const sent: EnginePath[] = [];
  const fileAt = (path: EnginePath) => {
    const node = options.unreadable?.has(path) === true ? undefined : home.nodes.get(path);
    return node?.kind === 'file' ? node : null;
  };
  const entryOf: Context['entryOf'] = (node) => {
    if (node.kind !== 'file') return { kind: node.kind, size: 0, mtime: 0, executable: null, hash: null, stamp: '' };
    const executable = options.executableBits === false ? null : node.executable;
    return { kind: 'file', size: node.bytes.length, mtime: node.mtime, executable, hash: null, stamp: `v${node.version}` };
  };
  const context: Context = { home, options, entryOf };

  async function* read(files: readonly { readonly path: EnginePath }[], signal: AbortSignal): AsyncGenerator<IncomingFile> {
    for (const { path } of files) {
      throwIfCancelled(signal);
      const node = fileAt(path);
      if (node === null) continue;
      sent.push(path);
      yield {
        path,
        size: node.bytes.length,
        body: (async function* () {
          yield node.bytes;
        })(),
      };
    }
  }

  return {
    side,
    hashed,
    sent,
    list: async (request, signal) => {
      throwIfCancelled(signal);
      const listing = listRoots(context, request);
      await options.afterList?.();
      return listing;
    },
    hash: async (paths, signal) => {
      throwIfCancelled(signal);
      hashed.push(...paths);
      const found = paths.map((path) => [path, fileAt(path)] as const);
      return new Map(found.flatMap(([path, node]) => (node === null ? [] : [[path, sha256(node.bytes)]])));
    },
    totals: async (request, signal) => {
      throwIfCancelled(signal);
      return totalsOf(context, request);
    },
    read,
    apply: async ({ changes, contents, onProgress, recorded }, signal) => {
      throwIfCancelled(signal);
      const arrived = await collect(contents, signal, onProgress ?? (() => undefined));
      await recorded;
      return applyAll(context, changes, arrived);
    },
    identify: async (proposed, signal) => {
      throwIfCancelled(signal);
      const marker = home.nodes.get(identityPath);
      if (marker?.kind === 'file') return Buffer.from(marker.bytes).toString('utf8').trim();
      await home.write({ [stateFolder]: { folder: true }, [identityPath]: proposed });
      return proposed;
    },
    remember: async (signal) => {
      throwIfCancelled(signal);
      return side === 'remote' ? sha256(JSON.stringify([...home.nodes.keys()])) : null;
    },
    close: async () => undefined,
  };
}
