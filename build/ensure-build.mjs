// Builds when a source is newer than the output; `--force` always builds. Writes to stderr only: stdout belongs to the caller.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { isFresh, markBuilt } from './freshness.mjs';

const root = resolve(import.meta.dirname, '..');
const lock = resolve(root, 'out/.building');

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Two builds at once would empty each other's folders. The lock of a process that is gone is taken over. */
async function withLock(work) {
  mkdirSync(resolve(root, 'out'), { recursive: true });
  for (let attempt = 0; ; attempt += 1) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      let holder = 0;
      try {
        holder = Number(readFileSync(lock, 'utf8'));
      } catch {
        continue; // let go of in between
      }
      if (attempt > 1200) throw new Error(`another build (process ${holder}) does not end; remove out/.building if there is none`);
      if (holder > 0 && !isAlive(holder)) rmSync(lock, { force: true });
      else await wait(100);
    }
  }
  try {
    return work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function build() {
  const startedAt = new Date();
  const tool = resolve(root, 'node_modules/electron-vite/bin/electron-vite.js');
  const args = [tool, 'build', '--config', 'build/electron.vite.config.ts', '--logLevel', 'warn'];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (status === 0) markBuilt(startedAt);
  return status === 0;
}

/** Returns whether an up-to-date build is there. */
export async function ensureBuild({ force = false } = {}) {
  if (!force && isFresh()) return true;
  return withLock(() => (!force && isFresh()) || build());
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const ok = await ensureBuild({ force: process.argv.includes('--force') });
  process.stderr.write(ok ? 'build: up to date in out/\n' : 'build: failed\n');
  process.exitCode = ok ? 0 : 1;
}
