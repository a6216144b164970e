import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ModelPlace } from '../support/model';
import type { TreeImage } from '../support/tree';

export type Side = 'local' | 'remote';

/** A file as its user sees it. */
export interface Version {
  readonly text: string;
  readonly executable: boolean;
}

/** A side's tree as its user sees it, without what the app keeps there. */
export interface View {
  readonly files: ReadonlyMap<string, Version>;
  readonly folders: ReadonlySet<string>;
  /** Links and the like: what it is, by path. */
  readonly others: ReadonlyMap<string, string>;
}

export async function viewOf(place: ModelPlace, side: Side): Promise<View> {
  const files = new Map<string, Version>();
  const folders = new Set<string>();
  const others = new Map<string, string>();
  for (const [path, image] of await place[side].read()) {
    if (path.split('/')[0] === '.ebbgate') continue;
    if (image.kind === 'file') files.set(path, { text: image.text, executable: isExecutable(image) });
    else if (image.kind === 'folder') folders.add(path);
    else others.set(path, image.kind === 'link' ? `-> ${image.to}` : image.kind);
  }
  return { files, folders, others };
}

function isExecutable(image: Extract<TreeImage, { kind: 'file' }>): boolean {
  return image.mode !== null && (image.mode & 0o100) !== 0;
}

/** What the user of one side does to it. */
export interface Hands {
  write(path: string, version: Version): Promise<void>;
  /** As editors save: a new file in the place of the old. */
  replace(path: string, version: Version): Promise<void>;
  /** Other content of the same length, with the time put back. */
  stealth(path: string, text: string): Promise<void>;
  chmod(path: string, version: Version): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  link(path: string, to: string): Promise<void>;
}

export function handsOf(place: ModelPlace, side: Side): Hands {
  const home = place[side];
  const common = {
    write: (path: string, { text, executable }: Version) => home.write({ [path]: { text, executable } }),
    stealth: (path: string, text: string) => home.stealthEdit(path, text),
    remove: (path: string) => home.remove(path),
    link: (path: string, to: string) => home.write({ [path]: { link: to } }),
  };
  return side === 'local' ? { ...common, ...localHands(place.localHome) } : { ...common, ...remoteHands(place) };
}

function localHands(home: string): Pick<Hands, 'replace' | 'chmod' | 'rename'> {
  return {
    replace: async (path, { text, executable }) => {
      const beside = join(home, 'being saved');
      await writeFile(beside, text);
      await chmod(beside, executable ? 0o755 : 0o644);
      await mkdir(dirname(join(home, path)), { recursive: true });
      await rename(beside, join(home, path));
    },
    chmod: (path, { executable }) => chmod(join(home, path), executable ? 0o755 : 0o644),
    rename: async (from, to) => {
      await mkdir(dirname(join(home, to)), { recursive: true });
      await rename(join(home, from), join(home, to));
    },
  };
}

function remoteHands({ remote }: ModelPlace): Pick<Hands, 'replace' | 'chmod' | 'rename'> {
  return {
    replace: (path, { text, executable }) => remote.write({ [path]: { text, executable } }),
    chmod: async (path, { text, executable }) => {
      const node = remote.nodes.get(path);
      if (node?.kind === 'file') remote.putFile(path, { bytes: Buffer.from(text), mtime: node.mtime, executable });
    },
    rename: async (from, to) => {
      for (const [path, node] of [...remote.nodes]) {
        if (path !== from && !path.startsWith(`${from}/`)) continue;
        remote.nodes.delete(path);
        const moved = `${to}${path.slice(from.length)}`;
        // Makes the parents; a moved file keeps its time.
        if (node.kind === 'file') remote.putFile(moved, node);
        else remote.nodes.set(moved, node);
      }
    },
  };
}
