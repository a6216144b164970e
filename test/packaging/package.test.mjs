import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureBuilt } from '../support/stood-in-app';

// The builder's own parts, which it does not export: the version is pinned.
const require = createRequire(import.meta.url);
const { getConfig, validateConfiguration } = require('app-builder-lib/out/util/config/config.js');
const { DebugLogger } = require('builder-util');
const { listPackage } = require('@electron/asar');
const { FuseV1Options } = require('@electron/fuses');
const { SENTINEL } = require('@electron/fuses/dist/constants.js');

const root = resolve(import.meta.dirname, '../..');
const fuseNames = Object.keys(FuseV1Options).filter((name) => Number.isNaN(Number(name)));
let folder = '';
let config = {};
let entries = [];

/** A folder that the builder takes for Electron: what it copies and renames, and a program that holds nothing but fuses. */
function makeElectron(dist) {
  const { version } = JSON.parse(readFileSync(require.resolve('electron/package.json'), 'utf8'));
  for (const name of ['resources', 'locales']) mkdirSync(join(dist, name), { recursive: true });
  const wire = [1, fuseNames.length, ...fuseNames.map(() => '1'.charCodeAt(0))];
  const files = {
    electron: Buffer.concat([Buffer.from(`program${SENTINEL}`), Buffer.from(wire), Buffer.from('end')]),
    version,
    LICENSE: 'x',
    'LICENSES.chromium.html': 'x',
    'chrome-sandbox': '',
    'locales/en-US.pak': 'x',
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(dist, name), content);
  chmodSync(join(dist, 'electron'), 0o755);
}

beforeAll(async () => {
  ensureBuilt();
  folder = mkdtempSync(join(tmpdir(), 'ebbgate-package-'));
  config = await getConfig(root, 'build/electron-builder.yml', {});
  makeElectron(join(folder, 'electron'));
  const builder = resolve(root, 'node_modules/electron-builder/cli.js');
  const changes = [`-c.electronDist=${join(folder, 'electron')}`, `-c.directories.output=${join(folder, 'dist')}`];
  const args = [builder, '--config', 'build/electron-builder.yml', '--linux', 'dir', ...changes];
  const run = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', env: { ...process.env, CI: '1' } });
  if (run.status !== 0) throw new Error(`${run.stdout}${run.stderr}`);
  entries = listPackage(join(folder, 'dist/linux-unpacked/resources/app.asar')).map((name) => name.replaceAll('\\', '/'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the packages’ configuration', () => {
  it('is what the builder understands', async () => {
    await validateConfiguration(config, new DebugLogger(false));
    await expect(validateConfiguration({ ...config, npmRebuld: false }, new DebugLogger(false))).rejects.toThrow(/npmRebuld/);
  });

  it('makes what each system installs', () => {
    const targets = ({ target }) => [...target].sort();
    expect({ linux: targets(config.linux), mac: targets(config.mac), win: targets(config.win) }).toEqual({
      ...{ linux: ['AppImage', 'deb', 'rpm'], mac: ['dmg', 'zip'], win: ['nsis'] },
    });
  });

  it('names icons that the build makes', () => {
    const named = [config.linux.icon, config.mac.icon, config.win.icon];
    expect(named.filter((path) => !existsSync(resolve(root, path)))).toEqual([]);
  });
});

describe('the archive', () => {
  it('holds everything that runs', () => {
    const wanted = [
      '/package.json',
      '/out/main/index.js',
      '/out/preload/index.cjs',
      '/out/renderer/index.html',
      '/out/icons/tray/ready-light.png',
      '/node_modules/ssh2/lib/client.js',
    ];
    expect(wanted.filter((name) => !entries.includes(name))).toEqual([]);
  });

  it('holds nothing else: no source, no test, no map, no package that only builds', () => {
    const { packages } = JSON.parse(readFileSync(resolve(root, 'package-lock.json'), 'utf8'));
    // The builder lays packages flat, wherever the lock file nests them.
    const shipped = Object.keys(packages)
      .filter((path) => path !== '' && !packages[path].dev && !packages[path].devOptional)
      .map((path) => `/node_modules/${path.split('node_modules/').at(-1)}/`);
    const isPackage = (name) => shipped.some((path) => name.startsWith(path) || path.startsWith(`${name}/`));
    const isBuilt = (name) => /^\/out(\/(main|preload|renderer|icons)(\/|$)|$)/.test(name) && !name.startsWith('/out/icons/app');
    const odd = entries.filter((name) => name !== '/package.json' && name !== '/node_modules' && !isBuilt(name) && !isPackage(name));
    expect(odd).toEqual([]);
    expect(entries.filter((name) => /\.(map|[cm]?tsx?|md|node)$/.test(name) || name.includes('cpu-features'))).toEqual([]);
  });
});

describe('the program’s fuses', () => {
  it('are set as the configuration says, every one of them', () => {
    const program = readFileSync(join(folder, 'dist/linux-unpacked/ebbgate'));
    const wire = program.subarray(program.indexOf(SENTINEL) + SENTINEL.length + 2);
    const found = Object.fromEntries(fuseNames.map((name) => [name, String.fromCharCode(wire[FuseV1Options[name]] ?? 0)]));
    expect(found).toEqual({
      RunAsNode: '0',
      EnableCookieEncryption: '1',
      EnableNodeOptionsEnvironmentVariable: '0',
      EnableNodeCliInspectArguments: '0',
      EnableEmbeddedAsarIntegrityValidation: '1',
      OnlyLoadAppFromAsar: '1',
      LoadBrowserProcessSpecificV8Snapshot: '0',
      GrantFileProtocolExtraPrivileges: '0',
    });
  });
});
