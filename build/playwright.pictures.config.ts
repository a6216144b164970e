import { resolve } from 'node:path';
import { defineConfig } from '@playwright/test';
import base from './playwright.config';

const root = resolve(import.meta.dirname, '..');

/** `npm run pictures`: every screen in every appearance and language, to be looked at, in test-results/pictures. Not part of the suite. */
export default defineConfig(base, {
  testDir: resolve(root, 'test/pictures'),
  outputDir: resolve(root, 'test-results/pictures-run'),
  timeout: 600_000,
});
