import { homedir } from 'node:os';
import { app } from 'electron';
import { autostartFile, setAutostart } from './autostart';

/** How this very program is started without its window. An AppImage is started by its own file, not by what it unpacked. */
function ownStart(): { readonly program: string; readonly args: readonly string[] } {
  const from = app.isPackaged ? [] : [app.getAppPath()];
  return { program: process.env.APPIMAGE ?? process.execPath, args: [...from, '--hidden'] };
}

/** Starts Ebbgate at login, without its window, or no longer. */
export async function setLaunchAtLogin(enabled: boolean, platform: NodeJS.Platform): Promise<void> {
  const { program, args } = ownStart();
  if (platform === 'linux') await setAutostart(autostartFile(process.env, homedir()), enabled ? { program, args } : null);
  else app.setLoginItemSettings({ openAtLogin: enabled, path: program, args: [...args] });
}
