import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

/** What a file loads before it does anything, with everything these load. */
function loadedBy(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const source = readFileSync(file, 'utf8');
  for (const [, clause, name] of source.matchAll(/^(?:import|export)\s([^;]*?)from '([^']+)';/gms)) {
    if (name === undefined || clause?.startsWith('type ')) continue;
    if (!name.startsWith('.') || /\?(raw|thread)$/.test(name)) seen.add(name);
    else loadedBy(`${resolve(dirname(file), name)}.ts`, seen);
  }
  return seen;
}

describe('the command line', () => {
  it('loads nothing heavy before a command asks for it', () => {
    const root = resolve(import.meta.dirname, '../../..');
    const entry = join(root, 'electron/cli/main.ts');
    expect(existsSync(entry)).toBe(true);
    const packages = [...loadedBy(entry)].filter((name) => !name.startsWith('/') && !name.startsWith('node:'));
    expect(packages.sort()).toEqual(['commander', 'env-paths']);
  });

  it('gets an application that loads what connects and archives with its first run', () => {
    const root = resolve(import.meta.dirname, '../../..');
    const loaded = loadedBy(join(root, 'electron/compose.ts'));
    expect([loaded.has('zod'), loaded.has('ssh2'), loaded.has('tar')]).toEqual([true, false, false]);
  });
});
