import { chmod, mkdir, readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import envPaths from 'env-paths';

/** The part of the environment that chooses folders. */
export type PathEnvironment = Readonly<Record<string, string | undefined>>;

/** A path as the user typed it, made absolute: `~` and `~/…` are the user's home, anything relative starts at the working folder. */
export function absolutePath(path: string, home: string = homedir()): string {
  if (path === '~') return home;
  return path.startsWith('~/') ? join(home, path.slice(2)) : resolve(path);
}

/** The data folder: the one given, then `EBBGATE_DATA_DIR`, then the operating system's place for it. Absolute; not created here. */
export function dataFolder(given: string | undefined, env: PathEnvironment = process.env): string {
  const chosen = given || env.EBBGATE_DATA_DIR;
  return chosen ? absolutePath(chosen) : envPaths('ebbgate', { suffix: '' }).data;
}

/** The local Hermes home: the one given, then `HERMES_HOME`, then `~/.hermes`. Absolute; it need not exist. */
export function localHermesHome(given: string | undefined, env: PathEnvironment = process.env): string {
  return absolutePath(given || env.HERMES_HOME || '~/.hermes');
}

/**
 * Makes a folder and those it lies in; false when it was there. Level by level: Node's own way does not end where the system says
 * of a name in a folder that exists that it does not, as in /proc.
 */
async function makeFolders(folder: string): Promise<boolean> {
  const make = (): Promise<void> => mkdir(folder, { mode: 0o700 });
  try {
    await make();
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    const parent = dirname(folder);
    if (code !== 'ENOENT' || parent === folder) throw error;
    await makeFolders(parent);
  }
  try {
    await make();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Another process was quicker.
    if (code === 'EEXIST') return false;
    throw code === 'ENOENT' ? new Error('no folder can be made there', { cause: error }) : error;
  }
  return true;
}

/** Makes a folder readable by its owner alone. One that exists is closed to others only while it is empty: then nobody else uses it. */
export async function makePrivateFolder(folder: string): Promise<void> {
  if ((await makeFolders(folder)) || process.platform === 'win32') return;
  if ((await readdir(folder)).length > 0) return;
  // Not our folder to change when this fails; the files in it are private all the same.
  await chmod(folder, 0o700).catch(() => undefined);
}
