import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findElectron } from '../../../build/electron-binary.mjs';

let base = '';
const from = () => join(base, 'start.mjs');
const binary = () => join(base, 'node_modules/electron/dist/electron');
const find = (env = { DISPLAY: ':0', PATH: process.env.PATH }) => findElectron({ from: from(), env, platform: 'linux' });

/** An installed Electron package whose binary is a shell script. */
function install({ installed = '45.5.0', script = 'exit 0', mode = 0o755 } = {}) {
  const folder = join(base, 'node_modules/electron');
  mkdirSync(join(folder, 'dist'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'electron', version: '45.5.0' }));
  writeFileSync(join(folder, 'path.txt'), 'electron');
  writeFileSync(join(folder, 'dist/version'), installed);
  writeFileSync(binary(), `#!/bin/sh\n${script}\n`);
  chmodSync(binary(), mode);
}

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'ebbgate-electron-'));
});

afterEach(() => rmSync(base, { recursive: true, force: true }));

describe('findElectron', () => {
  it('finds an installed binary that runs and has a display', () => {
    install();
    expect(find()).toEqual({ ok: true, path: binary(), version: '45.5.0' });
  });

  it('says that there is no package', () => {
    expect(find()).toMatchObject({ ok: false, reason: 'no-package' });
  });

  it('says that the binary was not downloaded', () => {
    install();
    rmSync(binary());
    expect(find()).toMatchObject({ ok: false, reason: 'not-downloaded' });
  });

  it('says that another version is installed', () => {
    install({ installed: 'v44.0.1' });
    expect(find()).toEqual({ ok: false, reason: 'version-mismatch', detail: '44.0.1 is installed, 45.5.0 is wanted' });
  });

  it('says that the binary does not run, with what it said', () => {
    install({ script: 'echo "libnss3.so: cannot open shared object file" >&2; exit 127' });
    expect(find()).toEqual({ ok: false, reason: 'does-not-run', detail: 'libnss3.so: cannot open shared object file' });
  });

  it('says that there is no display', () => {
    install();
    expect(find({ PATH: process.env.PATH })).toMatchObject({ ok: false, reason: 'no-display' });
  });

  it('runs the binary as plain Node, so that no window opens', () => {
    install({ script: '[ "$ELECTRON_RUN_AS_NODE" = 1 ] || exit 9' });
    expect(find().ok).toBe(true);
  });

  it('takes another folder that the environment names', () => {
    install();
    const elsewhere = join(base, 'elsewhere');
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, 'version'), '45.5.0');
    writeFileSync(join(elsewhere, 'electron'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    const found = find({ DISPLAY: ':0', PATH: process.env.PATH, ELECTRON_OVERRIDE_DIST_PATH: elsewhere });
    expect(found).toEqual({ ok: true, path: join(elsewhere, 'electron'), version: '45.5.0' });
  });
});
