import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ReplacedLock } from '../../shared/guard';
import { makeTemporaryName } from '../engine/state-names';
import { flushFolder, writeDurably } from '../platform/atomic-file';
import { differing, type FoundHubLock, hubLockPath, isHubLock, readHubLock } from './hub-lock';
import { createLocalReader } from './local-reader';
import { isPlain } from './prune-side';

/** What became of putting the lock file back. */
export type PutBack =
  | { readonly kind: 'done'; readonly bytes: number; readonly existed: boolean; readonly replaced: string | null }
  /** Nothing was written: there is no good copy, or `.hub` is not a folder that we write into. */
  | { readonly kind: 'not-kept' }
  | { readonly kind: 'obstructed' };

/** The last good `.hub/lock.json` of one Hermes home, kept byte for byte. The file itself is only ever written by `putBack`. */
export interface HubCopy {
  /** Whether what lies there is not the last good one, or there is none. */
  differs(): Promise<boolean>;
  /** Compares what lies there with the last good one; null when there is nothing to say. What is trusted becomes the last good one. */
  check(isTrusted: (now: FoundHubLock) => boolean): Promise<ReplacedLock | null>;
  /** Takes what lies there now for good. */
  accept(): Promise<void>;
  isKept(): Promise<boolean>;
  /** Writes the last good one over what lies there, which is kept beside the copy. The caller holds the locks of the home. */
  putBack(): Promise<PutBack>;
}

/** `folder` and `key` name the copy: `<folder>/<key>.json`. */
export function openHubCopy({ home, folder, key }: { readonly home: string; readonly folder: string; readonly key: string }): HubCopy {
  const file = join(home, hubLockPath);
  const copy = join(folder, `${key}.json`);
  const reader = createLocalReader(new AbortController().signal);
  const keep = async ({ found, content }: Awaited<ReturnType<typeof readHubLock>>, to: string): Promise<void> => {
    if (content === null) return;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeDurably(to, content);
    // The time comes back with the file.
    if (found.mtime !== null) await utimes(to, Date.parse(found.mtime) / 1000, Date.parse(found.mtime) / 1000);
  };
  const readBoth = async () => ({ now: await readHubLock(reader, file), good: await readHubLock(reader, copy) });
  const isSame = ({ now, good }: Awaited<ReturnType<typeof readBoth>>): boolean =>
    now.found.sha256 === null ? now.found.state === 'missing' && good.content === null : now.found.sha256 === good.found.sha256;
  return {
    differs: async () => !isSame(await readBoth()),
    async check(isTrusted) {
      const both = await readBoth();
      if (isSame(both)) return null;
      const { now, good } = both;
      const isValid = isHubLock(now.found);
      if (isValid && (good.content === null || isTrusted(now.found))) {
        await keep(now, copy);
        return null;
      }
      if (good.content === null) return null;
      const state = now.found.state === 'missing' ? 'removed' : isValid ? 'replaced' : 'unreadable';
      return { state, differingSkills: differing(now.found.text, good.found.text) };
    },
    async accept() {
      await keep(await readHubLock(reader, file), copy);
    },
    isKept: async () => (await readHubLock(reader, copy)).content !== null,
    async putBack() {
      const { now, good } = await readBoth();
      if (good.content === null) return { kind: 'not-kept' };
      const hub = dirname(hubLockPath);
      if (!(await isPlain(reader, home, hub))) {
        if ((await reader.look(join(home, hub), { follow: false })) !== 'missing') return { kind: 'obstructed' };
        await mkdir(join(home, hub));
      }
      const replaced = now.content === null ? null : join(folder, `${key}.replaced.json`);
      if (replaced !== null) await keep(now, replaced);
      await place(file, good.content, good.found.mtime);
      return { kind: 'done', bytes: good.content.length, existed: now.found.state !== 'missing', replaced };
    },
  };
}

/** A temporary name beside it, flushed, and a rename; an existing file's permissions stay. */
async function place(file: string, content: Buffer, mtime: string | null): Promise<void> {
  const temporary = join(dirname(file), makeTemporaryName({ kind: 'new', pid: process.pid, random: randomBytes(8).toString('hex') }));
  const mode = (await stat(file).catch(() => null))?.mode ?? null;
  try {
    const handle = await open(temporary, 'wx', 0o644);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (mode !== null) await chmod(temporary, mode & 0o777);
    if (mtime !== null) await utimes(temporary, Date.parse(mtime) / 1000, Date.parse(mtime) / 1000);
    await rename(temporary, file);
    await flushFolder(dirname(file));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
