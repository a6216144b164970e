import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildOutputs, buildSources, isFresh, markBuilt } from '../../../build/freshness.mjs';

const builtAt = new Date('2026-03-05T12:00:00Z');
const before = new Date('2026-03-05T11:00:00Z');
const after = new Date('2026-03-05T13:00:00Z');
let base = '';

function write(path, when) {
  const file = join(base, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, path);
  utimesSync(file, when, when);
}

/** Sets the time of the folders as well: creating a file has just changed it. */
function age(path, when) {
  utimesSync(join(base, path), when, when);
}

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'ebbgate-fresh-'));
  for (const source of buildSources) write(/\.\w+$/.test(source) ? source : `${source}/deep/file.ts`, before);
  for (const folder of ['electron', 'renderer', 'shared', 'build/icons']) {
    age(`${folder}/deep`, before);
    age(folder, before);
  }
  for (const output of buildOutputs) write(output, after);
  markBuilt(builtAt, base);
});

afterEach(() => rmSync(base, { recursive: true, force: true }));

describe('isFresh', () => {
  it('is true when nothing changed since the build began', () => {
    expect(isFresh(base)).toBe(true);
  });

  it('is false when a source changed, however deep', () => {
    write('renderer/deep/file.ts', after);
    expect(isFresh(base)).toBe(false);
  });

  it('is false when a source changed while the build ran', () => {
    write('package.json', new Date(builtAt.getTime() + 1000));
    expect(isFresh(base)).toBe(false);
  });

  it('is false when a source was removed', () => {
    rmSync(join(base, 'shared/deep/file.ts'));
    expect(isFresh(base)).toBe(false);
  });

  it.each(buildOutputs)('is false when %s is missing', (output) => {
    rmSync(join(base, output));
    expect(isFresh(base)).toBe(false);
  });

  it('is false when no build was completed', () => {
    rmSync(join(base, 'out'), { recursive: true });
    expect(isFresh(base)).toBe(false);
  });
});
