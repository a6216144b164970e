import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { app, dialog } from 'electron';
import { toWireError } from '../shared/errors';
import { composeInTurn } from './shell/claim';
import type { Shell } from './shell/start';
import { registerPageScheme } from './shell/window';

/** Ends at once: files are old or new at every moment, so nothing is gained by running on in an unknown state. */
function crash(error: unknown): void {
  const { message } = toWireError(error);
  console.error(`ebbgate: ${message}`);
  if (app.isReady()) dialog.showErrorBox('Ebbgate', message);
  app.exit(1);
}

async function run(): Promise<Shell> {
  await app.whenReady();
  // Loaded only now: a second instance must not touch a file, a socket or a timer.
  const [{ compose }, { osCipher }, { startShell }] = await Promise.all([
    import('./compose'),
    import('./shell/os-cipher'),
    import('./shell/start'),
  ]);
  const host = await composeInTurn(
    () => compose({ lasting: true, cipher: osCipher(process.platform) }),
    (ms) => pause(ms),
  );
  return startShell(host, {
    out: join(import.meta.dirname, '..'),
    hidden: process.argv.includes('--hidden'),
    platform: process.platform,
  });
}

// No top-level await on readiness in this file: Electron becomes ready only after its entry module has run.
if (!app.requestSingleInstanceLock()) {
  app.quit();
} else {
  process.on('uncaughtException', crash);
  // One part's forgotten failure is a bug to report, not a reason to end the others' runs.
  process.on('unhandledRejection', (error) => console.error(`ebbgate: ${toWireError(error).message}`));
  app.enableSandbox();
  registerPageScheme();
  const shell = run();
  shell.catch(crash);
  const show = () => void shell.then((running) => running.show()).catch(crash);
  app.on('second-instance', show);
  app.on('activate', show);
  // The tray keeps the app alive; closing the last window decides nothing by itself.
  app.on('window-all-closed', () => {});
}
