import { chmodSync } from 'node:fs';
import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import type { Plugin } from 'vite';
import { threadScripts } from './thread-plugin.mjs';

const root = resolve(import.meta.dirname, '..');

/** `bin` in package.json points at this file. */
function makeExecutable(name: string): Plugin {
  return {
    name: 'ebbgate-executable',
    writeBundle(options, bundle) {
      if (options.dir && bundle[name] && process.platform !== 'win32') chmodSync(resolve(options.dir, name), 0o755);
    },
  };
}

export default defineConfig({
  main: {
    plugins: [makeExecutable('cli.js'), threadScripts()],
    build: {
      outDir: resolve(root, 'out/main'),
      // A short command spends most of its time on finding and reading modules: small pure ones come with the program. Only what
      // brings native parts stays outside.
      externalizeDeps: { exclude: ['env-paths', 'ignore', 'lowdb', 'tar', 'write-file-atomic', 'zod'] },
      sourcemap: true,
      rolldownOptions: {
        input: { index: resolve(root, 'electron/main.ts'), cli: resolve(root, 'electron/cli/main.ts') },
        output: { format: 'es', banner: (chunk) => (chunk.isEntry && chunk.name === 'cli' ? '#!/usr/bin/env node' : '') },
      },
    },
  },
  preload: {
    build: {
      outDir: resolve(root, 'out/preload'),
      // A sandboxed preload may only require 'electron': everything else is bundled, as CommonJS.
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: resolve(root, 'electron/preload.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: resolve(root, 'renderer'),
    plugins: [react()],
    build: {
      outDir: resolve(root, 'out/renderer'),
      emptyOutDir: true,
      minify: true,
      rolldownOptions: { input: resolve(root, 'renderer/index.html') },
    },
  },
});
