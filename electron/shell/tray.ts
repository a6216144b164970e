import { Menu, type MenuItemConstructorOptions, nativeImage, nativeTheme, Tray } from 'electron';
import type { ConnectionState } from '../../shared/contract';
import { trayIconFile } from './icons';
import type { TrayAction, TrayEntry, TrayModel } from './tray-model';

/** The tray while it is shown. */
export interface TrayView {
  /** Shows a model; does nothing when it says the same as before. */
  update(model: TrayModel): void;
  /** Where the icon is on the screen, as far as the system tells. */
  bounds(): { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  dispose(): void;
}

export interface TrayOptions {
  readonly first: TrayModel;
  /** The folder of icons. */
  readonly icons: string;
  readonly platform: NodeJS.Platform;
  act(action: TrayAction): void;
}

// The only reference to the icon would otherwise be collected as garbage, and the icon would vanish.
const shown = new Set<Tray>();

/** Puts the icon into the tray. Everything is in the attached menu: on Linux a click may never arrive. */
export function createTray({ first, icons, platform, act }: TrayOptions): TrayView {
  const isDark = () => (platform === 'win32' ? nativeTheme.shouldUseDarkColorsForSystemIntegratedUI : nativeTheme.shouldUseDarkColors);
  const image = (state: ConnectionState) => nativeImage.createFromPath(trayIconFile(icons, state, { platform, dark: isDark() }));
  const tray = new Tray(image(first.icon));
  shown.add(tray);
  // On macOS an attached menu takes the click; elsewhere a click opens the window.
  if (platform !== 'darwin') tray.on('click', () => act({ kind: 'show', place: { kind: 'connections' } }));
  let last: TrayModel | null = null;
  const update = (model: TrayModel) => {
    if (last !== null && JSON.stringify(last) === JSON.stringify(model)) return;
    if (last !== null && last.icon !== model.icon) tray.setImage(image(model.icon));
    tray.setToolTip(model.tooltip);
    tray.setContextMenu(Menu.buildFromTemplate(model.entries.map((entry) => menuItem(entry, act))));
    last = model;
  };
  const recolour = () => tray.setImage(image(last?.icon ?? first.icon));
  nativeTheme.on('updated', recolour);
  update(first);
  return {
    update,
    bounds: () => tray.getBounds(),
    dispose: () => {
      if (!shown.delete(tray)) return;
      nativeTheme.off('updated', recolour);
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
