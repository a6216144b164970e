import { z } from 'zod';
import { defaultSettings, languages, longestIdleMinutes, type Settings, type SettingsChange } from '../../shared/settings';
import type { StateFile } from './state-file';

/** The settings, kept in the state file. */
export interface SettingsStore {
  read(): Settings;
  /** Resolves with the settings as they then are, once they are on disk. */
  change(change: SettingsChange): Promise<Settings>;
}

// What a file holds that no setting can be counts as not set: one odd value must not set the whole file aside.
const stored = z.object({
  language: z.enum(languages).nullable().catch(defaultSettings.language),
  notifications: z.boolean().catch(defaultSettings.notifications),
  launchAtLogin: z.boolean().catch(defaultSettings.launchAtLogin),
  closeToTray: z.boolean().nullable().catch(defaultSettings.closeToTray),
  idleEndMinutes: z.int().min(1).max(longestIdleMinutes).nullable().catch(defaultSettings.idleEndMinutes),
  checkForUpdates: z.boolean().catch(defaultSettings.checkForUpdates),
  guard: z.boolean().catch(defaultSettings.guard),
  paused: z.boolean().catch(defaultSettings.paused),
  window: z
    .object({ x: z.int(), y: z.int(), width: z.int().min(1), height: z.int().min(1) })
    .nullable()
    .catch(defaultSettings.window),
}) satisfies z.ZodType<Settings>;

/** A view on the state file. Settings of a later version stay in it untouched. */
export function settingsStore(file: StateFile): SettingsStore {
  const read = () => stored.parse(file.state.settings);
  return {
    read,
    change: async (change) => {
      await file.update((draft) => {
        for (const [name, value] of Object.entries(change)) if (value !== undefined) draft.settings[name] = value;
      });
      return read();
    },
  };
}
