import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

/** The suite runs the built window. EBBGATE_RENDERER_DIR names another build, which is then taken as it is. */
export default function setUp(): void {
  if (process.env.EBBGATE_RENDERER_DIR !== undefined) return;
  const script = resolve(import.meta.dirname, '../../build/ensure-build.mjs');
  const { status } = spawnSync(process.execPath, [script], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error('the build failed; see above');
}
