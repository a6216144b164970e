import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Fills a folder with BusyBox applets and nothing else, for a remote whose PATH is this folder alone. `without` leaves some out. */
export function makeBusyboxPath(folder: string, without: readonly string[] = []): string {
  const busybox = ['/usr/bin/busybox', '/bin/busybox'].find((file) => existsSync(file));
  if (!busybox) throw new Error('busybox is not installed');
  mkdirSync(folder, { recursive: true });
  for (const applet of execFileSync(busybox, ['--list'], { encoding: 'utf8' }).trim().split('\n')) {
    if (!without.includes(applet)) symlinkSync(busybox, join(folder, applet));
  }
  return folder;
}
