import type { Disk, StagedFile } from '../../electron/engine/disk';
import type { JournalLog } from '../../electron/engine/journal';

/** A disk operation as it was called: its name and first argument. */
export interface DiskCall {
  readonly name: keyof Disk | 'journal' | 'write' | 'finish';
  readonly argument: string;
}

/** When an operation fails: `before` it did anything, or `after` it did all of it, as a disk that loses its answer. */
export interface Fault {
  readonly when: 'before' | 'after';
  /** Chosen by number, from 0, among the calls that change something; or by the call itself. */
  readonly at: number | ((call: DiskCall) => boolean);
  /** The system's code. */
  readonly code?: string;
  /** The process is gone from then on: nothing that is called afterwards does anything. */
  readonly gone?: boolean;
}

/** A disk that fails once, and the calls that it has seen. */
export interface FaultyDisk {
  readonly disk: Disk;
  /** Calls that change something, in order. */
  readonly calls: readonly DiskCall[];
  /** Whether the fault has happened. */
  hasFailed(): boolean;
  /** Wraps a journal's log so that its lines count as changing calls, in the same order. */
  log(log: JournalLog): JournalLog;
}

const changing: ReadonlySet<string> = new Set<keyof Disk | 'journal'>([
  'journal',
  'makeFolder',
  'removeEmptyFolder',
  'dropTemporaries',
  'stage',
  'flushStaged',
  'syncStaging',
  'setStagedMode',
  'dropStaged',
  'place',
  'unplace',
  'keepCopy',
  'keepMoved',
  'syncKept',
  'dropKept',
  'putBack',
]);

/** Error as the system gives it. */
export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: made by a test`), { code });
}

/** Wraps a disk so that one operation fails. Reading operations fail too when the fault names them by call. */
export function createFaultyDisk(disk: Disk, fault: Fault | null): FaultyDisk {
  const calls: DiskCall[] = [];
  let failed = false;

  const record = (call: DiskCall): DiskCall => {
    if (changing.has(call.name)) calls.push(call);
    return call;
  };
  const isDue = (call: DiskCall): boolean => {
    if (failed || fault === null) return false;
    if (typeof fault.at === 'function') return fault.at(call);
    return changing.has(call.name) && calls.length - 1 === fault.at;
  };
  const wrap =
    <A extends readonly unknown[], R>(name: DiskCall['name'], operation: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (failed && fault?.gone === true) throw systemError('EIO');
      const due = isDue(record({ name, argument: String(args[0] ?? '') }));
      if (due) failed = true;
      if (due && fault?.when === 'before') throw systemError(fault.code ?? 'EIO');
      const result = await operation(...args);
      if (due) throw systemError(fault?.code ?? 'EIO');
      return result;
    };

  /** An open that failed leaves nothing open, so what comes after the work of `stage` is the failure of the file itself. */
  const stage: Disk['stage'] = async (name, attributes) => {
    if (fault?.gone === true) {
      const opened: StagedFile[] = [];
      const opening = wrap('stage', async (_name: string) => opened[opened.push(await disk.stage(name, attributes)) - 1] as StagedFile);
      const open = await opening(name).catch(async (error: unknown) => {
        for (const file of opened) await file.finish();
        throw error;
      });
      // The system closes the files of a process that is gone, and removes none.
      const close = () => open.finish();
      const finish = async () => {
        await close();
        await wrap('finish', async () => undefined)();
      };
      return { write: wrap('write', open.write), finish, discard: () => (failed ? close() : open.discard()) };
    }
    const due = fault?.when === 'after' && isDue(record({ name: 'stage', argument: name }));
    if (!due) return fault?.when === 'after' ? disk.stage(name, attributes) : wrap('stage', disk.stage)(name, attributes);
    failed = true;
    const staged = await disk.stage(name, attributes);
    const finish = async () => {
      await staged.finish();
      throw systemError(fault.code ?? 'EIO');
    };
    return { ...staged, finish };
  };

  return {
    calls,
    hasFailed: () => failed,
    log: (log) => ({ append: wrap('journal', log.append) }),
    disk: {
      look: wrap('look', disk.look),
      hash: wrap('hash', disk.hash),
      makeFolder: wrap('makeFolder', disk.makeFolder),
      removeEmptyFolder: wrap('removeEmptyFolder', disk.removeEmptyFolder),
      syncFolder: wrap('syncFolder', disk.syncFolder),
      dropTemporaries: wrap('dropTemporaries', disk.dropTemporaries),
      stage,
      flushStaged: wrap('flushStaged', disk.flushStaged),
      syncStaging: wrap('syncStaging', disk.syncStaging),
      setStagedMode: wrap('setStagedMode', disk.setStagedMode),
      isStaged: wrap('isStaged', disk.isStaged),
      dropStaged: wrap('dropStaged', disk.dropStaged),
      place: wrap('place', disk.place),
      unplace: wrap('unplace', disk.unplace),
      keepCopy: wrap('keepCopy', disk.keepCopy),
      keepMoved: wrap('keepMoved', disk.keepMoved),
      syncKept: wrap('syncKept', disk.syncKept),
      isKept: wrap('isKept', disk.isKept),
      lookKept: wrap('lookKept', disk.lookKept),
      dropKept: wrap('dropKept', disk.dropKept),
      putBack: wrap('putBack', disk.putBack),
      settle: wrap('settle', disk.settle),
    },
  };
}
