import { afterEach, describe, expect, it } from 'vitest';
import { runRecords } from '../../electron/app/run-records';
import { ModelPlace } from '../support/model';
import type { Kill } from '../support/mortal';
import { contentsOf, sha256 } from '../support/tree';

type Files = Readonly<Record<string, string>>;

const old: Files = {
  'skills/a/SKILL.md': 'old a\n',
  'skills/a/notes.md': 'old notes of a\n',
  'skills/b/SKILL.md': 'old text of b\n',
  'skills/gone.md': 'goes away in the run\n',
};
const wanted: Files = {
  'skills/a/SKILL.md': 'newer text of a\n',
  'skills/a/notes.md': 'old notes of a\n',
  'skills/a/deep/run.sh': 'a new script of a\n',
  'skills/b/SKILL.md': 'newer text of b\n',
  'skills/c/SKILL.md': 'a whole new skill\n',
};
const always: Files = { 'skills/here/SKILL.md': 'here from the start\n', 'skills/there/SKILL.md': 'there from the start\n' };

const directions = { 'sync-back': { sender: 'remote', receiver: 'local' }, push: { sender: 'local', receiver: 'remote' } } as const;
type Direction = keyof typeof directions;

let place: ModelPlace;
afterEach(() => place.tearDown());

const run = (direction: Direction) =>
  place.app.runs.run(place.app.connection, { direction, allow: ['first-session', 'mass-change', 'mass-delete'], dryRun: false });
const contents = async (side: 'local' | 'remote'): Promise<Files> => {
  const all = Object.entries(contentsOf(await place[side].read()));
  return Object.fromEntries(all.filter(([path]) => !path.startsWith('.ebbgate')));
};

/** Both sides agree on the old files, and then the sender has the new ones. */
async function arrange(direction: Direction): Promise<void> {
  place = await ModelPlace.make({ newSkills: 'bring', executableBits: true });
  await place.local.write(old);
  expect((await run('push')).outcome).toBe('done');
  expect((await run('sync-back')).outcome).toBe('done');
  const sender = place[directions[direction].sender];
  for (const path of Object.keys(old)) if (!(path in wanted)) await sender.remove(path);
  await sender.write(wanted);
}

/** Hashes of what both sides agreed on, by path, as the next run would find them; pending entries apart. */
async function agreed() {
  const found = await runRecords(place.dataDir, place.now).baseline(place.app.connection.id);
  if (found.kind !== 'present') throw new Error(`the baseline is ${found.kind}`);
  return new Map([...found.baseline.entries].map(([path, { hash }]) => [path, hash]));
}

/** Every path is agreed on as it was, or as the receiver has it now. */
async function expectTrueBaseline(receiver: Files, context: string): Promise<void> {
  const entries = await agreed();
  for (const path of new Set([...Object.keys(old), ...Object.keys(wanted)])) {
    const hashOf = (text: string | undefined) => (text === undefined ? undefined : sha256(text));
    expect([hashOf(old[path]), hashOf(receiver[path])], `${context}: ${path}`).toContain(entries.get(path));
  }
}

function expectOldOrNew(there: Files, context: string): void {
  for (const path of new Set([...Object.keys(there), ...Object.keys(old)])) {
    expect([{ ...old, ...always }[path], { ...wanted, ...always }[path]], `${context}: ${path}`).toContain(there[path]);
  }
}

/** Kills one run at the given effect; false when it ended before. */
async function killAt(direction: Direction, kill: Kill): Promise<boolean> {
  const { sender, receiver } = directions[direction];
  const context = `${direction} killed ${kill.when} effect ${kill.at}`;
  await arrange(direction);
  place.app.mortal.arm(kill);
  await run(direction).catch(() => undefined);
  const wasKilled = place.app.mortal.isGone;
  expectOldOrNew(await contents(receiver), context);
  expect(await contents(sender), context).toEqual({ ...wanted, ...always });
  await place.restart();
  const recovered = await contents(receiver);
  expectOldOrNew(recovered, `${context}, recovered`);
  await expectTrueBaseline(recovered, context);
  await place.restart();
  expect(await contents(receiver), `${context}, recovered twice`).toEqual(recovered);
  expect((await run(direction)).outcome, context).toBe('done');
  for (const side of ['local', 'remote'] as const) expect(await contents(side), context).toEqual({ ...wanted, ...always });
  expect(await agreed(), context).toEqual(new Map(Object.entries({ ...wanted, ...always }).map(([path, text]) => [path, sha256(text)])));
  return wasKilled;
}

describe('a run whose process is killed', { timeout: 300_000 }, () => {
  for (const direction of ['sync-back', 'push'] as const) {
    for (const when of ['before', 'after'] as const) {
      it(`${when} any effect of a ${direction} agrees on nothing that does not hold, and the same again completes`, async () => {
        let kills = 0;
        for (let at = 1; await killAt(direction, { at, when }); at += 1) {
          kills += 1;
          await place.tearDown();
        }
        expect(kills).toBeGreaterThan(direction === 'push' ? 8 : 25);
      });
    }
  }
});
