import { createHash } from 'node:crypto';
import { chmod, copyFile, lstat, lutimes, mkdir, open, readdir, readFile, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';

/** Copies a folder to another volume with modes and times, flushed. Links are copied as links; nothing but files, folders and links is taken. */
export async function copyTree(from: string, to: string): Promise<void> {
  const stats = await lstat(from);
  if (stats.isSymbolicLink()) await symlink(await readlink(from), to);
  else if (stats.isDirectory()) {
    await mkdir(to, { mode: 0o700 });
    for (const name of await readdir(from)) await copyTree(join(from, name), join(to, name));
    await chmod(to, stats.mode & 0o7777);
  } else if (stats.isFile()) {
    await copyFile(from, to);
    const handle = await open(to, 'r+');
    await handle.sync().finally(() => handle.close());
    await chmod(to, stats.mode & 0o7777);
  } else throw new Error(`${from} is neither a file nor a folder`);
  await lutimes(to, stats.atimeMs / 1000, stats.mtimeMs / 1000);
}

/** Whether two folders hold the same names, kinds, modes and contents. */
export async function sameTree(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([imageOf(one), imageOf(other)]);
  return a === b;
}

async function imageOf(path: string): Promise<string> {
  const stats = await lstat(path);
  if (stats.isSymbolicLink()) return `link ${await readlink(path)}`;
  const mode = stats.mode & 0o7777;
  if (!stats.isDirectory())
    return `file ${mode} ${createHash('sha256')
      .update(await readFile(path))
      .digest('hex')}`;
  const lines: string[] = [];
  for (const name of (await readdir(path)).sort()) lines.push(`${name}\0${await imageOf(join(path, name))}`);
  return `folder ${mode} ${createHash('sha256').update(lines.join('\n')).digest('hex')}`;
}
