import { Menu, type MenuItemConstructorOptions, Tray } from 'electron';
import { trayIcon } from './icons';
import type { TrayAction, TrayEntry, TrayModel } from './tray-model';

/** The tray while it is shown. */
export interface TrayView {
  /** Shows a model; does nothing when it says the same as before. */
  update(model: TrayModel): void;
  dispose(): void;
}

// The only reference to the icon would otherwise be collected as garbage, and the icon would vanish.
const shown = new Set<Tray>();

/** Puts the icon into the tray. Everything is in the attached menu: on Linux a click may never arrive. */
export function createTray(first: TrayModel, act: (action: TrayAction) => void, platform: NodeJS.Platform): TrayView {
  const tray = new Tray(trayIcon(first.icon, platform));
  shown.add(tray);
  // On macOS an attached menu takes the click; elsewhere a click opens the window.
  if (platform !== 'darwin') tray.on('click', () => act({ kind: 'open' }));
  let last: TrayModel | null = null;
  const update = (model: TrayModel) => {
    if (last !== null && JSON.stringify(last) === JSON.stringify(model)) return;
    if (last !== null && last.icon !== model.icon) tray.setImage(trayIcon(model.icon, platform));
    tray.setToolTip(model.tooltip);
    tray.setContextMenu(Menu.buildFromTemplate(model.entries.map((entry) => menuItem(entry, act))));
    last = model;
  };
  update(first);
  return {
    update,
    dispose: () => {
      if (!shown.delete(tray)) return;
      tray.destroy();
    },
  };
}

function menuItem(entry: TrayEntry, act: (action: TrayAction) => void): MenuItemConstructorOptions {
  if (entry.kind === 'separator') return { type: 'separator', id: entry.id };
  // A single `&` would mark a shortcut letter and disappear.
  const label = entry.label.replaceAll('&', '&&');
  if (entry.kind === 'text') return { id: entry.id, label, enabled: false };
  if (entry.kind === 'submenu') return { id: entry.id, label, submenu: entry.entries.map((child) => menuItem(child, act)) };
  return { id: entry.id, label, click: () => act(entry.action) };
}
