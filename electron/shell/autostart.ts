import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeDurably } from '../platform/atomic-file';

/** How this program is started: the program, and its arguments. */
export interface Start {
  readonly program: string;
  readonly args: readonly string[];
}

/** Where a Linux desktop looks for what to start (Desktop Application Autostart Specification). */
export function autostartFile(env: Readonly<Record<string, string | undefined>>, home: string): string {
  const config = env.XDG_CONFIG_HOME?.startsWith('/') ? env.XDG_CONFIG_HOME : join(home, '.config');
  return join(config, 'autostart', 'ebbgate.desktop');
}

/** An argument of an `Exec` line: quoted, with what the Desktop Entry Specification reserves escaped, in both of its layers. */
function execArgument(text: string): string {
  const quoted = text.replace(/["`$\\]/g, '\\$&').replaceAll('%', '%%');
  return `"${quoted}"`.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

/** The content of the autostart file. */
export function autostartEntry({ program, args }: Start): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Ebbgate',
    `Exec=${[program, ...args].map(execArgument).join(' ')}`,
    'Icon=ebbgate',
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
}

/** Writes the file, or removes it. A crash leaves it old or new. */
export async function setAutostart(file: string, start: Start | null): Promise<void> {
  if (start === null) return rm(file, { force: true });
  await mkdir(dirname(file), { recursive: true });
  await writeDurably(file, autostartEntry(start));
}
