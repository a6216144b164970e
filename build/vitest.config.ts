import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { threadScripts } from './thread-plugin.mjs';

export default defineConfig({
  plugins: [threadScripts()],
  root: resolve(import.meta.dirname, '..'),
  test: {
    environment: 'node',
    include: ['test/**/*.test.{ts,tsx,mjs}'],
    // Browser and Electron specs belong to Playwright, benchmarks are run by hand.
    exclude: ['test/app/**', 'test/electron/**', 'test/bench/**', 'node_modules/**'],
    // Real SSH servers and builds start on demand, and two cores are shared by all of them.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    allowOnly: false,
    passWithNoTests: false,
    watch: false,
  },
});
