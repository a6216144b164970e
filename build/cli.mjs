// The command line from a working copy: builds when needed, then runs the built program in this process.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuild } from './ensure-build.mjs';

const program = resolve(import.meta.dirname, '../out/main/cli.js');

/** Runs the built command line with these arguments, as if it had been started directly. */
export async function runCli(args) {
  process.argv = [process.execPath, program, ...args];
  await import(pathToFileURL(program).href);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (await ensureBuild()) await runCli(process.argv.slice(2));
  else {
    process.stderr.write('The command line could not be built. Nothing was done. See the messages above.\n');
    process.exitCode = 1;
  }
}
