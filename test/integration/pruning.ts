import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { Params } from '../../shared/contract';
import type { PlanLine, RemovalKind } from '../../shared/plan';
import type { RunReport } from '../../shared/run-report';
import { type BothSides, box, makePlace, type SessionPlace, withoutOwn } from '../support/session';
import { startSshd, type TestSshd } from '../support/sshd';
import type { SshdOptions } from '../support/sshd-config';
import { makeTempFolder, removeTempFolder } from '../support/tree';
import { ageFolders, backups, ids, localTree, remoteTree } from './pruned-homes';

/** Folders out of which something moves, which is a change of theirs. */
const holders = new Set([backups, 'skills/notes']);

/** The real application over two homes with restore points, anew for each test that arranges it. */
export interface Pruning {
  readonly place: SessionPlace;
  /** An empty folder for programs of the remote. */
  bin(): string;
  arrange(options?: SshdOptions): Promise<void>;
  prune(request?: Partial<Params<'prune'>>): Promise<RunReport>;
  apply(request?: Partial<Params<'prune'>>): Promise<RunReport>;
  undo(kind?: RemovalKind): Promise<RunReport>;
  /** Both sides with the times of folders, which a tree image leaves out. */
  whole(): Promise<readonly unknown[]>;
}

/** Registers what each test of a file needs before and after it. */
export function usePruning(): Pruning {
  let sshd: TestSshd;
  let place: SessionPlace;
  let bin: string;
  beforeEach(async () => {
    bin = await makeTempFolder('bin');
  });
  afterEach(async () => {
    await place.tearDown();
    await sshd.stop();
    await removeTempFolder(bin);
  });
  const prune = (request: Partial<Params<'prune'>> = {}) =>
    place.call('prune', { connection: box, side: 'both', keep: 1, apply: false, ...request });
  return {
    get place() {
      return place;
    },
    bin: () => bin,
    async arrange(options = {}) {
      sshd = await startSshd(options);
      place = await makePlace({ sshd });
      await place.remote.write(remoteTree);
      await place.local.write(localTree);
      ageFolders(place.remoteHome, [ids.oldest, ids.newest, '.rollback-staging-x', ids.copy, ids.sameSecond]);
      ageFolders(place.localHome, [ids.newest, ids.oldest, ids.copy]);
    },
    prune,
    apply: (request = {}) => prune({ ...request, apply: true }),
    undo: (kind = 'prune') => place.call('prune.undo', { connection: box, kind }),
    whole: () => wholeOf(place),
  };
}

async function wholeOf(place: SessionPlace): Promise<readonly unknown[]> {
  const sides = await place.sides();
  const timesOf = (home: string, images: BothSides['local']) =>
    [...images]
      .filter(([path, { kind }]) => kind === 'folder' && !holders.has(path))
      .map(([path]) => [path, lstatSync(join(home, path)).mtimeMs]);
  const [local, remote] = [withoutOwn(sides.local), withoutOwn(sides.remote)];
  return [local, remote, timesOf(place.localHome, local), timesOf(place.remoteHome, remote)];
}

/** Reasons by id of the lines of one side that stay, or go. */
export function decided(report: RunReport, side: PlanLine['side'], decision: PlanLine['decision']): Readonly<Record<string, string>> {
  const lines = (report.plan?.lines ?? []).filter((line) => line.side === side && line.decision === decision);
  return Object.fromEntries(lines.map(({ id, reason }) => [id, reason]));
}
