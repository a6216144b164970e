import { chmod, type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';

/** Mode of every file in the data folder. */
export const privateFileMode = 0o600;

/**
 * Replaces a file's content: a temporary file beside it, flushed, then renamed over it, then the rename flushed. After a crash
 * the file is old or new. Keeps the old owner, sets mode 0600; several writes to one file happen one after the other.
 */
export async function writeDurably(file: string, content: string | Uint8Array): Promise<void> {
  await replaceDurably(file, (handle) => handle.writeFile(content));
}

/** As `writeDurably`, for content that `fill` writes piece by piece. When `fill` fails, the file stays as it was. */
export async function replaceDurably(file: string, fill: (handle: FileHandle) => Promise<void>): Promise<void> {
  // The library would write the content with a single call and not notice that a full disk took only a part of it.
  const tmpfileCreated = (temporary: string): Promise<void> => withFile(temporary, 'r+', fill);
  await writeFileAtomic(file, '', { mode: privateFileMode, fsync: true, tmpfileCreated });
  await flushFolder(dirname(file));
}

/** Appends and flushes. After a crash at most the end of this text is missing. */
export async function appendDurably(file: string, text: string): Promise<void> {
  await withFile(file, 'a', async (handle) => {
    await handle.writeFile(text);
    await handle.sync();
  });
}

/** Flushes a complete file that something else wrote. */
export async function flushFile(file: string): Promise<void> {
  await withFile(file, 'r+', (handle) => handle.sync());
}

/** Makes a file readable by its owner alone. */
export async function makePrivate(file: string): Promise<void> {
  await chmod(file, privateFileMode);
}

/** Flushes a folder's names, so that a rename survives a power failure. Where folders cannot be flushed, the file system decides. */
export async function flushFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  await withFile(folder, 'r', async (handle) => {
    try {
      await handle.sync();
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code !== 'EINVAL' && code !== 'ENOTSUP' && code !== 'EPERM') throw error;
    }
  });
}

async function withFile(file: string, flags: string, use: (handle: FileHandle) => Promise<void>): Promise<void> {
  const handle = await open(file, flags, privateFileMode);
  try {
    await use(handle);
  } finally {
    await handle.close();
  }
}
