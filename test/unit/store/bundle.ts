import { join } from 'node:path';
import { build } from 'vite';

/** Bundles a program of this repository, with everything it needs, to one file that a plain Node process can run. */
export async function bundleProgram(source: string, outDir: string): Promise<string> {
  await build({
    configFile: false,
    logLevel: 'silent',
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: { input: source, output: { format: 'es', entryFileNames: 'program.mjs' } },
    },
  });
  return join(outDir, 'program.mjs');
}
