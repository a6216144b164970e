// Types and lint of the whole tree, in one go: `npm run check`.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const tsc = resolve(root, 'node_modules/typescript/bin/tsc');
const biome = resolve(root, 'node_modules/@biomejs/biome/bin/biome');

const steps = [
  ...['shared', 'electron', 'renderer', 'test', 'build'].map((folder) => ({ name: `types of ${folder}`, args: [tsc, '-p', folder] })),
  { name: 'lint and format', args: [biome, 'ci', '--max-diagnostics=50', ...(process.stdout.isTTY ? [] : ['--colors=off'])] },
];

const failed = steps.filter(({ args }) => spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status !== 0);

console.log(
  failed.length === 0
    ? `check: ${steps.length} of ${steps.length} steps passed`
    : `check: ${failed.length} of ${steps.length} steps failed: ${failed.map(({ name }) => name).join(', ')}`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
