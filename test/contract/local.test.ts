import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { createLocalEndpoint } from '../../electron/endpoints/local';
import { folderHome, makeTempFolder, removeTempFolder } from '../support/tree';
import { describeEndpoint } from './endpoint-contract';

/** Any user but root. */
const nobody = 65_534;

/** Runs as a user whom permissions bind. Root keeps its real identity and takes it back afterwards. */
async function withoutPrivileges<T>(action: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return action();
  process.seteuid?.(nobody);
  return action().finally(() => process.seteuid?.(0));
}

describeEndpoint('local', {
  setUp: async () => {
    const folder = await makeTempFolder('local');
    const home = join(folder, 'home');
    const tree = folderHome(folder);
    await tree.write({ home: { folder: true } });
    const open = async () =>
      createLocalEndpoint({ home, stagingDir: join(folder, 'staging'), undoDir: join(folder, 'undo'), now: () => Date.now() });
    return {
      home: folderHome(home),
      open,
      withUnreadable: async (path, action) => {
        await chmod(folder, 0o755);
        await chmod(join(home, path), 0o000);
        return withoutPrivileges(action).finally(() => chmod(join(home, path), 0o755));
      },
      tearDown: () => removeTempFolder(folder),
    };
  },
  sees: { stealthEdits: true, unreadable: true, disk: true },
});
