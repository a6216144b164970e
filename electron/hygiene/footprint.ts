import type { Rules } from '../../shared/rules';
import type { Tally } from '../../shared/run-report';
import type { EnginePath } from '../engine/entry';
import { isOwnName } from '../engine/state-names';
import { syncLockName } from '../hermes/home';
import type { SeenEntry, TreeReader } from './tree-reader';

/** The folder that guard mode looks at. */
const root: EnginePath = 'skills';

/** One thing that guard mode remembers: a file in scope, or whatever lies directly in a bookkeeping tree, counted whole. */
export interface Unit extends Tally {
  /** Latest modification in it, in milliseconds since 1970. */
  readonly newest: number;
  /** The bookkeeping tree it lies in; null for a file in scope. */
  readonly tree: EnginePath | null;
}

/** What a local `skills` held at one moment. */
export interface Footprint {
  /** Milliseconds since 1970, before the first look. */
  readonly takenAt: number;
  /** Nothing is known of a root that is not there or not readable to the end. */
  readonly root: 'ok' | 'missing' | 'unreadable';
  readonly units: ReadonlyMap<EnginePath, Unit>;
  /** Modification time of Hermes's lock: it is opened anew for every sync-back (tools/environments/file_sync.py). */
  readonly syncLock: number | null;
}

/** Looks at a Hermes home's `skills`: lengths and times alone, nothing is read. */
export async function takeFootprint(reader: TreeReader, home: string, rules: Rules, now: number): Promise<Footprint> {
  const lock = await reader.look(`${home}/${syncLockName}`, { follow: false });
  const syncLock = typeof lock === 'string' ? null : lock.mtime;
  const seen = await reader.look(`${home}/${root}`, { follow: true });
  const state = seen === 'missing' ? 'missing' : typeof seen === 'string' || seen.kind !== 'folder' ? 'unreadable' : null;
  if (state !== null) return { takenAt: now, root: state, units: new Map(), syncLock };
  const walk = new Walk(reader, home, rules);
  await walk.scope(root);
  return { takenAt: now, root: walk.isComplete ? 'ok' : 'unreadable', units: walk.units, syncLock };
}

class Walk {
  readonly units = new Map<EnginePath, Unit>();
  isComplete = true;

  constructor(
    private readonly reader: TreeReader,
    private readonly home: string,
    private readonly rules: Rules,
  ) {}

  async scope(folder: EnginePath): Promise<void> {
    const folders: EnginePath[] = [];
    for (const entry of await this.list(folder)) {
      const path = `${folder}/${entry.name}`;
      if (isOwnName(entry.name)) continue;
      if (this.rules.treeOf(path) !== null) {
        if (entry.kind === 'folder') await this.tree(path);
        else this.units.set(path, { ...unitOf(entry), tree: path });
      } else if (entry.kind === 'folder') folders.push(path);
      else if (entry.kind === 'file') this.units.set(path, { ...unitOf(entry), tree: null });
    }
    await Promise.all(folders.map((path) => this.scope(path)));
  }

  private async tree(tree: EnginePath): Promise<void> {
    await Promise.all(
      (await this.list(tree)).map(async (entry) => {
        const path = `${tree}/${entry.name}`;
        const unit = entry.kind === 'folder' ? await this.measure(path, entry.mtime) : unitOf(entry);
        this.units.set(path, { ...unit, tree });
      }),
    );
  }

  private async measure(folder: string, mtime: number): Promise<Omit<Unit, 'tree'>> {
    let [files, bytes, newest] = [0, 0, mtime];
    for (const entry of await this.list(folder)) {
      const part = entry.kind === 'folder' ? await this.measure(`${folder}/${entry.name}`, entry.mtime) : unitOf(entry);
      files += part.files;
      bytes += part.bytes;
      newest = Math.max(newest, part.newest);
    }
    return { files, bytes, newest };
  }

  private async list(folder: EnginePath): Promise<readonly SeenEntry[]> {
    const listed = await this.reader.list(`${this.home}/${folder}`);
    if (typeof listed !== 'string') return listed;
    // Gone since its parent was read is no fault; a root that vanished meanwhile is.
    if (listed === 'unreadable' || folder === root) this.isComplete = false;
    return [];
  }
}

function unitOf({ size, mtime }: SeenEntry): Omit<Unit, 'tree'> {
  return { files: 1, bytes: size, newest: mtime };
}
