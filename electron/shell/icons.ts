import { join } from 'node:path';
import type { ConnectionState } from '../../shared/contract';

/** Where an icon is shown. */
export interface Panel {
  readonly platform: NodeJS.Platform;
  /** Whether the panel is dark; macOS tints a template itself. */
  readonly dark: boolean;
}

/** The file of a state's tray icon, below the folder of icons. Electron finds the one for dense screens beside it. */
export function trayIconFile(folder: string, state: ConnectionState, { platform, dark }: Panel): string {
  if (platform === 'darwin') return join(folder, 'tray', `${state}Template.png`);
  return join(folder, 'tray', `${state}-${dark ? 'dark' : 'light'}.${platform === 'win32' ? 'ico' : 'png'}`);
}
