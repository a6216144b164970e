import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { unfinishedSyncBack } from '../../../electron/hermes/home';
import { lockHome } from '../../../electron/hermes/home-lock';
import { takeSyncLock } from '../../../electron/hermes/sync-lock';
import { makeTempFolder, removeTempFolder } from '../../support/tree';

let home: string;
let others: ChildProcess[];
beforeEach(async () => {
  home = await makeTempFolder('hermes-lock');
  others = [];
});
afterEach(async () => {
  for (const other of others) other.kill('SIGKILL');
  await removeTempFolder(home);
});

const patience = new AbortController().signal;

/** Holds the lock as Hermes does, from another process; ends when its input is closed. */
async function holdAsHermes(): Promise<ChildProcess> {
  const child = spawn('flock', ['-x', join(home, '.sync.lock'), 'sh', '-c', 'echo held; cat >/dev/null'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  others.push(child);
  await once(child.stdout, 'data');
  return child;
}

/** Whether somebody else could take the lock right now. */
function isFree(): boolean {
  return spawnSync('flock', ['-n', join(home, '.sync.lock'), 'true']).status === 0;
}

describe('takeSyncLock', () => {
  it('takes nothing, and makes nothing, where Hermes never made the lock', async () => {
    expect(await takeSyncLock(home, patience)).toBeNull();
    expect(await takeSyncLock(join(home, 'not-there'), patience)).toBeNull();
  });

  it.each(['flock', 'perl', 'python3'])('holds the lock through %s until it is released', async (program) => {
    await writeFile(join(home, '.sync.lock'), '');
    const lock = await takeSyncLock(home, patience, { programs: [program] });
    expect(lock).not.toBeNull();
    expect(isFree()).toBe(false);
    await lock?.release();
    expect(isFree()).toBe(true);
  });

  it('takes nothing where none of the programs is there', async () => {
    await writeFile(join(home, '.sync.lock'), '');
    expect(await takeSyncLock(home, patience, { programs: ['no-such-program'] })).toBeNull();
  });

  it('waits for Hermes and goes on once it lets go', async () => {
    await writeFile(join(home, '.sync.lock'), '');
    const hermes = await holdAsHermes();
    const taking = takeSyncLock(home, patience);
    hermes.stdin?.end();
    const lock = await taking;
    expect(lock).not.toBeNull();
    await lock?.release();
  });

  it('says that Hermes holds it when it had to wait too long', async () => {
    await writeFile(join(home, '.sync.lock'), '');
    await holdAsHermes();
    await expect(takeSyncLock(home, patience, { patienceMs: 50 })).rejects.toMatchObject({
      code: 'run.busy',
      details: { holder: 'Hermes holds .sync.lock' },
    });
  });

  it('stops waiting when the run is cancelled', async () => {
    await writeFile(join(home, '.sync.lock'), '');
    await holdAsHermes();
    const cancel = new AbortController();
    const taking = takeSyncLock(home, cancel.signal);
    cancel.abort();
    await expect(taking).rejects.toMatchObject({ code: 'run.cancelled' });
  });
});

describe('lockHome', () => {
  it('keeps a second run out of the home until the first lets go, and writes nothing into the home', async () => {
    const first = await lockHome(home, true, patience);
    let isIn = false;
    const second = lockHome(home, true, patience).then((lock) => {
      isIn = true;
      return lock;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isIn).toBe(false);
    await first.release();
    await (await second).release();
    expect(spawnSync('ls', ['-A', home], { encoding: 'utf8' }).stdout).toBe('');
  });
});

describe('unfinishedSyncBack', () => {
  it('names what Hermes left, and nothing in a home that is in order or missing', async () => {
    expect(await unfinishedSyncBack(home)).toBeNull();
    expect(await unfinishedSyncBack(join(home, 'not-there'))).toBeNull();
    await mkdir(join(home, '.sync-back-pending'));
    expect(await unfinishedSyncBack(home)).toBe('.sync-back-pending');
  });
});
