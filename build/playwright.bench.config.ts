import { resolve } from 'node:path';
import { defineConfig } from '@playwright/test';
import base from './playwright.config';

const root = resolve(import.meta.dirname, '..');

/** `npm run bench:window`: figures of the window, printed. Not part of the suite: nothing in it fails for being slow. */
export default defineConfig(base, {
  testDir: resolve(root, 'test/bench'),
  outputDir: resolve(root, 'test-results/bench-window'),
  timeout: 600_000,
  use: { trace: 'off' },
});
