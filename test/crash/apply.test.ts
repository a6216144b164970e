import { describe, expect, it } from 'vitest';
import type { Fault } from '../support/faulty-disk';
import { contentsOf } from '../support/tree';
import { CrashPlace, groups, newContents, oldTree, removedPaths } from './crash-place';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (value as { readonly text: string }).text);
const oldTexts = Object.fromEntries(Object.entries(oldTree).map(([path, value]) => [path, textOf(value)]));
const allNew: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({ ...oldTexts, ...newContents }).filter(([path]) => !removedPaths.includes(path)),
);

/** Every group is wholly old or wholly new, and nothing else changed. */
function expectWholeGroups(texts: Readonly<Record<string, string>>, context: string): void {
  for (const paths of groups) {
    const now = paths.map((path) => texts[path] ?? null);
    const choices = [paths.map((path) => oldTexts[path] ?? null), paths.map((path) => allNew[path] ?? null)];
    expect(choices, `${context}: ${paths[0]}`).toContainEqual(now);
  }
  const known = new Set([...groups.flat(), 'skills/b/stays.md']);
  expect(
    Object.keys(texts).filter((path) => !known.has(path)),
    context,
  ).toEqual([]);
  expect(texts['skills/b/stays.md'], context).toBe('not touched by anything');
}

/** No old content is gone from the tree, the staging and the undo folder. */
async function expectNothingLost(place: CrashPlace, context: string): Promise<void> {
  const everything = await place.everything();
  expect(
    Object.values(oldTexts).filter((text) => !everything.has(text)),
    context,
  ).toEqual([]);
}

/** The batch again, as the next sync-back would do it, in a run of its own. */
async function expectConverges(place: CrashPlace, context: string): Promise<void> {
  const next = await place.nextRun();
  await next.apply(null);
  expect(await place.texts(), context).toEqual(allNew);
}

async function operationsOf(): Promise<number> {
  const place = await CrashPlace.make();
  const { operations, result } = await place.apply(null);
  expect(Object.values(result as object).every((outcome) => outcome === true)).toBe(true);
  expect(await place.texts()).toEqual(allNew);
  await place.tearDown();
  return operations.length;
}

async function forEachFault(kind: Omit<Fault, 'at'>, check: (place: CrashPlace, context: string) => Promise<void>): Promise<number> {
  const count = await operationsOf();
  for (let at = 0; at < count; at += 1) {
    const place = await CrashPlace.make();
    const { operations, hasFailed } = await place.apply({ ...kind, at });
    const context = `operation ${at}, ${operations[at]?.name} ${operations[at]?.argument}`;
    expect(hasFailed, context).toBe(true);
    await check(place, context);
    await place.tearDown();
  }
  return count;
}

describe('an apply that is cut short', () => {
  for (const when of ['before', 'after'] as const) {
    it(`leaves whole groups when an operation fails ${when} its work, and the process goes on`, async () => {
      await forEachFault({ when }, async (place, context) => {
        await expectNothingLost(place, context);
        expectWholeGroups(await place.texts(), context);
        const before = await place.everything();
        await place.recover();
        expectWholeGroups(await place.texts(), `${context}, recovered`);
        expect([...before].filter((text) => Object.values(oldTexts).includes(text)).length, context).toBeGreaterThan(0);
        await expectConverges(place, context);
      });
    });

    it(`is finished or undone when the process is gone ${when} any operation`, async () => {
      const count = await forEachFault({ when, gone: true }, async (place, context) => {
        await expectNothingLost(place, context);
        const { recovered } = await place.recover();
        await expectNothingLost(place, `${context}, recovered`);
        const texts = await place.texts();
        expectWholeGroups(texts, context);
        expect(await place.leftovers(), context).toEqual([]);
        // It says what is in place, no more and no less.
        const said = recovered?.saved.changes.map(({ path }) => path).sort() ?? [];
        const changed = groups.flat().filter((path) => (texts[path] ?? null) !== (oldTexts[path] ?? null));
        expect(said, context).toEqual(changed.sort());
        expect(recovered === null || (recovered.isComplete && recovered.left.size === 0), context).toBe(true);

        const images = await place.images();
        const again = await place.recover();
        expect(await place.images(), `${context}, recovered twice`).toEqual(images);
        expect(again.recovered?.saved.changes.map(({ path }) => path).sort() ?? [], context).toEqual(said);
        await expectConverges(place, context);
      });
      expect(count).toBeGreaterThan(40);
    });
  }

  it('is finished or undone by a second recovery when the first one is cut short anywhere', async () => {
    const count = await operationsOf();
    let cuts = 0;
    // An odd step meets every kind of operation, and both ways of being cut short.
    for (let at = 0; at < count; at += 3) {
      for (let cut = 0, more = true; more; cut += 1) {
        const place = await CrashPlace.make();
        await place.apply({ when: 'after', gone: true, at });
        const { operations } = await place.recover({ when: (at + cut) % 2 === 0 ? 'before' : 'after', gone: true, at: cut });
        more = operations > cut;
        const context = `operation ${at}, recovery cut at ${cut}`;
        await expectNothingLost(place, context);
        await place.recover();
        await expectNothingLost(place, `${context}, recovered`);
        expectWholeGroups(await place.texts(), context);
        await place.tearDown();
        if (more) cuts += 1;
      }
    }
    expect(cuts).toBeGreaterThan(20);
  });
});

