import { createHash, randomBytes } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { InboxItem, InboxKind } from '../../shared/inbox';
import { flushFile, flushFolder, makePrivate, writeDurably } from '../platform/atomic-file';
import { storeFailure, systemCode } from '../store/store-errors';

/** What is put into the inbox; the rest follows from it. */
export type NewInboxItem = Omit<InboxItem, 'id' | 'stored'>;

/** What waits for the user, on disk. One item for each path of a connection. */
export interface Inbox {
  /** What could not be understood when the inbox was opened, and was left where it is. */
  readonly notes: readonly string[];
  /** Oldest first. */
  list(connection?: string): readonly InboxItem[];
  get(id: string): InboxItem | null;
  /**
   * Adds the item, replacing the one of the same path. `content` is a complete, verified file with the remote version; it is
   * moved or copied, and may be left behind. The same remote version is kept once and keeps the time it came. Resolves once
   * item and content are on disk.
   */
  put(item: NewInboxItem, content: string | null): Promise<InboxItem>;
  /** The file with the remote version; null when it is not stored. */
  contentFile(id: string): string | null;
  /** Nothing happens when there is no such item. */
  remove(id: string): Promise<void>;
  /** Drops the connection's items of these kinds whose path does not wait any more. */
  reconcileWith(connection: string, kinds: readonly InboxKind[], waiting: ReadonlySet<string>): Promise<void>;
}

/** The id of the item of a path: always the same one. */
export function inboxId(connection: string, path: string): string {
  return createHash('sha256').update(`${connection}\0${path}`).digest('hex').slice(0, 20);
}

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const version = z.object({ hash: sha256, bytes: z.number(), executable: z.boolean() });
const itemSchema = z.object({
  id: z.string().regex(/^[0-9a-f]{20}$/),
  kind: z.enum(['conflict', 'guarded', 'growth', 'review']),
  connection: z.string(),
  path: z.string(),
  bytes: z.number(),
  createdAt: z.string(),
  reason: z.string(),
  local: version.nullable(),
  remote: version.nullable(),
  stored: z.boolean(),
}) satisfies z.ZodType<InboxItem>;

const unfinishedPrefix = '.new-';

/** Opens the inbox folder, made when it is missing; what a crash left half-made is removed. */
export async function openInbox(folder: string): Promise<Inbox> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const items = new Map<string, InboxItem>();
    const notes: string[] = [];
    for (const name of (await readdir(folder)).sort()) {
      if (name.startsWith(unfinishedPrefix)) await rm(join(folder, name), { recursive: true, force: true });
      else await loadItem(folder, name, items, notes);
    }
    return new InboxFolder(folder, items, notes);
  } catch (error) {
    throw storeFailure('open', folder, error);
  }
}

async function loadItem(folder: string, name: string, items: Map<string, InboxItem>, notes: string[]): Promise<void> {
  try {
    const item = itemSchema.parse(JSON.parse(await readFile(join(folder, name, 'item.json'), 'utf8')));
    if (item.id !== name) throw new Error('its name is another');
    const stored = item.remote !== null && (await hasLength(join(folder, name, item.remote.hash), item.remote.bytes));
    items.set(name, { ...item, stored });
  } catch {
    notes.push(`${join(folder, name)} is no inbox item that can be read. It was left where it is and is not shown.`);
  }
}

async function hasLength(file: string, bytes: number): Promise<boolean> {
  const found = await stat(file).catch(() => null);
  return found?.isFile() === true && found.size === bytes;
}

class InboxFolder implements Inbox {
  readonly notes: readonly string[];
  readonly #folder: string;
  readonly #items: Map<string, InboxItem>;
  #last: Promise<unknown> = Promise.resolve();

  constructor(folder: string, items: Map<string, InboxItem>, notes: readonly string[]) {
    this.#folder = folder;
    this.#items = items;
    this.notes = notes;
  }

