import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');
// Not exported by the package, whose version is pinned: the only way to check the configuration without packing.
const require = createRequire(import.meta.url);
const { getConfig, validateConfiguration } = require('app-builder-lib/out/util/config/config.js');
const { DebugLogger } = require('builder-util');

describe('the packaging configuration', () => {
  it('is one that electron-builder accepts', async () => {
    const config = await getConfig(root, 'build/electron-builder.yml', {});
    await expect(validateConfiguration(config, new DebugLogger(false))).resolves.toBeUndefined();
  });

  it('would be refused with a key that electron-builder does not know', async () => {
    const config = await getConfig(root, 'build/electron-builder.yml', { npmRebuld: false });
    await expect(validateConfiguration(config, new DebugLogger(false))).rejects.toThrow('npmRebuld');
  });

  it('packs the built files and no native part of ssh2', async () => {
    const { files, npmRebuild, publish } = await getConfig(root, 'build/electron-builder.yml', {});
    expect(files[0].filter).toEqual(expect.arrayContaining(['out/**', 'package.json', '!node_modules/{cpu-features,nan,buildcheck}/**']));
    expect({ npmRebuild, publish }).toEqual({ npmRebuild: false, publish: null });
  });
});
