// Preloaded with --import: 'electron' becomes the stand-in, and the test that started this process drives it.
import { register } from 'node:module';

const standIn = new URL('./electron-stand-in.mjs', import.meta.url).href;
const hook = `export async function resolve(name, context, next) {
  return name === 'electron' ? { url: ${JSON.stringify(standIn)}, shortCircuit: true } : next(name, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
