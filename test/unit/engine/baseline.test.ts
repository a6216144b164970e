import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Baseline,
  decodeBaseline,
  decodeMemories,
  encodeBaseline,
  encodeMemories,
  isRecorded,
  sameMemories,
  settlePending,
} from '../../../electron/engine/baseline';
import type { FileEntry } from '../../../electron/engine/entry';
import { DamagedFile } from '../../../electron/engine/sealed-file';
import { agreed, agreements, file, files } from './entries';

const anyPath = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }).filter((path) => path !== '__proto__');
const anyHash = fc.stringMatching(/^[0-9a-f]{64}$/);
const anyAgreed = fc.record({ hash: anyHash, size: fc.nat(), executable: fc.boolean() });
const anyBaseline: fc.Arbitrary<Baseline> = fc.record({
  identity: fc.record({ marker: fc.option(fc.string()), hostKey: fc.string(), home: fc.string() }),
  rules: fc.string(),
  entries: fc.array(fc.tuple(anyPath, anyAgreed)).map((entries) => new Map(entries)),
  pending: fc.option(
    fc.record({
      writes: fc.constantFrom('local' as const, 'remote' as const),
      entries: fc.array(fc.tuple(anyPath, fc.option(anyAgreed))).map((entries) => new Map(entries)),
    }),
  ),
});
const anyListed = fc.record({
  kind: fc.constantFrom('file' as const, 'link' as const, 'other' as const),
  size: fc.nat(),
  mtime: fc.integer(),
  executable: fc.option(fc.boolean()),
  hash: fc.option(anyHash),
  stamp: fc.string(),
});
const anyMemory = fc.option(
  fc.record({ token: fc.option(fc.string()), entries: fc.array(fc.tuple(anyPath, anyListed)).map((entries) => new Map(entries)) }),
);

const baseline: Baseline = {
  identity: { marker: 'm', hostKey: 'SHA256:x', home: '/home/u/.hermes' },
  rules: 'rules',
  entries: agreements({ 'skills/a/SKILL.md': 'A', 'skills/b.md': 'Bb' }),
  pending: null,
};

describe('an encoded file', () => {
  it('gives back the baseline that went in', () => {
    const property = fc.asyncProperty(anyBaseline, async (made) => {
      expect(await decodeBaseline(await encodeBaseline(made))).toEqual(made);
    });
    return fc.assert(property);
  });

  it('gives back the memories that went in', () => {
    const property = fc.asyncProperty(anyMemory, anyMemory, async (local, remote) => {
      expect(await decodeMemories(await encodeMemories({ local, remote }))).toEqual({ local, remote });
    });
    return fc.assert(property);
  });

  it('gives back more entries than a line holds, and lets others run meanwhile', async () => {
    const many = new Map(Array.from({ length: 5000 }, (_, index) => [`skills/${index}.md`, agreed(`content ${index}`)]));
    const whole = { ...baseline, entries: many };
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    });
    const bytes = await encodeBaseline(whole);
    expect(await decodeBaseline(bytes)).toEqual(whole);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(1);
  });

  it('is damaged wherever it is cut', async () => {
    const bytes = await encodeBaseline(baseline);
    for (let length = 0; length < bytes.length; length += 1) {
      await expect(decodeBaseline(bytes.subarray(0, length)), `cut to ${length} bytes`).rejects.toThrow(DamagedFile);
    }
  });

  it('is damaged when a byte of its content changed', async () => {
    const plain = gunzipSync(await encodeBaseline(baseline));
    const property = fc.asyncProperty(fc.nat(plain.length - 1), fc.integer({ min: 1, max: 255 }), async (at, by) => {
      const changed = Buffer.from(plain);
      changed[at] = (changed[at] ?? 0) ^ by;
      await expect(decodeBaseline(gzipSync(changed))).rejects.toThrow(DamagedFile);
    });
    await fc.assert(property);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('{"version":1}')],
    ['an empty archive', gzipSync('')],
    ['no head', gzipSync('[]\n[]')],
    ['a head of null', gzipSync('null\n[]')],
  ])('is damaged when it holds %s', async (_name, bytes) => {
    await expect(decodeBaseline(bytes)).rejects.toThrow(DamagedFile);
    await expect(decodeMemories(bytes)).rejects.toThrow(DamagedFile);
  });

  it('of a newer version is not read, and says so', async () => {
    const newer = gzipSync('{"version":9}\n{"something":"else"}');
    await expect(decodeBaseline(newer)).rejects.toThrow(new DamagedFile('format 9, not 2'));
  });

  it('with a wrong checksum says so', async () => {
    const text = gunzipSync(await encodeBaseline(baseline))
      .toString()
      .replace('skills/b.md', 'skills/c.md');
    await expect(decodeBaseline(gzipSync(text))).rejects.toThrow(new DamagedFile('its checksum does not match'));
  });
});

