import { existsSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { countFrom, seedFrom } from '../support/random';
import { anyHistory, type History } from './commands';
import { World } from './world';

const runs = countFrom('EBBGATE_MODEL_RUNS', 100);
/** The same histories at every run; other seeds are for exploring. */
const seed = seedFrom('EBBGATE_MODEL_SEED', 20_261_130);
/** A history as a failure prints it, to be lived once more. */
const replay = process.env.EBBGATE_MODEL_HISTORY === undefined ? undefined : (JSON.parse(process.env.EBBGATE_MODEL_HISTORY) as History);
const memoryDisk = '/dev/shm';
const usual = process.env.TMPDIR;

beforeAll(() => {
  // Thousands of flushes; nothing here asks what a power cut leaves.
  if (existsSync(memoryDisk)) process.env.TMPDIR = memoryDisk;
});
afterAll(() => {
  if (usual === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = usual;
});

let steps = 0;

async function live({ options, commands }: History): Promise<void> {
  const world = await World.make(options);
  try {
    for (const command of commands) await world.carryOut(command);
    await world.converge();
  } finally {
    steps += world.steps;
    await world.place.tearDown();
  }
}

describe('two homes under everything at once', () => {
  it(
    'lose no edit, change nothing without a reason, and come to the same once all is decided',
    async () => {
      console.log(`model: ${runs} histories, EBBGATE_MODEL_SEED=${seed}`);
      await fc.assert(
        fc.asyncProperty(anyHistory, live),
        replay === undefined
          ? { seed, numRuns: runs, interruptAfterTimeLimit: 60_000 + runs * 2000 }
          : { examples: [[replay]], numRuns: 1 },
      );
      console.log(`model: ${steps} steps`);
    },
    600_000 + runs * 10_000,
  );
});