  list(connection?: string): readonly InboxItem[] {
    const wanted = [...this.#items.values()].filter((item) => connection === undefined || item.connection === connection);
    return wanted.sort((a, b) => compare(a.createdAt, b.createdAt) || compare(a.path, b.path));
  }

  get(id: string): InboxItem | null {
    return this.#items.get(id) ?? null;
  }

  contentFile(id: string): string | null {
    const item = this.#items.get(id);
    return item?.stored && item.remote !== null ? join(this.#folder, id, item.remote.hash) : null;
  }

  put(added: NewInboxItem, content: string | null): Promise<InboxItem> {
    return this.#inTurn('write', async () => {
      const id = inboxId(added.connection, added.path);
      const before = this.#items.get(id) ?? null;
      const sameVersion = before !== null && before.kind === added.kind && before.remote?.hash === added.remote?.hash;
      const alreadyStored = before?.stored === true && before.remote?.hash === added.remote?.hash;
      const stored = added.remote !== null && (content !== null || alreadyStored);
      const createdAt = sameVersion ? before.createdAt : added.createdAt;
      const item: InboxItem = itemSchema.parse({ ...added, id, createdAt, stored });
      const incoming = alreadyStored ? null : content;
      if (before === null) await this.#create(item, incoming);
      else await this.#replace(item, incoming);
      this.#items.set(id, item);
      return item;
    });
  }

  remove(id: string): Promise<void> {
    return this.#inTurn('remove from', () => this.#drop(id));
  }

  reconcileWith(connection: string, kinds: readonly InboxKind[], waiting: ReadonlySet<string>): Promise<void> {
    return this.#inTurn('remove from', async () => {
      for (const item of this.list(connection)) {
        if (kinds.includes(item.kind) && !waiting.has(item.path)) await this.#drop(item.id);
      }
    });
  }

  /** The whole item is made beside the others and appears by one rename. */
  async #create(item: InboxItem, content: string | null): Promise<void> {
    const final = join(this.#folder, item.id);
    const unfinished = join(this.#folder, `${unfinishedPrefix}${randomBytes(6).toString('hex')}`);
    await mkdir(unfinished, { mode: 0o700 });
    try {
      await this.#fill(unfinished, item, content);
      // What could not be read as an item may lie there; it cannot be replaced by a rename.
      await rm(final, { recursive: true, force: true });
      await rename(unfinished, final);
    } catch (error) {
      await rm(unfinished, { recursive: true, force: true });
      throw error;
    }
    await flushFolder(this.#folder);
  }

  /** The new content lies beside the old one until `item.json` names it; that replacement is the moment of change. */
  async #replace(item: InboxItem, content: string | null): Promise<void> {
    const folder = join(this.#folder, item.id);
    await this.#fill(folder, item, content);
    const needed = ['item.json', ...(item.stored && item.remote !== null ? [item.remote.hash] : [])];
    for (const name of await readdir(folder)) {
      if (!needed.includes(name)) await rm(join(folder, name), { recursive: true, force: true });
    }
  }

  async #fill(folder: string, item: InboxItem, content: string | null): Promise<void> {
    if (content !== null && item.remote !== null) await moveInto(content, join(folder, item.remote.hash));
    await writeDurably(join(folder, 'item.json'), `${JSON.stringify(item, null, 2)}\n`);
  }

  /** The rename is the moment it is gone; what a crash leaves of it is removed when the inbox is opened. */
  async #drop(id: string): Promise<void> {
    if (!this.#items.has(id)) return;
    const gone = join(this.#folder, `${unfinishedPrefix}${randomBytes(6).toString('hex')}`);
    try {
      await rename(join(this.#folder, id), gone);
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') throw error;
    }
    this.#items.delete(id);
    await rm(gone, { recursive: true, force: true });
  }

  #inTurn<T>(operation: string, work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(async () => {
      try {
        return await work();
      } catch (error) {
        throw storeFailure(operation, this.#folder, error);
      }
    });
    this.#last = result.catch(() => undefined);
    return result;
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

async function moveInto(from: string, to: string): Promise<void> {
  try {
    await flushFile(from);
    await rename(from, to);
  } catch (error) {
    if (systemCode(error) !== 'EXDEV') throw error;
    const beside = `${to}.copy`;
    await copyFile(from, beside);
    await flushFile(beside);
    await rename(beside, to);
  }
  await makePrivate(to);
}
