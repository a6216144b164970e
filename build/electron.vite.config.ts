import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import type { Plugin } from 'vite';
import { iconFiles } from './icons/render';
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

/** Draws the icons anew with each build. */
function drawIcons(folder: string): Plugin {
  return {
    name: 'ebbgate-icons',
    writeBundle() {
      for (const { path, content } of iconFiles(resolve(root, 'build/icons'))) {
        mkdirSync(dirname(resolve(folder, path)), { recursive: true });
        writeFileSync(resolve(folder, path), content);
      }
    },
  };
}

export default defineConfig({
  main: {
    plugins: [makeExecutable('cli.js'), drawIcons(resolve(root, 'out/icons')), threadScripts()],
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
