import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * A running process, told apart from a later one with the same number by its start: on Linux the boot and the clock tick,
 * elsewhere what `ps` says, null where neither is there to ask.
 */
export interface ProcessIdentity {
  readonly pid: number;
  readonly start: string | null;
}

/** This process. */
export async function ownIdentity(): Promise<ProcessIdentity> {
  return { pid: process.pid, start: await startOf(process.pid) };
}

/** Whether that very process still runs. When its start is not known, a process of that number counts as it. */
export async function isRunning(identity: ProcessIdentity): Promise<boolean> {
  if (!exists(identity.pid)) return false;
  const start = await startOf(identity.pid);
  if (start === null) return exists(identity.pid) && !(await isGoneOnLinux(identity.pid));
  return identity.start === null || identity.start === start;
}

function exists(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It runs, as somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function startOf(pid: number): Promise<string | null> {
  if (process.platform === 'linux') return startOnLinux(pid);
  if (process.platform === 'win32') return null;
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)], { env: { LC_ALL: 'C' } });
    return stdout.trim() || null;
  } catch {
    // No such process, or no ps: what is known without it decides.
    return null;
  }
}

/** Fields of /proc/<pid>/stat from the state (field 3) on; the name before them may hold spaces and brackets. */
async function linuxFields(pid: number): Promise<readonly string[] | null> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

async function startOnLinux(pid: number): Promise<string | null> {
  const fields = await linuxFields(pid);
  const ticks = fields?.[19];
  // A zombie ended; only its parent has not looked yet.
  if (ticks === undefined || fields?.[0] === 'Z' || fields?.[0] === 'X') return null;
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'latin1').catch(() => '');
  return `${boot.trim()}:${ticks}`;
}

async function isGoneOnLinux(pid: number): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const fields = await linuxFields(pid);
  return fields !== null && (fields[0] === 'Z' || fields[0] === 'X');
}
