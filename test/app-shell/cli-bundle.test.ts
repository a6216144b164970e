import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { ensureBuilt } from '../support/stood-in-app';

const program = resolve(import.meta.dirname, '../../out/main/cli.js');

/** Every module that a built file reaches, and every package those import. */
function reach(entry: string): { files: readonly string[]; packages: readonly string[] } {
  const files = new Set<string>();
  const packages = new Set<string>();
  const visit = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    for (const [, fixed, lazy] of readFileSync(file, 'utf8').matchAll(
      /^(?:import|export)\b[^'"]*["']([^"']+)["'];?$|\bimport\("([^"]+)"\)/gm,
    )) {
      const specifier = fixed ?? lazy ?? '';
      if (specifier.startsWith('.')) visit(join(dirname(file), specifier));
      else packages.add(specifier);
    }
  };
  visit(entry);
  return { files: [...files], packages: [...packages] };
}

beforeAll(ensureBuilt);

describe('the built command line', () => {
  it('can be started directly', () => {
    expect(readFileSync(program, 'utf8').split('\n')[0]).toBe('#!/usr/bin/env node');
    if (process.platform !== 'win32') expect(statSync(program).mode & 0o111).toBe(0o111);
  });

  it('reaches the whole application without Electron', () => {
    const { files, packages } = reach(program);
    expect(files.length).toBeGreaterThan(1);
    expect(packages).toContain('ssh2');
    expect(packages).not.toContain('electron');
  });

  it('shares the application with the main process, which does use Electron', () => {
    expect(reach(resolve(program, '../index.js')).packages).toEqual(expect.arrayContaining(['electron', 'ssh2']));
  });
});
