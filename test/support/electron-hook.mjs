// Runs a built main process (the first argument) with 'electron' replaced by the stand-in, driven by the test that forked it.
import { register } from 'node:module';
import { pathToFileURL } from 'node:url';

const standIn = new URL('./electron-stand-in.mjs', import.meta.url).href;
const hook = `export async function resolve(name, context, next) {
  return name === 'electron' ? { url: ${JSON.stringify(standIn)}, shortCircuit: true } : next(name, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);

// Electron becomes ready only after its entry module has run to the end; the stand-in waits for the same.
globalThis.entryHasRun = import(pathToFileURL(process.argv[2]).href);
