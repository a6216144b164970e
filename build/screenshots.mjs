// `npm run screenshots`: pictures of the demo's window for the README, written to docs/images. Needs Chromium.
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { chromium } from '@playwright/test';
import { ensureBuild } from './ensure-build.mjs';

const root = resolve(import.meta.dirname, '..');
const folder = resolve(root, 'docs/images');
const program = resolve(root, 'out/main/cli.js');

/** Starts the demo and waits for the address of its window. */
function startDemo() {
  const child = spawn(process.execPath, [program, 'demo', '--no-open'], { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((found, failed) => {
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said += text;
      const url = /^READY (\S+)$/m.exec(said)?.[1];
      if (url) found({ child, url });
    });
    child.once('exit', (code) => failed(new Error(`the demo ended with ${code} before its window was ready`)));
  });
}

async function takePictures(browser, url) {
  const context = await browser.newContext({ viewport: { width: 400, height: 600 }, deviceScaleFactor: 2, locale: 'en-US' });
  const page = await context.newPage();
  await page.goto(url);
  const picture = async (name) => {
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.screenshot({ path: resolve(folder, `${name}-${colorScheme}.png`) });
    }
  };
  await page.getByRole('link', { name: /demo-box/ }).waitFor();
  await picture('connections');
  await page.getByRole('link', { name: /demo-box/ }).click();
  await page.getByRole('heading', { name: 'Last runs' }).waitFor();
  await picture('connection');
}

if (!(await ensureBuild())) throw new Error('the build failed; see above');
mkdirSync(folder, { recursive: true });
const { child, url } = await startDemo();
try {
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  await takePictures(browser, url);
  await browser.close();
} finally {
  child.kill('SIGINT');
}
console.log('written to docs/images');
