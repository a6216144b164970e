import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const mounted: string[] = [];

/** A small disk of its own, such as `2m`; unmounted by `unmountAll`. Throws where this is not allowed. */
export function mountSmallDisk(folder: string, size: string): void {
  mkdirSync(folder, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0755`, 'tmpfs', folder], { stdio: 'pipe' });
  mounted.push(folder);
}

/** Changes options of a mounted disk: another size, or `ro` and `rw`. */
export function remount(folder: string, options: string): void {
  execFileSync('mount', ['-o', `remount,${options}`, folder], { stdio: 'pipe' });
}

/** Unmounts all that were mounted by this file. */
export function unmountAll(): void {
  for (const folder of mounted.splice(0).reverse()) execFileSync('umount', ['-l', folder], { stdio: 'pipe' });
}

/** Whether this account may mount a disk. */
export function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'ebbgate-mount-'));
  try {
    mountSmallDisk(folder, '1m');
    return true;
  } catch {
    return false;
  } finally {
    unmountAll();
    rmSync(folder, { recursive: true });
  }
}
