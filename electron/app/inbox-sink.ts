import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { InboxVersion } from '../../shared/inbox';
import type { IncomingFile } from '../engine/endpoint';
import type { FileEntry } from '../engine/entry';
import type { InboxSink, WaitingItem } from '../engine/run';
import { type Inbox, inboxId } from './inbox';

/** The inbox as a run sees it: remote versions are checked in `folder`, then handed over with their items. */
export function inboxSink(inbox: Inbox, connection: string, folder: string, now: () => number): InboxSink {
  const received = new Map<string, string>();
  return {
    lacks({ path, remote }) {
      const item = inbox.get(inboxId(connection, path));
      return remote !== null && !(item?.stored === true && item.remote?.hash === remote.hash);
    },
    async store(item, file) {
      const target = join(folder, randomBytes(8).toString('hex'));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const hash = await save(file, target);
      if (hash !== item.remote?.hash) {
        await rm(target, { force: true });
        return false;
      }
      received.set(item.path, target);
      return true;
    },
    async settle(waiting, kinds) {
      const createdAt = new Date(now()).toISOString();
      for (const item of waiting) {
        if (!kinds.includes(item.why)) continue;
        const bytes = item.bytes ?? item.remote?.size ?? item.local?.size ?? 0;
        const { path, why: kind, reason } = item;
        await inbox.put(
          { kind, connection, path, bytes, createdAt, reason, local: version(item.local), remote: version(item.remote) },
          received.get(path) ?? null,
        );
      }
      await inbox.reconcileWith(connection, kinds, new Set(waiting.map(({ path }: WaitingItem) => path)));
    },
  };
}

function version(entry: FileEntry | null): InboxVersion | null {
  return entry === null ? null : { hash: entry.hash, bytes: entry.size, executable: entry.executable ?? false };
}

/** Writes a new private file and returns the SHA-256 of what arrived. */
async function save(file: IncomingFile, target: string): Promise<string> {
  const digest = createHash('sha256');
  const handle = await open(target, 'wx', 0o600);
  try {
    for await (const chunk of file.body) {
      digest.update(chunk);
      await handle.writeFile(chunk);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return digest.digest('hex');
}
