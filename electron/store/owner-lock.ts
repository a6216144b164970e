import { randomBytes } from 'node:crypto';
import { constants, copyFile, type FileHandle, link, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../shared/errors';
import { isRunning, ownIdentity, type ProcessIdentity } from '../platform/processes';
import { storeFailure, systemCode } from './store-errors';

/** The right to use a data folder. */
export interface OwnerLock {
  /** Lets go; only what is still ours is removed. Idempotent. */
  release(): Promise<void>;
}

/*
 * owner.lock names a process by id and start time and is stale when that process is gone, never by age. It appears complete, by
 * a hard link, which fails when one is there. A stale one is moved to `owner.lock.moved-*` before it is removed: a rename takes
 * exactly one file, and the taker then reads what it really took. When another taker was quicker, that is the other's live lock;
 * it is put back. Meanwhile it counts where it lies: whoever links a new lock looks at every moved one afterwards, and backs off
 * when one of them is alive. So at no moment do two processes own the folder, whoever is killed where.
 *
 * A claim is one file with up to two names, and its maker keeps it open: what it appends reaches the lock wherever it was moved
 * to. `owned` is added once the look around was clear, and others give up only before that, so that not all of them back off
 * before each other. `over` is added before letting go, so that a lock put back too late holds nobody up.
 */
const lockName = 'owner.lock';
const movedPrefix = `${lockName}.moved-`;
const newPrefix = `${lockName}.new-`;
const ownedMark = 'owned\n';
const overMark = 'over\n';
/** Rounds of taking and backing off before the folder counts as busy. */
const rounds = 200;

/** A lock file as it was read; `owner` is null when it names no process. */
interface Entry {
  readonly file: string;
  readonly text: string;
  readonly owner: ProcessIdentity | null;
  readonly nonce: string | null;
}

/** Takes the data folder, or fails with `store.busy` naming the process that has it. The folder must exist. */
export async function takeOwnerLock(folder: string): Promise<OwnerLock> {
  try {
    return await take(folder, await ownIdentity());
  } catch (error) {
    throw storeFailure('take', join(folder, lockName), error);
  }
}

async function take(folder: string, self: ProcessIdentity): Promise<OwnerLock> {
  const lock = join(folder, lockName);
  let holder = await readEntry(lock);
  for (let round = 0; round < rounds; round += 1) {
    if (holder === null) {
      const claim = await makeClaim(folder, self);
      holder = await claim.tryTake();
      if (holder === null) return ownerLock(claim);
      await claim.end();
    } else if (!(await isLive(holder))) {
      await moveAway(folder, holder.text);
    }
    if (holder.text.endsWith(ownedMark) && (await isLive(holder))) break;
    await delay(1 + Math.random() * 10);
    holder = await readEntry(lock);
  }
  throw new AppError('store.busy', { dataDir: folder, pid: holder?.owner?.pid ?? 0 });
}

function ownerLock(claim: Claim): OwnerLock {
  let released: Promise<void> | null = null;
  return {
    release: () => {
      released ??= claim.end();
      return released;
    },
  };
}

async function makeClaim(folder: string, self: ProcessIdentity): Promise<Claim> {
  const nonce = randomBytes(8).toString('hex');
  const file = join(folder, `${newPrefix}${self.pid}-${nonce}`);
  const handle = await open(file, 'ax', 0o600);
  await handle.appendFile(`${JSON.stringify({ ...self, nonce })}\n`);
  return new Claim(folder, file, nonce, handle);
}

class Claim {
  readonly #folder: string;
  readonly #lock: string;
  readonly #file: string;
  readonly #nonce: string;
  readonly #handle: FileHandle;

  constructor(folder: string, file: string, nonce: string, handle: FileHandle) {
    this.#folder = folder;
    this.#lock = join(folder, lockName);
    this.#file = file;
    this.#nonce = nonce;
    this.#handle = handle;
  }

  /** Null when the folder is ours now; otherwise what stands in the way. */
  async tryTake(): Promise<Entry | null> {
    try {
      await linkOrCopy(this.#file, this.#lock);
    } catch (error) {
      if (systemCode(error) === 'EEXIST') return (await readEntry(this.#lock)) ?? parseEntry(this.#lock, '');
      throw error;
    }
    const rival = await this.#rival();
    if (rival !== null) return rival;
    await this.#handle.appendFile(ownedMark);
    await this.#tidy();
    return null;
  }

  /** Lets go, of an owned folder or of a try. */
  async end(): Promise<void> {
    await this.#handle.appendFile(overMark);
    await this.#handle.close();
    await rm(this.#file, { force: true });
    const current = await readEntry(this.#lock);
    // By a rename as well: since it was read it could have become somebody else's.
    if (current?.nonce === this.#nonce) await moveAway(this.#folder, current.text);
    for (const entry of await entriesNamed(this.#folder, movedPrefix)) {
      if (entry.nonce === this.#nonce) await rm(entry.file, { force: true });
    }
  }

  /** The lock that counts although ours was linked, ours itself when it was moved away; null when the folder is truly ours. */
  async #rival(): Promise<Entry | null> {
    for (const entry of await entriesNamed(this.#folder, movedPrefix)) {
      if (entry.nonce === this.#nonce || (await isLive(entry))) return entry;
      await rm(entry.file, { force: true });
    }
    // Last, because a moved lock can only have come back here.
    const current = await readEntry(this.#lock);
    return current?.nonce === this.#nonce ? null : (current ?? parseEntry(this.#lock, ''));
  }

  /** Removes our own first name, and those that takers left which were killed. */
  async #tidy(): Promise<void> {
    await rm(this.#file, { force: true });
    for (const entry of await entriesNamed(this.#folder, newPrefix)) {
      if (entry.owner !== null && !(await isLive(entry))) await rm(entry.file, { force: true });
    }
  }
}

/** Takes the lock away when it is the expected one, or dead. A live one of somebody else is put back. */
async function moveAway(folder: string, expected: string): Promise<void> {
  const lock = join(folder, lockName);
  const moved = join(folder, `${movedPrefix}${randomBytes(8).toString('hex')}`);
  try {
    await rename(lock, moved);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return;
    throw error;
  }
  for (let round = 0; round < rounds; round += 1) {
    const taken = await readEntry(moved);
    if (taken === null) return;
    if (taken.text === expected || !(await isLive(taken)) || (await putBack(moved, lock))) {
      await rm(moved, { force: true });
      return;
    }
    await delay(5);
  }
  // Left where it is, a live one still counts, until its owner removes it.
}

async function putBack(moved: string, lock: string): Promise<boolean> {
  try {
    await linkOrCopy(moved, lock);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    // Its owner has let go of it meanwhile.
    if (systemCode(error) === 'ENOENT') return true;
    throw error;
  }
}

/**
 * RACE: where a disk has no hard links the file is created first and filled then, and never gets the owned mark. A reader in
 * between waits; one that still finds it empty takes it for stale. At worst two processes start at once and both own the folder.
 */
async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'].includes(systemCode(error))) throw error;
    await copyFile(from, to, constants.COPYFILE_EXCL);
  }
}

async function entriesNamed(folder: string, prefix: string): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix)) continue;
    const entry = await readEntry(join(folder, name));
    if (entry !== null) entries.push(entry);
  }
  return entries;
}

async function readEntry(file: string): Promise<Entry | null> {
  for (let look = 0; ; look += 1) {
    let text: string;
    try {
      text = await readFile(file, 'utf8');
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return null;
      throw error;
    }
    const entry = parseEntry(file, text);
    if (entry.owner !== null || look >= 3) return entry;
    await delay(20);
  }
}

/** Of a cut lock the process number may be left; it then speaks for whatever process has it. So does the name of a new one. */
function parseEntry(file: string, text: string): Entry {
  const pid = /"pid":(\d+)[,}]/.exec(text)?.[1] ?? /\.new-(\d+)-[0-9a-f]+$/.exec(file)?.[1];
  const start = /"start":"([^"]*)"/.exec(text)?.[1] ?? null;
  const nonce = /"nonce":"([0-9a-f]+)"/.exec(text)?.[1] ?? null;
  return { file, text, owner: pid === undefined ? null : { pid: Number(pid), start }, nonce };
}

async function isLive(entry: Entry): Promise<boolean> {
  return entry.owner !== null && !entry.text.endsWith(overMark) && (await isRunning(entry.owner));
}
