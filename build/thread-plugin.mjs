// `import source from './file?thread'`: the file with everything it imports as the text of one script, for
// `new Worker(source, { eval: true })`. A text works alike in the app's archive, in tests and in the benchmark.
import { build } from 'vite';

const suffix = '?thread';

/** @returns {import('vite').Plugin} */
export function threadScripts() {
  const scripts = new Map();
  return {
    name: 'ebbgate-thread',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (!source.endsWith(suffix)) return null;
      const found = await this.resolve(source.slice(0, -suffix.length), importer);
      return found === null ? null : `${found.id}${suffix}`;
    },
    async load(id) {
      if (!id.endsWith(suffix)) return null;
      const file = id.slice(0, -suffix.length);
      if (!scripts.has(file)) scripts.set(file, bundle(file));
      return `export default ${JSON.stringify(await scripts.get(file))};`;
    },
  };
}

async function bundle(file) {
  const output = { format: 'cjs' };
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    ssr: { noExternal: true },
    build: { ssr: true, write: false, minify: true, target: 'node20', rolldownOptions: { input: file, output } },
  });
  const [{ output: parts }] = [built].flat();
  return parts.map((part) => (part.type === 'chunk' ? part.code : '')).join('');
}
