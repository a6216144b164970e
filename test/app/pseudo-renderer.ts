import { mkdirSync, mkdtempSync } from 'node:fs';
import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { build, type Plugin } from 'vite';

const root = resolve(import.meta.dirname, '../..');
const pseudoLocale = resolve(root, 'test/support/pseudo-locale.ts');

/** English, but every word longer and with accents: whatever is cut off then would be cut off in some language. */
function pseudoEnglish(): Plugin {
  return {
    name: 'ebbgate-pseudo-locale',
    enforce: 'pre',
    transform(code, id) {
      if (!/[\\/]locales[\\/]en\.ts$/.test(id)) return null;
      const plain = code.replace('export const en =', 'const plain =').replace('typeof en;', 'typeof plain;');
      return `import { lengthen } from ${JSON.stringify(pseudoLocale)};\n${plain}\nexport const en = lengthen(plain);\n`;
    },
  };
}

/** Builds the window with the pseudo-locale in place of English, for tests alone. Returns its folder. */
export async function buildPseudoRenderer(): Promise<string> {
  mkdirSync(resolve(root, 'test-results'), { recursive: true });
  const outDir = mkdtempSync(resolve(root, 'test-results/pseudo-'));
  await build({
    ...{ root: resolve(root, 'renderer'), configFile: false, logLevel: 'error', plugins: [pseudoEnglish(), react()] },
    build: { outDir, emptyOutDir: true, rolldownOptions: { input: resolve(root, 'renderer/index.html') } },
  });
  return outDir;
}
