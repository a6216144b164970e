import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AgreedEntry, type EnginePath, type FileEntry, isWithin, sameContent } from '../../../electron/engine/entry';
import { type Decision, type Direction, reconcile } from '../../../electron/engine/reconcile';
import { agreed, file, noDecisions, plainRules } from './entries';

const plainPaths = ['skills/a/SKILL.md', 'skills/a/b/x.md', 'skills/a.md', 'skills/n/SKILL.md', 'skills/n/y.sh', 'skills/z.md'];
const guardedPaths = ['skills/.usage.json', 'skills/_org/x.md'];
const anyContent = fc.constantFrom('A', 'Bb', 'Ccc');
const sideOf = (paths: readonly string[]) =>
  fc.boolean().chain((hasBits) =>
    fc.record({
      hasBits: fc.constant(hasBits),
      files: fc.dictionary(
        fc.constantFrom(...paths),
        fc.tuple(anyContent, hasBits ? fc.boolean() : fc.constant(null)).map(([content, bit]) => file(content, bit)),
      ),
    }),
  );
const worldOf = (paths: readonly string[]) =>
  fc.record({
    baseline: fc.dictionary(
      fc.constantFrom(...paths),
      fc.tuple(anyContent, fc.boolean()).map(([content, bit]) => agreed(content, bit)),
    ),
    local: sideOf(paths),
    remote: sideOf(paths),
  });
const anyBlocked = fc.subarray(['skills/a', 'skills/a.md', 'skills/n/y.sh', 'skills/_org', 'skills/z.md/below']);

interface Side {
  readonly hasBits: boolean;
  readonly files: Map<EnginePath, FileEntry>;
}
interface World {
  readonly baseline: Map<EnginePath, AgreedEntry>;
  readonly local: Side;
  readonly remote: Side;
}

/** A world of its own, to be changed. */
function living(world: typeof anyWorld extends fc.Arbitrary<infer W> ? W : never): World {
  const side = ({ hasBits, files }: typeof world.local): Side => ({ hasBits, files: new Map(Object.entries(files)) });
  return { baseline: new Map(Object.entries(world.baseline)), local: side(world.local), remote: side(world.remote) };
}
const anyWorld = worldOf([...plainPaths, ...guardedPaths]);
const plainWorld = worldOf(plainPaths);

const sides = ({ local, remote }: World, direction: Direction) =>
  direction === 'push' ? { receiver: remote, sender: local } : { receiver: local, sender: remote };

function decisionsOf(world: World, direction: Direction, blocked: readonly EnginePath[] = []): readonly Decision[] {
  const { receiver, sender } = sides(world, direction);
  const { baseline } = world;
  const deciding = reconcile({
    direction,
    baseline,
    receiver: receiver.files,
    sender: sender.files,
    blocked,
    rules: plainRules,
    newSkills: 'bring',
    decided: noDecisions,
  });
  return [...deciding];
}

/** Does what the decisions say, on maps. */
function carryOut(world: World, direction: Direction): readonly Decision[] {
  const { receiver } = sides(world, direction);
  const decisions = decisionsOf(world, direction);
  for (const decision of decisions) {
    const { path } = decision;
    if (decision.kind === 'write') {
      const executable = receiver.hasBits
        ? (decision.entry.executable ?? receiver.files.get(path)?.executable ?? world.baseline.get(path)?.executable ?? false)
        : null;
      receiver.files.set(path, { ...decision.entry, executable });
    }
    if (decision.kind === 'remove') receiver.files.delete(path);
    if (decision.kind === 'remove' || decision.kind === 'drop') world.baseline.delete(path);
    if (decision.kind === 'write' || decision.kind === 'adopt') {
      const executable = world.local.files.get(path)?.executable ?? world.remote.files.get(path)?.executable ?? false;
      world.baseline.set(path, { ...decision.entry, executable: decision.entry.executable ?? executable });
    }
  }
  return decisions;
}

const anyDirection = fc.constantFrom<Direction>('push', 'sync-back');

