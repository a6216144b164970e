import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { settingsStore } from '../../../electron/store/settings';
import { openStateFile, type StateFile } from '../../../electron/store/state-file';
import { defaultSettings } from '../../../shared/settings';
import { makeTempFolder, removeTempFolder } from '../../support/tree';

let folder: string;
let state: StateFile;
const again = () => openStateFile(join(folder, 'state.json'));

beforeEach(async () => {
  folder = await makeTempFolder('settings');
  state = await again();
});
afterEach(() => removeTempFolder(folder));

describe('settingsStore', () => {
  it('says what holds before anything was set', () => {
    expect(settingsStore(state).read()).toEqual(defaultSettings);
  });

  it('keeps what was set, and nothing else changes', async () => {
    const window = { x: -40, y: 20, width: 400, height: 600 };
    const changed = await settingsStore(state).change({ closeToTray: true, window, language: undefined });
    expect(changed).toEqual({ ...defaultSettings, closeToTray: true, window });
    expect(settingsStore(await again()).read()).toEqual(changed);
  });

  it('takes an odd value for one that was not set, and leaves settings of a later version in the file', async () => {
    await state.update((draft) => {
      draft.settings = { language: 'tlh', idleEndMinutes: -1, window: { x: 4 }, notifications: false, theme: 'sepia' };
    });
    expect(settingsStore(state).read()).toEqual({ ...defaultSettings, notifications: false });
    await settingsStore(state).change({ language: 'fr' });
    expect((await again()).state.settings).toMatchObject({ language: 'fr', theme: 'sepia' });
  });
});
