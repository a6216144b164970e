import { execFile } from 'node:child_process';

/** Runs a program and gives what it printed, or null when it failed or took too long. */
export type Ask = (program: string, args: readonly string[]) => Promise<string | null>;

const askSystem: Ask = (program, args) =>
  new Promise((resolve) => {
    execFile(program, args, { timeout: 2000, encoding: 'utf8' }, (error, stdout) => resolve(error ? null : stdout));
  });

/**
 * Whether anything here shows tray icons. Electron cannot tell on Linux, so the session bus is asked for the service that
 * draws them; no answer counts as none, because then the window opens and stays, which is never wrong.
 */
export async function hasTrayHost(platform: NodeJS.Platform, ask: Ask = askSystem): Promise<boolean> {
  if (platform !== 'linux') return true;
  const call = ['--session', '--print-reply', '--dest=org.freedesktop.DBus', '/org/freedesktop/DBus', 'org.freedesktop.DBus.NameHasOwner'];
  const answer = await ask('dbus-send', [...call, 'string:org.kde.StatusNotifierWatcher']);
  return answer?.includes('boolean true') ?? false;
}
