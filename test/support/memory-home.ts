import { contentText, type TestHome, type Tree, type TreeImage, type TreeValue } from './tree';

/** A node of an in-memory tree. `version` changes with every change of content, as inode and ctime do on a disk. */
export type MemoryNode =
  | { readonly kind: 'folder' }
  | { readonly kind: 'file'; readonly bytes: Uint8Array; readonly mtime: number; readonly executable: boolean; readonly version: number }
  | { readonly kind: 'link'; readonly to: string }
  | { readonly kind: 'other' };

/** An in-memory Hermes home. */
export interface MemoryHome extends TestHome {
  readonly nodes: Map<string, MemoryNode>;
  /** Puts a file at a path, making its parents. */
  putFile(path: string, file: { readonly bytes: Uint8Array; readonly mtime: number; readonly executable: boolean }): void;
  /** Names of what lies directly in a folder. */
  childrenOf(folder: string): readonly string[];
}

/** Modification time of files that a test gave none. */
const startTime = Date.UTC(2026, 0, 2, 3, 4, 5);

/** Folder part of a path; empty at the top. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function imageOf(node: MemoryNode): TreeImage {
  if (node.kind === 'folder') return { kind: 'folder', mode: null };
  if (node.kind !== 'file') return node;
  return { kind: 'file', text: contentText(node.bytes), mode: node.executable ? 0o755 : 0o644, mtime: node.mtime };
}

/** An empty in-memory home, or one with the given tree. */
export function createMemoryHome(tree: Tree = {}): MemoryHome {
  const nodes = new Map<string, MemoryNode>();
  let version = 0;

  const makeParents = (path: string): void => {
    for (let parent = parentOf(path); parent !== '' && !nodes.has(parent); parent = parentOf(parent)) nodes.set(parent, { kind: 'folder' });
  };
  const putFile: MemoryHome['putFile'] = (path, file) => {
    makeParents(path);
    version += 1;
    nodes.set(path, { kind: 'file', ...file, version });
  };
  const put = (path: string, value: TreeValue): void => {
    makeParents(path);
    if (typeof value === 'string' || value instanceof Uint8Array) {
      putFile(path, { bytes: Buffer.from(value), mtime: startTime + version * 1000, executable: false });
    } else if ('link' in value) nodes.set(path, { kind: 'link', to: value.link });
    else if ('fifo' in value) nodes.set(path, { kind: 'other' });
    else if ('folder' in value) nodes.set(path, { kind: 'folder' });
    else {
      const executable = value.executable ?? ((value.mode ?? 0) & 0o100) !== 0;
      putFile(path, { bytes: Buffer.from(value.text), mtime: value.mtime ?? startTime + version * 1000, executable });
    }
  };
  const writeAll = (values: Tree): void => {
    for (const [path, value] of Object.entries(values)) put(path, value);
  };
  writeAll(tree);

  return {
    nodes,
    putFile,
    childrenOf: (folder) => {
      const prefix = folder === '' ? '' : `${folder}/`;
      return [...nodes.keys()].filter((path) => path.startsWith(prefix) && path !== folder && !path.slice(prefix.length).includes('/'));
    },
    write: async (values) => writeAll(values),
    read: async () => new Map([...nodes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, node]) => [path, imageOf(node)])),
    remove: async (path) => {
      for (const key of [...nodes.keys()]) if (key === path || key.startsWith(`${path}/`)) nodes.delete(key);
    },
    hardLink: async () => {
      throw new Error('a file in memory has one name');
    },
    stealthEdit: async (path, content) => {
      const node = nodes.get(path);
      if (node?.kind !== 'file' || node.bytes.length !== Buffer.byteLength(content)) throw new Error('a stealth edit keeps the length');
      putFile(path, { bytes: Buffer.from(content), mtime: node.mtime, executable: node.executable });
    },
    settle: async () => undefined,
  };
}
