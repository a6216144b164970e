// `npm test`: everything, from system packages to the browser, ending with one line that counts.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ensureDebianPackages } from './debian-packages.mjs';
import { findElectron } from './electron-binary.mjs';
import { ensureBuild } from './ensure-build.mjs';
import { countPlaywright, countVitest } from './test-counts.mjs';

const root = resolve(import.meta.dirname, '..');
const reports = mkdtempSync(join(tmpdir(), 'ebbgate-reports-'));
const total = { passed: 0, failed: 0 };
const problems = [];

function say(line) {
  process.stdout.write(`${line}\n`);
}

function run(script, args, env = {}) {
  const child = spawnSync(process.execPath, [resolve(root, script), ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  });
  return child.status ?? 1;
}

function add(suite, { passed, failed, notRun }) {
  total.passed += passed;
  total.failed += failed;
  if (failed > 0) problems.push(`${suite}: ${failed} failed`);
  if (notRun > 0) say(`not run: ${notRun} ${notRun === 1 ? 'test' : 'tests'} of the ${suite}`);
}

function runVitest() {
  const report = join(reports, 'vitest.json');
  const args = ['run', '--config', 'build/vitest.config.ts', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  add('unit and integration suite', countVitest(report, run('node_modules/vitest/vitest.mjs', args)));
}

function runPlaywright(suite, config) {
  const report = join(reports, `${config}.json`);
  const args = ['test', '--config', `build/${config}`, '--reporter=list,json'];
  const env = { PLAYWRIGHT_JSON_OUTPUT_NAME: report, PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  add(suite, countPlaywright(report, run('node_modules/@playwright/test/cli.js', args, env)));
}

function runElectron() {
  const electron = findElectron();
  if (electron.ok) runPlaywright('Electron suite', 'playwright.electron.config.ts');
  else say(`not run: Electron suite (${electron.reason}: ${electron.detail})`);
}

const { missing, reason } = ensureDebianPackages();
if (missing.length > 0) say(`missing packages: ${missing.join(' ')} (${reason}); tests that need them will fail`);
else if (reason) say(`packages were not checked: ${reason}`);

if (run('build/check.mjs', []) !== 0) problems.push('check failed');
if (await ensureBuild({ force: true })) {
  runVitest();
  runPlaywright('browser suite', 'playwright.config.ts');
  runElectron();
} else {
  problems.push('build failed, so no test was run');
}

rmSync(reports, { recursive: true, force: true });
if (total.passed + total.failed === 0 && problems.length === 0) problems.push('no tests were found');
for (const problem of problems) say(`failed: ${problem}`);
say(`tests: ${total.passed} passed, ${total.failed} failed`);
process.exitCode = problems.length === 0 ? 0 : 1;
