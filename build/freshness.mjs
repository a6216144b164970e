// Decides whether the built files are older than what they were built from.
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');

/** Everything a build reads. Folders count too: removing a file changes only its folder's time. */
export const buildSources = [
  'electron',
  'renderer',
  'shared',
  'build/electron.vite.config.ts',
  'build/icons',
  'build/thread-plugin.mjs',
  'package.json',
  'tsconfig.json',
];

/** What a complete build leaves behind. */
export const buildOutputs = [
  'out/main/index.js',
  'out/main/cli.js',
  'out/preload/index.cjs',
  'out/renderer/index.html',
  'out/icons/app/icon.ico',
];

const stampFile = 'out/.built';

function newestUnder(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return 0;
  if (!stat.isDirectory()) return stat.mtimeMs;
  return readdirSync(path).reduce((newest, name) => Math.max(newest, newestUnder(join(path, name))), stat.mtimeMs);
}

/** True when every output is there and no source changed since the last complete build began. */
export function isFresh(base = root) {
  const stamp = statSync(join(base, stampFile), { throwIfNoEntry: false });
  if (!stamp || !buildOutputs.every((output) => existsSync(join(base, output)))) return false;
  return buildSources.every((source) => newestUnder(join(base, source)) <= stamp.mtimeMs);
}

/** Records a complete build. `startedAt` is when it began, so that an edit made meanwhile makes it stale. */
export function markBuilt(startedAt, base = root) {
  mkdirSync(join(base, 'out'), { recursive: true });
  const file = join(base, stampFile);
  writeFileSync(file, '');
  utimesSync(file, startedAt, startedAt);
}
