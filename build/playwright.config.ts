import { resolve } from 'node:path';
import { defineConfig } from '@playwright/test';

const root = resolve(import.meta.dirname, '..');
const jsonFile = process.env.PLAYWRIGHT_JSON_OUTPUT_FILE;

export default defineConfig({
  testDir: resolve(root, 'test/app'),
  outputDir: resolve(root, 'test-results/app'),
  globalSetup: resolve(root, 'test/app/global-setup.ts'),
  workers: 1,
  // real Chromium on a small shared machine: generous, so that only a hang is a timeout
  timeout: 120_000,
  expect: { timeout: 15_000 },
  forbidOnly: true,
  reporter: jsonFile === undefined ? [['list']] : [['list'], ['json', { outputFile: jsonFile }]],
  use: {
    viewport: { width: 400, height: 600 },
    locale: 'en-US',
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
