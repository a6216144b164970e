/** The languages Ebbgate speaks, as BCP 47 tags. */
export const languages = ['en', 'fr', 'pt-BR', 'zh-CN'] as const;
export type Language = (typeof languages)[number];

/** The longest idle time that can be set, in minutes: a day. */
export const longestIdleMinutes = 1440;

/** Where the window is on the screen, in its pixels. No interface, because it is stored as JSON. */
export type WindowPlace = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/** What the user set for this computer, the same for every connection. */
export interface Settings {
  /** Null follows the computer's own list of languages. */
  readonly language: Language | null;
  /** Whether the system shows notifications. Tray and window tell everything either way. */
  readonly notifications: boolean;
  readonly launchAtLogin: boolean;
  /** Whether closing the window leaves Ebbgate in the tray; null until the user was asked. */
  readonly closeToTray: boolean | null;
  /** Ends open sessions once nobody used this computer for so many minutes; null never does. */
  readonly idleEndMinutes: number | null;
  /** Whether a packaged Ebbgate looks for newer versions. It only tells; it never installs. */
  readonly checkForUpdates: boolean;
  /** Whether a running Ebbgate watches the local skills for what Hermes's own sync-back brings. */
  readonly guard: boolean;
  /** Whether Ebbgate rests: it then does nothing by itself, and still does what the user asks for. */
  readonly paused: boolean;
  /** Where the user left the desktop window; null until it was closed once. */
  readonly window: WindowPlace | null;
}

/** The settings to change; what is left out stays. */
export type SettingsChange = { readonly [K in keyof Settings]?: Settings[K] | undefined };

/** What holds until the user says otherwise. */
export const defaultSettings: Settings = {
  language: null,
  notifications: true,
  launchAtLogin: false,
  closeToTray: null,
  idleEndMinutes: null,
  checkForUpdates: true,
  guard: true,
  paused: false,
  window: null,
};