describe('the decisions of a run', () => {
  it('are one for each path that is not blocked, and none for the others', () => {
    const property = fc.property(anyWorld, anyDirection, anyBlocked, (made, direction, blocked) => {
      const world = living(made);
      const known = new Set([...world.baseline.keys(), ...world.local.files.keys(), ...world.remote.files.keys()]);
      const expected = [...known].filter((path) => !blocked.some((prefix) => isWithin(path, prefix)));
      const paths = decisionsOf(world, direction, blocked).map(({ path }) => path);
      expect(paths.sort()).toEqual(expected.sort());
    });
    fc.assert(property);
  });

  it('remove and replace only what is as last agreed', () => {
    const property = fc.property(anyWorld, anyDirection, (made, direction) => {
      const world = living(made);
      const { receiver, sender } = sides(world, direction);
      for (const decision of decisionsOf(world, direction)) {
        if (decision.kind !== 'remove' && decision.kind !== 'write') continue;
        const there = receiver.files.get(decision.path);
        const base = world.baseline.get(decision.path);
        if (decision.kind === 'remove')
          expect([there !== undefined, base !== undefined, sender.files.has(decision.path)]).toEqual([true, true, false]);
        if (there !== undefined) expect(base !== undefined && sameContent(there, base)).toBe(true);
      }
    });
    fc.assert(property);
  });

  it('call the same paths conflicts in both directions', () => {
    const conflicts = (world: World, direction: Direction) =>
      decisionsOf(world, direction)
        .flatMap((decision) => (decision.kind === 'wait' && decision.why === 'conflict' ? [decision.path] : []))
        .sort();
    const property = fc.property(plainWorld, (made) => {
      expect(conflicts(living(made), 'push')).toEqual(conflicts(living(made), 'sync-back'));
    });
    fc.assert(property);
  });

  it('never write or remove a guarded file at home', () => {
    const property = fc.property(anyWorld, (made) => {
      const touched = decisionsOf(living(made), 'sync-back').filter(({ kind }) => kind === 'write' || kind === 'remove');
      expect(touched.filter(({ path }) => guardedPaths.includes(path))).toEqual([]);
    });
    fc.assert(property);
  });
});

describe('a push and a sync-back', () => {
  it('leave both sides and the baseline the same where nothing waits, and then there is nothing to do', () => {
    const property = fc.property(plainWorld, (made) => {
      const world = living(made);
      const decisions = [...carryOut(world, 'push'), ...carryOut(world, 'sync-back')];
      const waiting = new Set(decisions.filter(({ kind }) => kind === 'wait').map(({ path }) => path));
      for (const path of plainPaths.filter((one) => !waiting.has(one))) {
        const [local, remote, base] = [world.local.files.get(path), world.remote.files.get(path), world.baseline.get(path)];
        expect([local?.hash, local?.size, base?.size]).toEqual([base?.hash, base?.size, remote?.size]);
        expect(remote?.hash).toBe(base?.hash);
        if (local !== undefined && remote !== undefined) expect(sameContent(local, remote)).toBe(true);
      }
      const again = [...carryOut(world, 'push'), ...carryOut(world, 'sync-back')].filter(({ path }) => !waiting.has(path));
      expect(again.filter(({ kind }) => kind !== 'unchanged')).toEqual([]);
    });
    fc.assert(property);
  });

  it('never lose content that differs from what was agreed', () => {
    const property = fc.property(anyWorld, fc.boolean(), (made, pushFirst) => {
      const world = living(made);
      const before = living(made);
      for (const direction of pushFirst ? (['push', 'sync-back'] as const) : (['sync-back', 'push'] as const)) carryOut(world, direction);
      for (const side of [before.local, before.remote]) {
        for (const [path, { hash }] of side.files) {
          if (hash === before.baseline.get(path)?.hash) continue;
          expect([world.local.files.get(path)?.hash, world.remote.files.get(path)?.hash]).toContain(hash);
        }
      }
    });
    fc.assert(property);
  });
});
