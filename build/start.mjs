// `npm start`: the tray app where Electron can run, otherwise the same window in a browser.
import { spawn, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { runCli } from './cli.mjs';
import { findElectron } from './electron-binary.mjs';
import { ensureBuild } from './ensure-build.mjs';

const root = resolve(import.meta.dirname, '..');
const args = process.argv.slice(2).filter((arg) => arg !== '--no-download');

function findOrDownload() {
  const found = findElectron();
  if (found.ok || found.reason !== 'not-downloaded' || process.env.CI || process.argv.includes('--no-download')) return found;
  process.stderr.write('Electron is not downloaded yet: trying once, for 20 s at most.\n');
  spawnSync('npx', ['--no-install', 'install-electron'], {
    cwd: root,
    stdio: 'ignore',
    timeout: 20_000,
    shell: process.platform === 'win32',
  });
  return findElectron();
}

function startElectron(path) {
  const child = spawn(path, [root, ...args], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    process.stderr.write(`Electron could not be started: ${error.message}.\n`);
    process.exitCode = 1;
  });
  child.on('close', (code) => {
    process.exitCode = code ?? 1;
  });
}

if (!(await ensureBuild())) {
  process.stderr.write('Ebbgate could not be built. Nothing was started. See the messages above.\n');
  process.exitCode = 1;
} else {
  const electron = findOrDownload();
  if (electron.ok) startElectron(electron.path);
  else {
    process.stderr.write(
      `Electron cannot run here (${electron.reason}: ${electron.detail}); serving the same window to a browser instead.\n`,
    );
    await runCli(['serve', '--open', ...args]);
  }
}