describe('settlePending', () => {
  const meant = new Map([
    ['skills/a/SKILL.md', agreed('Ccc')],
    ['skills/b.md', null],
    ['skills/new.md', agreed('new one')],
  ]);
  const unfinished: Baseline = { ...baseline, pending: { writes: 'local', entries: meant } };
  const none = new Map();
  const seen = (seenFiles: ReadonlyMap<string, FileEntry>, unknown: readonly string[] = []) => ({ files: seenFiles, unknown });

  it('agrees to nothing where the written side could not be read', () => {
    const hidden = files({ 'skills/a/SKILL.md': 'Ccc' });
    const settled = settlePending(unfinished, { local: seen(hidden, ['skills/b.md']), remote: seen(none) });
    expect(settled.entries.get('skills/b.md')).toEqual(baseline.entries.get('skills/b.md'));
    expect(settled.entries.get('skills/a/SKILL.md')).toEqual(agreed('Ccc'));
  });

  it('agrees to what the unrecorded run is found to have done, and to nothing else', () => {
    const half = files({ 'skills/a/SKILL.md': 'Ccc', 'skills/b.md': 'Bb', 'skills/new.md': 'of the user' });
    const settled = settlePending(unfinished, { local: seen(half), remote: seen(none) });
    expect(settled).toEqual({ ...baseline, entries: agreements({ 'skills/a/SKILL.md': 'Ccc', 'skills/b.md': 'Bb' }) });
  });

  it('agrees to removals, and looks at the written side only', () => {
    const done = files({ 'skills/a/SKILL.md': 'Ccc', 'skills/new.md': 'new one' });
    expect(settlePending(unfinished, { local: seen(done), remote: seen(none) }).entries).toEqual(
      agreements({ 'skills/a/SKILL.md': 'Ccc', 'skills/new.md': 'new one' }),
    );
    const elsewhere = files({ 'skills/a/SKILL.md': 'A', 'skills/b.md': 'Bb' });
    expect(settlePending(unfinished, { local: seen(elsewhere), remote: seen(done) }).entries).toEqual(baseline.entries);
  });

  it('takes another execute bit for another version', () => {
    const bit = new Map([
      ['skills/a/SKILL.md', file('Ccc', true)],
      ['skills/b.md', file('Bb')],
    ]);
    expect(settlePending(unfinished, { local: seen(bit), remote: seen(none) }).entries).toEqual(baseline.entries);
  });

  it('leaves a baseline alone that waits for nothing', () => {
    expect(settlePending(baseline, { local: seen(none), remote: seen(none) })).toBe(baseline);
  });
});

describe('a record that says the same already', () => {
  const recorded = (baseline: Baseline) => ({ kind: 'present' as const, baseline });
  const copyOf = (baseline: Baseline): Baseline => ({ ...baseline, entries: structuredClone(baseline.entries) });

  it('is known, whatever is in it, unless a run was left open', () => {
    fc.assert(
      fc.property(anyBaseline, (baseline) => {
        const settled = { ...baseline, pending: null };
        expect(isRecorded(recorded(copyOf(settled)), settled)).toBe(true);
        expect(isRecorded(recorded(settled), { ...settled, rules: `${settled.rules}!` })).toBe(false);
        expect(isRecorded(recorded(settled), { ...settled, identity: { ...settled.identity, home: `${settled.identity.home}!` } })).toBe(
          false,
        );
        if (baseline.pending !== null) expect(isRecorded(recorded(baseline), settled)).toBe(false);
        for (const [path, entry] of settled.entries) {
          const changed = new Map(settled.entries).set(path, { ...entry, executable: !entry.executable });
          expect(isRecorded(recorded(settled), { ...settled, entries: changed })).toBe(false);
          const fewer = new Map(settled.entries);
          fewer.delete(path);
          expect(isRecorded(recorded(settled), { ...settled, entries: fewer })).toBe(false);
        }
      }),
    );
    expect(
      isRecorded({ kind: 'none' }, { identity: { marker: null, hostKey: '', home: '' }, rules: '', entries: new Map(), pending: null }),
    ).toBe(false);
  });

  it('holds for memories, entry by entry', () => {
    const entry = { kind: 'file', size: 1, mtime: 2, executable: true, hash: 'a', stamp: 's' } as const;
    const memory = (changes: object = {}, token: string | null = 't') => ({
      local: null,
      remote: { token, entries: new Map([['skills/a', { ...entry, ...changes }]]) },
    });
    expect(sameMemories(memory(), memory())).toBe(true);
    const others = [memory({ hash: 'b' }), memory({ stamp: '' }), memory({ mtime: 3 }), memory({ executable: null }), memory({}, 'other')];
    expect(others.filter((other) => sameMemories(memory(), other))).toEqual([]);
    expect(sameMemories(memory(), { local: null, remote: null })).toBe(false);
  });
});
