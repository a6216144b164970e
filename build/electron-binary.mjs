// Is a usable Electron here? Never loads the 'electron' module: that would start a download when the binary is missing.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const binaryNames = { win32: 'electron.exe', darwin: 'Electron.app/Contents/MacOS/Electron' };

function locate(packageDir, version, env, platform) {
  const dist = env.ELECTRON_OVERRIDE_DIST_PATH ?? join(packageDir, 'dist');
  try {
    const name = env.ELECTRON_OVERRIDE_DIST_PATH
      ? (binaryNames[platform] ?? 'electron')
      : readFileSync(join(packageDir, 'path.txt'), 'utf8').trim();
    const path = join(dist, name);
    accessSync(path, constants.F_OK);
    const found = readFileSync(join(dist, 'version'), 'utf8').trim().replace(/^v/, '');
    if (found !== version) return { ok: false, reason: 'version-mismatch', detail: `${found} is installed, ${version} is wanted` };
    return { ok: true, path, version };
  } catch (error) {
    return { ok: false, reason: 'not-downloaded', detail: String(error.code ?? error) };
  }
}

/** Runs it as plain Node: that needs no display, yet fails when shared libraries are missing. */
function probe(path, env) {
  const run = spawnSync(path, ['-e', ''], { env: { ...env, ELECTRON_RUN_AS_NODE: '1' }, timeout: 10_000, encoding: 'utf8' });
  if (run.status === 0) return null;
  const said = (run.stderr || String(run.error ?? run.signal ?? run.status)).trim().split('\n')[0];
  return { ok: false, reason: 'does-not-run', detail: said };
}

/**
 * @returns {{ok: true, path: string, version: string} | {ok: false, reason: 'no-package' | 'not-downloaded' | 'version-mismatch'
 *   | 'not-executable' | 'does-not-run' | 'no-display', detail: string}}
 */
export function findElectron({ from = import.meta.url, env = process.env, platform = process.platform } = {}) {
  let manifest;
  try {
    manifest = createRequire(from).resolve('electron/package.json');
  } catch (error) {
    return { ok: false, reason: 'no-package', detail: String(error.code ?? error) };
  }
  const found = locate(dirname(manifest), JSON.parse(readFileSync(manifest, 'utf8')).version, env, platform);
  if (!found.ok) return found;
  try {
    accessSync(found.path, constants.X_OK);
  } catch {
    return { ok: false, reason: 'not-executable', detail: 'the binary is not marked as executable' };
  }
  const broken = probe(found.path, env);
  if (broken) return broken;
  if (platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY) {
    return { ok: false, reason: 'no-display', detail: 'neither DISPLAY nor WAYLAND_DISPLAY is set' };
  }
  return found;
}
