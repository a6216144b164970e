import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type KillablePlace, makeKillablePlace, reportOf } from '../support/killable';
import { countFrom, createRandom, seedFrom } from '../support/random';
import { box } from '../support/session';
import { ensureBuilt } from '../support/stood-in-app';
import { contentText } from '../support/tree';

const kills = countFrom('EBBGATE_KILLS', 20);
const seed = seedFrom('EBBGATE_KILL_SEED', 20);
const random = createRandom(seed);
const allow = ['--allow', 'first-session,mass-change,mass-delete'];

let place: KillablePlace;
beforeAll(async () => {
  await ensureBuilt();
  console.log(`kills: ${kills}, EBBGATE_KILL_SEED=${seed}`);
  place = await makeKillablePlace();
});
afterAll(() => place.tearDown());

type Files = ReadonlyMap<string, string>;

/** Text that says which file and version it is from, at every place where it could be cut. */
function content(path: string, version: number): string {
  const line = `${path} in version ${version}\n`;
  return line.repeat(1 + random.below(path.endsWith('.bin') ? 4000 : 60));
}

/** The next version of a tree: most files change, some go, new skills come. */
function nextTree(before: Files, version: number): Files {
  const next = new Map<string, string>();
  for (const [path, text] of before) {
    const what = random.next();
    if (what < 0.2) continue;
    next.set(path, what < 0.7 ? content(path, version) : text);
  }
  for (let count = 0; count < 5; count += 1) {
    const skill = `skills/skill-${random.below(12)}`;
    for (const name of ['SKILL.md', 'deep/er/notes.md', 'data.bin']) next.set(`${skill}/${name}`, content(`${skill}/${name}`, version));
  }
  return next;
}

async function bring(side: 'local' | 'remote', before: Files, after: Files): Promise<void> {
  for (const path of before.keys()) if (!after.has(path)) await place[side].remove(path);
  await place[side].write(Object.fromEntries([...after].filter(([path, text]) => before.get(path) !== text)));
}

const texts = (files: Files): Readonly<Record<string, string>> => {
  return Object.fromEntries([...files].map(([path, text]) => [path, contentText(text)]));
};

/** Every file is one of its two versions, where being absent is a version too. */
function expectOldOrNew(there: Readonly<Record<string, string>>, before: Files, after: Files, context: string): void {
  const old = texts(before);
  const wanted = texts(after);
  for (const path of new Set([...Object.keys(there), ...before.keys(), ...after.keys()])) {
    expect([old[path], wanted[path]], `${context}: ${path}`).toContainEqual(there[path]);
  }
}

const runs = {
  start: { sender: 'local', receiver: 'remote' },
  end: { sender: 'remote', receiver: 'local' },
} as const;

/** Kills one command so many times in a row, looks at what is there after each, and then lets it run to its end. */
async function killInARow(command: 'start' | 'end', before: Files, { round, times, usual }: Row): Promise<Files> {
  const { sender, receiver } = runs[command];
  const after = nextTree(before, round);
  await bring(sender, before, after);
  const moments: number[] = [];
  const context = () =>
    `round ${round}, session ${command} killed after ${moments.join(', then ')} of ${Math.round(usual)} ms, EBBGATE_KILL_SEED=${seed}`;
  for (let count = 0; count < times; count += 1) {
    const killAfter = Math.round(random.next() * usual);
    moments.push(killAfter);
    await place.cli(['session', command, box, ...allow], { killAfter });
    // First the remote's processes must end: one of them may still be tidying up what it staged.
    expect(await place.survivors(), context()).toEqual([]);
    expectOldOrNew(await place.contents(receiver), before, after, context());
    expect(await place.contents(sender), context()).toEqual(texts(after));
  }
  const again = await place.cli(['session', command, box, ...allow]);
  expect({ code: again.code, outcome: reportOf(again).outcome }, `${context()}: ${again.stdout} ${again.stderr}`).toEqual({
    code: 0,
    outcome: 'done',
  });
  expect(await place.contents(receiver), context()).toEqual(texts(after));
  expect(await place.contents(sender), context()).toEqual(texts(after));
  expect(await place.leftovers(), context()).toEqual([]);
  return after;
}

interface Row {
  readonly round: number;
  readonly times: number;
  /** Milliseconds that the command takes when nobody kills it. */
  readonly usual: number;
}

describe('a session that is killed at a random moment', () => {
  it(
    'leaves every file old or new, and the same command again completes',
    async () => {
      let files: Files = new Map();
      const durations = { start: 0, end: 0 };
      for (const command of ['start', 'end'] as const) {
        const next = nextTree(files, 0);
        await bring(runs[command].sender, files, next);
        const unkilled = await place.cli(['session', command, box, ...allow]);
        expect(unkilled.code, unkilled.stdout).toBe(0);
        durations[command] = unkilled.milliseconds;
        files = next;
      }
      for (let round = 1, done = 0; done < kills; round += 1) {
        const command = round % 2 === 0 ? 'start' : 'end';
        const times = Math.min(1 + random.below(3), kills - done);
        files = await killInARow(command, files, { round, times, usual: durations[command] });
        done += times;
      }
    },
    60_000 + kills * 30_000,
  );
});
