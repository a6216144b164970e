// `npm run bench`: bundles the benchmark with the product and runs it. Flags: see test/bench/main.ts.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { build } from 'vite';
import { threadScripts } from './thread-plugin.mjs';

const root = resolve(import.meta.dirname, '..');
// One folder for each run, so that two can go on at once.
const outDir = resolve(root, `out/bench/${process.pid}`);
const programs = ['main', 'product', 'relay', 'sftp-walk'];

await build({
  root,
  configFile: false,
  logLevel: 'warn',
  plugins: [threadScripts()],
  build: {
    ssr: true,
    outDir,
    emptyOutDir: true,
    target: 'node20',
    rolldownOptions: {
      input: Object.fromEntries(programs.map((name) => [name, resolve(root, `test/bench/${name}.ts`)])),
      output: { format: 'es', entryFileNames: '[name].js' },
    },
  },
});
const { status } = spawnSync(process.execPath, [resolve(outDir, 'main.js'), ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
rmSync(outDir, { recursive: true, force: true });
process.exitCode = status ?? 1;
