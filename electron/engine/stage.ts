import { createHash } from 'node:crypto';
import { isAppError } from '../../shared/errors';
import { pathPhrases } from '../../shared/phrases/paths';
import { throwIfCancelled, untilCancelled } from './cancel';
import { type Disk, problemOf } from './disk';
import type { ApplyRequest, Change, IncomingFile } from './endpoint';
import type { EnginePath } from './entry';
import { storedName } from './state-names';

type Write = Extract<Change, { kind: 'write' }>;

/** Files that are flushed at once: those that the system already wrote by itself cost next to nothing then. */
const flushesInFlight = 8;

const didNotArrive = pathPhrases['not-arrived'];
const arriving = pathPhrases['not-whole'];
const changedWhileRead = pathPhrases['changed-while-read'];

interface Worker {
  readonly disk: Disk;
  readonly signal: AbortSignal;
  readonly wanted: ReadonlyMap<EnginePath, Write>;
  /** Writes that cannot be carried out, with the reason. Starts with all of them. */
  readonly problems: Map<EnginePath, string>;
  /** Complete, but not durable yet. */
  readonly finished: EnginePath[];
  readonly count: (bytes: number) => void;
}

/** Takes the content to its end and drops it: the next file cannot be asked for before. */
async function drain(worker: Worker, file: IncomingFile): Promise<void> {
  for await (const chunk of untilCancelled(file.body, worker.signal)) worker.count(chunk.length);
}

/** Makes everything that arrived durable. Once, at the end: a flush for each file as it comes costs several times as much. */
async function flushAll({ disk, finished, problems }: Worker): Promise<void> {
  const queue = finished.values();
  const work = async (): Promise<void> => {
    for (const path of queue) {
      try {
        await disk.flushStaged(storedName(path));
        problems.delete(path);
      } catch (error) {
        problems.set(path, problemOf(error));
      }
    }
  };
  await Promise.all(Array.from({ length: flushesInFlight }, work));
  await disk.syncStaging().catch((error: unknown) => {
    for (const path of finished) problems.set(path, problemOf(error));
  });
}

async function finishFile({ finished, problems }: Worker, path: EnginePath, finish: () => Promise<void>): Promise<void> {
  try {
    await finish();
    finished.push(path);
  } catch (error) {
    problems.set(path, problemOf(error));
  }
}

async function stageFile(worker: Worker, file: IncomingFile, { path, content }: Write): Promise<void> {
  const staged = await worker.disk.stage(storedName(path), content).catch((error: unknown) => problemOf(error));
  if (typeof staged === 'string') {
    worker.problems.set(path, staged);
    return drain(worker, file);
  }
  const hash = createHash('sha256');
  let size = 0;
  let problem: string | null = null;
  try {
    for await (const chunk of untilCancelled(file.body, worker.signal)) {
      worker.count(chunk.length);
      size += chunk.length;
      if (problem === null && size > content.size) problem = changedWhileRead;
      if (problem !== null) continue;
      hash.update(chunk);
      await staged.write(chunk).catch((error: unknown) => {
        problem = problemOf(error);
      });
    }
  } catch (error) {
    await staged.discard();
    throw error;
  }
  if (problem === null && (size !== content.size || hash.digest('hex') !== content.hash)) problem = changedWhileRead;
  if (problem === null) return finishFile(worker, path, () => staged.finish());
  worker.problems.set(path, problem);
  await staged.discard();
}

async function stageAll(worker: Worker, contents: ApplyRequest['contents']): Promise<void> {
  for await (const file of untilCancelled(contents, worker.signal)) {
    const change = worker.wanted.get(file.path);
    // Only content that was asked for counts, and only until the right one is there.
    const problem = worker.problems.get(file.path);
    if (change === undefined || (problem !== didNotArrive && problem !== changedWhileRead)) {
      await drain(worker, file);
      continue;
    }
    const fits = file.size === change.content.size;
    worker.problems.set(file.path, fits ? arriving : changedWhileRead);
    if (fits) await stageFile(worker, file, change);
    else await drain(worker, file);
  }
}

/**
 * Brings the contents of all writes into the staging folder, complete, checked and flushed, and returns the writes that are
 * not there, each with its reason. A source that breaks off fails what had not arrived; the rest can go on.
 */
export async function stageContents(disk: Disk, request: ApplyRequest, signal: AbortSignal): Promise<ReadonlyMap<EnginePath, string>> {
  const writes = request.changes.filter((change) => change.kind === 'write');
  let bytes = 0;
  const worker: Worker = {
    disk,
    signal,
    wanted: new Map(writes.map((change) => [change.path, change])),
    problems: new Map(writes.map(({ path }) => [path, didNotArrive])),
    finished: [],
    count: (length) => {
      bytes += length;
      request.onProgress?.(bytes);
    },
  };
  let broken: unknown = null;
  try {
    await stageAll(worker, request.contents);
  } catch (error) {
    if (isAppError(error, 'run.cancelled')) throw error;
    broken = error;
  }
  throwIfCancelled(signal);
  if (broken !== null) {
    for (const [path, problem] of worker.problems) {
      if (problem === didNotArrive || problem === arriving) worker.problems.set(path, `${didNotArrive}: ${problemOf(broken)}`);
    }
  }
  await flushAll(worker);
  return worker.problems;
}
