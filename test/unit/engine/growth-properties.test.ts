import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Tally } from '../../../shared/run-report';
import { detect, heldPaths, MB, planned } from './growth-plans';

const anyPath = fc
  .array(fc.constantFrom('web', 'notes', 'scripts', '.npm', 'a', 'b'), { minLength: 1, maxLength: 4 })
  .map((names) => `skills/${names.join('/')}`);
const anyFile = fc.record({
  folder: anyPath,
  bytes: fc.oneof(fc.integer({ min: 0, max: 5 * MB }), fc.integer({ min: 0, max: 60 * MB })),
  before: fc.option(fc.integer({ min: 0, max: 60 * MB })),
});
const anyPlan = fc
  .array(anyFile, { maxLength: 30 })
  .map((files) => files.map(({ folder, bytes, before }, index) => planned(`${folder}/file${index}`, bytes, before)));
const anyHistory = fc.array(
  fc.integer({ min: 0, max: 100 * MB }).map((bytes) => ({ files: 5, bytes })),
  { maxLength: 12 },
);
const anyHeld = fc.array(anyPath, { maxLength: 3 });

describe('detectGrowth, for any plan', () => {
  it('sorts every file into held, left or coming, and counts each once', () => {
    fc.assert(
      fc.property(anyPlan, anyHistory, anyHeld, (files, history, held) => {
        const verdict = detect(files, { usual: history, held: [...new Set(held)] });
        const sizes = new Map(files.map(({ path, bytes }) => [path, bytes]));
        const heldBytes = [...verdict.heldFiles.keys()].reduce((sum, path) => sum + (sizes.get(path) ?? Number.NaN), 0);
        expect(verdict.held.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(heldBytes);
        expect(verdict.held.reduce((sum, one) => sum + one.files, 0)).toBe(verdict.heldFiles.size);
        for (const [path, subtree] of verdict.heldFiles) expect(path === subtree || path.startsWith(`${subtree}/`)).toBe(true);
        expect(new Set(heldPaths(verdict)).size).toBe(verdict.held.length);
      }),
    );
  });

  it('leaves nothing that would be held by itself', () => {
    fc.assert(
      fc.property(anyPlan, anyHistory, (files, history) => {
        const { heldFiles } = detect(files, { usual: history });
        const rest = files.filter(({ path }) => !heldFiles.has(path));
        expect(heldPaths(detect(rest, { usual: history }))).toEqual([]);
      }),
    );
  });

  it('never holds less than nothing more: a file that is larger never lets everything come', () => {
    fc.assert(
      fc.property(anyPlan, anyHistory, fc.nat(), fc.integer({ min: 1, max: 50 * MB }), (files, history, at, more) => {
        fc.pre(files.length > 0);
        const larger = files.map((file, index) => (index === at % files.length ? { ...file, bytes: file.bytes + more } : file));
        const before = detect(files, { usual: history }).held.length > 0;
        expect(before && detect(larger, { usual: history }).held.length === 0).toBe(false);
      }),
    );
  });

  it('never holds what is below every floor after steady teardowns', () => {
    const small = fc
      .array(fc.record({ folder: anyPath, bytes: fc.integer({ min: 0, max: 600_000 }) }), { maxLength: 30 })
      .map((files) => files.map(({ folder, bytes }, index) => planned(`${folder}/file${index}`, bytes)));
    fc.assert(
      fc.property(small, fc.integer({ min: 0, max: 20 * MB }), fc.integer({ min: 0, max: 12 }), (files, bytes, count) => {
        const history = Array.from({ length: count }, () => ({ files: 5, bytes }));
        expect(detect(files, { usual: history })).toMatchObject({ held: [], alerts: [] });
      }),
    );
  });

  it('raises nothing in 20 normal teardowns, whatever their order', () => {
    const amounts = fc.array(fc.integer({ min: 0, max: 19 * MB }), { minLength: 20, maxLength: 20 });
    fc.assert(
      fc.property(amounts, (bytes) => {
        const history: Tally[] = [];
        for (const amount of bytes) {
          const verdict = detect([planned('skills/web/scripts/a', amount, amount)], { usual: history });
          expect(verdict.held).toEqual([]);
          history.unshift({ files: 1, bytes: amount });
        }
      }),
    );
  });
});