describe('recovery', () => {
  const crashIn = (path: string) => ({
    when: 'after' as const,
    gone: true,
    at: ({ name, argument }: { readonly name: string; readonly argument: string }) => name === 'look' && argument === path && placed(path),
  });
  let seen = new Map<string, number>();
  const placed = (path: string): boolean => {
    seen.set(path, (seen.get(path) ?? 0) + 1);
    // Checked, prepared, saved, checked again, placed.
    return seen.get(path) === 5;
  };

  /** Of the groups that save their old content together with the first one. */
  const savedTogether = ['skills/b/SKILL.md', 'skills/b/more.md', 'skills/lone.md'];
  const newOnes = Object.fromEntries(savedTogether.map((path) => [path, allNew[path]]));

  it('finishes a group whose remaining files are as they were', async () => {
    seen = new Map();
    const place = await CrashPlace.make();
    await place.apply(crashIn('skills/a/SKILL.md'));
    const { recovered } = await place.recover();
    expect(recovered?.finished).toEqual(['skills/a/run.sh', 'skills/a/deep/er/new.md', 'skills/a/sub/gone.md', ...savedTogether]);
    expectWholeGroups(await place.texts(), 'finished');
    await place.tearDown();
  });

  it('puts a group back when a remaining file was changed by the user, and leaves that file', async () => {
    seen = new Map();
    const place = await CrashPlace.make();
    await place.apply(crashIn('skills/a/SKILL.md'));
    await place.edit('skills/a/run.sh', 'saved by the user after the crash');
    const { recovered } = await place.recover();
    expect(recovered).toMatchObject({ finished: savedTogether, isComplete: true });
    expect(recovered?.undone).toContain('skills/a/SKILL.md');
    expect(await place.texts()).toEqual({ ...oldTexts, ...newOnes, 'skills/a/run.sh': 'saved by the user after the crash' });
    await place.tearDown();
  });

  it('never writes over a placed file that the user changed, and says so', async () => {
    seen = new Map();
    const place = await CrashPlace.make();
    await place.apply(crashIn('skills/a/SKILL.md'));
    await place.edit('skills/a/run.sh', 'saved by the user after the crash');
    await place.edit('skills/a/SKILL.md', 'saved too, over the new text');
    const { recovered } = await place.recover();
    expect([...(recovered?.left ?? [])]).toEqual([
      ['skills/a/SKILL.md', 'it changed here meanwhile and was left alone; what was there before is in the undo store'],
      ['skills/a/run.sh', 'it changed here meanwhile and was left alone; what was there before is in the undo store'],
    ]);
    expect(await place.texts()).toMatchObject({
      'skills/a/SKILL.md': 'saved too, over the new text',
      'skills/a/run.sh': 'saved by the user after the crash',
    });
    await expectNothingLost(place, 'left alone');
    await place.tearDown();
  });

  it('finishes an undo whole, wherever it was cut short after its plan', async () => {
    const count = await operationsOf();
    let whole = 0;
    for (let at = 0; at < count; at += 1) {
      const place = await CrashPlace.make();
      await place.apply({ when: 'after', gone: true, at });
      await place.recover(null, true);
      const context = `operation ${at}`;
      if (place.journal.includes('"plan"')) {
        expect(await place.texts(), context).toEqual(allNew);
        whole += 1;
      } else expect(await place.texts(), context).toEqual(oldTexts);
      await expectNothingLost(place, context);
      await place.tearDown();
    }
    expect(whole).toBeGreaterThan(20);
  });

  it('does nothing with a journal that has no plan or is over', async () => {
    const place = await CrashPlace.make();
    await place.apply({ when: 'before', gone: true, at: ({ name, argument }) => name === 'journal' && argument.includes('"plan"') });
    const images = await place.images();
    expect((await place.recover()).recovered?.saved.changes).toEqual([]);
    expect(await place.images()).toEqual(images);
    expect(contentsOf(images)).toMatchObject({ 'skills/lone.md': 'old lone file' });
    await place.tearDown();
  });
});
