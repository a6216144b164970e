import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { takeOwnerLock } from '../../../electron/store/owner-lock';
import { isAppError } from '../../../shared/errors';
import { bundleProgram } from './bundle';

const programs = mkdtempSync(join(tmpdir(), 'ebbgate-lock-program-'));
let program: string;
let folder: string;
const takers: ChildProcess[] = [];

beforeAll(async () => {
  program = await bundleProgram(join(import.meta.dirname, 'lock-taker.ts'), programs);
});
afterAll(() => rmSync(programs, { recursive: true, force: true }));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ebbgate-lock-'));
});
afterEach(() => {
  for (const taker of takers.splice(0)) taker.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

interface Taker {
  readonly process: ChildProcess;
  readonly go: () => void;
  readonly verdict: Promise<string>;
}

async function startTaker(): Promise<Taker> {
  const child = spawn(process.execPath, [program, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  takers.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  const verdict = lines.next().then(({ value }) => String(value));
  return { process: child, go: () => child.stdin.write('go\n'), verdict };
}

async function killed(taker: Taker): Promise<void> {
  const gone = once(taker.process, 'exit');
  taker.process.kill('SIGKILL');
  await gone;
}

function lockText(): string {
  return readFileSync(join(folder, 'owner.lock'), 'utf8');
}

describe('takeOwnerLock', () => {
  it('is refused while another live process has it, naming that process', async () => {
    const taker = await startTaker();
    taker.go();
    expect(await taker.verdict).toBe('won');
    const error = await takeOwnerLock(folder).catch((caught: unknown) => caught);
    expect(isAppError(error, 'store.busy') && error.details).toEqual({ dataDir: folder, pid: taker.process.pid });
  });

  it('is refused twice in one process, and free again after release', async () => {
    const lock = await takeOwnerLock(folder);
    await expect(takeOwnerLock(folder)).rejects.toMatchObject({ code: 'store.busy' });
    await lock.release();
    await lock.release();
    expect(readdirSync(folder)).toEqual([]);
    await (await takeOwnerLock(folder)).release();
  });

  it('takes over from a process that was killed', async () => {
    const taker = await startTaker();
    taker.go();
    await taker.verdict;
    await killed(taker);
    expect(lockText()).toContain(`"pid":${taker.process.pid}`);
    const lock = await takeOwnerLock(folder);
    expect(lockText()).toContain(`"pid":${process.pid},`);
    await lock.release();
  });

  it('takes over when the number belongs to a later process', async () => {
    writeFileSync(join(folder, 'owner.lock'), JSON.stringify({ pid: process.pid, start: 'another boot:1', nonce: 'aa' }));
    const lock = await takeOwnerLock(folder);
    await lock.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ['empty', ''],
    ['cut before the process number is complete', '{"pid":12'],
    ['no JSON', 'garbage'],
  ])('takes over from a lock that is %s', async (_, text) => {
    writeFileSync(join(folder, 'owner.lock'), text);
    await (await takeOwnerLock(folder)).release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('respects a cut lock that still names a live process', async () => {
    writeFileSync(join(folder, 'owner.lock'), `{"pid":${process.pid},"sta`);
    await expect(takeOwnerLock(folder)).rejects.toMatchObject({ code: 'store.busy', details: { pid: process.pid } });
  });

  it('respects a live lock that a killed taker had moved aside', async () => {
    const lock = await takeOwnerLock(folder);
    writeFileSync(join(folder, 'owner.lock.moved-0011'), lockText());
    rmSync(join(folder, 'owner.lock'));
    await expect(takeOwnerLock(folder)).rejects.toMatchObject({ code: 'store.busy', details: { pid: process.pid } });
    await lock.release();
    await (await takeOwnerLock(folder)).release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('removes the empty claim of a taker that was killed while it made it, and leaves that of a live one', async () => {
    const gone = spawn(process.execPath, ['-e', '']);
    await once(gone, 'exit');
    writeFileSync(join(folder, `owner.lock.new-${gone.pid}-0011223344556677`), '');
    writeFileSync(join(folder, `owner.lock.new-${process.pid}-8899aabbccddeeff`), '');
    const lock = await takeOwnerLock(folder);
    expect(readdirSync(folder).sort()).toEqual(['owner.lock', `owner.lock.new-${process.pid}-8899aabbccddeeff`]);
    await lock.release();
  });

  it('leaves a lock that is not its own alone when it lets go', async () => {
    const lock = await takeOwnerLock(folder);
    const foreign = JSON.stringify({ pid: process.pid, start: null, nonce: 'ffff' });
    rmSync(join(folder, 'owner.lock'));
    writeFileSync(join(folder, 'owner.lock'), foreign);
    await lock.release();
    expect(lockText()).toBe(foreign);
  });

  it.each(['none', 'stale'])('is won by exactly one of eight processes when the lock there is %s', async (before) => {
    for (let round = 0; round < 3; round += 1) {
      rmSync(join(folder, 'owner.lock'), { force: true });
      if (before === 'stale') writeFileSync(join(folder, 'owner.lock'), JSON.stringify({ pid: process.pid, start: 'gone:1', nonce: 'aa' }));
      const contenders = await Promise.all(Array.from({ length: 8 }, startTaker));
      for (const contender of contenders) contender.go();
      const verdicts = await Promise.all(contenders.map(({ verdict }) => verdict));
      const outcomes = verdicts.map((verdict) => verdict.replace(/^lost Another Ebbgate .*/, 'busy')).sort();
      expect(outcomes).toEqual([...Array.from({ length: 7 }, () => 'busy'), 'won']);
      expect(readdirSync(folder)).toEqual(['owner.lock']);
      expect(lockText()).toContain(`"pid":${contenders[verdicts.indexOf('won')]?.process.pid},`);
      await Promise.all(contenders.map(killed));
    }
  });
});
