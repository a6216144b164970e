import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { join } from 'node:path';
import { AppError } from '../../shared/errors';
import { isThere, syncLockName } from './home';

/** Hermes's lock, held through a child process. */
export interface SyncLock {
  release(): Promise<void>;
}

/**
 * Programs that hold an flock and say so, best first. Node has no flock. Each waits for the lock, prints a line once it has it,
 * and ends when its input does, so that the lock goes with us however we end.
 */
const holders: readonly { readonly command: string; readonly args: (file: string) => readonly string[] }[] = [
  { command: 'flock', args: (file) => ['-x', file, 'sh', '-c', 'echo held; cat >/dev/null'] },
  {
    command: 'perl',
    args: (file) => [
      '-MFcntl=:flock',
      '-e',
      '$|=1; open(F, "+<", $ARGV[0]) or exit 3; flock(F, LOCK_EX) or exit 4; print "held\\n"; 1 while <STDIN>;',
      file,
    ],
  },
  {
    command: 'python3',
    args: (file) => [
      '-c',
      'import fcntl,sys\nf=open(sys.argv[1],"r+")\nfcntl.flock(f,fcntl.LOCK_EX)\nprint("held",flush=True)\nsys.stdin.read()',
      file,
    ],
  },
];

export interface SyncLockOptions {
  /** How long a holder is waited for, in milliseconds; 30 s when left out. */
  readonly patienceMs?: number;
  /** Programs that may be used; all that are known when left out. */
  readonly programs?: readonly string[];
}

/**
 * Takes Hermes's `.sync.lock` in the home, waiting for whoever holds it; then `run.busy`. Null where there is nothing to take: no
 * lock file yet (Hermes never synced back here), Windows, or none of the programs. Apple's python3 may only be an installer, so it
 * is not asked there.
 */
export async function takeSyncLock(home: string, signal: AbortSignal, options: SyncLockOptions = {}): Promise<SyncLock | null> {
  const file = join(home, syncLockName);
  if (process.platform === 'win32' || !(await isThere(file))) return null;
  for (const { command, args } of holders) {
    if (options.programs !== undefined && !options.programs.includes(command)) continue;
    if (command === 'python3' && process.platform === 'darwin') continue;
    const lock = await hold(command, args(file), signal, options.patienceMs ?? 30_000);
    if (lock !== null) return lock;
  }
  return null;
}

/** Null when the program is not there or could not lock; throws `run.busy` when it had to wait too long. */
async function hold(command: string, args: readonly string[], signal: AbortSignal, patienceMs: number): Promise<SyncLock | null> {
  const child = spawn(command, args, { stdio: 'pipe', env: { PATH: process.env.PATH ?? '' } });
  child.stderr.resume();
  child.stdin.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('close', () => resolve());
  });
  const outcome = await Promise.race([
    new Promise<'held'>((resolve) => child.stdout.once('data', () => resolve('held'))),
    ended.then(() => 'failed' as const),
    after(patienceMs, signal),
  ]);
  if (outcome === 'held') return { release: () => letGo(child, ended) };
  await letGo(child, ended);
  if (outcome === 'failed') return null;
  if (signal.aborted) throw new AppError('run.cancelled', {});
  throw new AppError('run.busy', { connection: 'The local Hermes home', holder: `Hermes holds ${syncLockName}` });
}

function after(ms: number, signal: AbortSignal): Promise<'late'> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    timer.unref();
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve('late');
    }
    if (signal.aborted) done();
    else signal.addEventListener('abort', done, { once: true });
  });
}

async function letGo(child: ChildProcessWithoutNullStreams, ended: Promise<void>): Promise<void> {
  child.stdin.end();
  // One that still waits for the lock does not read its input; one that holds it ends by itself.
  child.kill('SIGTERM');
  await ended;
}
