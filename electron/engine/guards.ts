import type { Guard, Stop, Tally } from '../../shared/run-report';
import type { Baseline, RemoteIdentity } from './baseline';
import { type EnginePath, type FileEntry, isWithin } from './entry';
import type { Decision, Direction } from './reconcile';

/** A plan that removes at least so many files, and more than this share of the baseline, stops. */
const massDelete = { files: 5, share: 0.1 } as const;
/** A plan that overwrites at least so many files, and more than this share of the baseline, stops. */
const massChange = { files: 20, share: 0.5 } as const;

/** What is known before anything is compared. */
export interface SidesInput {
  readonly roots: readonly string[];
  readonly baseline: Baseline | null;
  readonly local: ReadonlyMap<EnginePath, unknown>;
  readonly remote: ReadonlyMap<EnginePath, unknown>;
  readonly identity: RemoteIdentity;
}

/**
 * Stops that make the baseline worthless: a side that had files and has none, or another machine than the baseline's. Letting one
 * through means starting over as if nothing had ever been agreed, so nothing is deleted on either side.
 */
export function checkSides(input: SidesInput): Stop | null {
  const { baseline, identity } = input;
  if (baseline === null) return null;
  const emptied = input.roots.flatMap((root): Stop[] => {
    const known = countWithin(baseline.entries, root);
    if (known === 0) return [];
    const details = { root, known, found: 0 };
    if (countWithin(input.remote, root) === 0) {
      return [
        stop('remote-empty', `The remote looks new or empty: 0 of ${known} known files are in its ${root}. Nothing was changed.`, details),
      ];
    }
    if (countWithin(input.local, root) > 0) return [];
    return [
      stop(
        'local-empty',
        `${root} on this computer is unavailable or suddenly empty: 0 of ${known} known files are there. Nothing was changed.`,
        details,
      ),
    ];
  });
  if (emptied[0] !== undefined) return emptied[0];
  const expected = baseline.identity;
  const other = expected.marker === null ? expected.home !== identity.home : expected.marker !== identity.marker;
  if (!other) return null;
  return stop(
    'identity-changed',
    'The remote is not the one of the last session: its identity marker is missing or another one. Nothing was changed.',
    {
      expected: { ...expected },
      found: { ...identity },
    },
  );
}

/** Stops for plans that are too large to be meant. Counts are of the plan, shares of the baseline. */
export function checkPlan(decisions: readonly Decision[], baseline: Baseline | null, direction: Direction): readonly Stop[] {
  const total = baseline?.entries.size ?? 0;
  if (total === 0) return [];
  const side = direction === 'push' ? 'on the remote' : 'on this computer';
  const removed = decisions.filter(({ kind }) => kind === 'remove').length;
  const overwritten = decisions.filter((decision) => decision.kind === 'write' && decision.change === 'update').length;
  const stops: Stop[] = [];
  if (removed >= massDelete.files && removed > total * massDelete.share) {
    stops.push(stop('mass-delete', `${removed} of ${total} files would be removed ${side}. Nothing was changed.`, { removed, total }));
  }
  if (overwritten >= massChange.files && overwritten > total * massChange.share) {
    stops.push(
      stop('mass-change', `${overwritten} of ${total} files would be overwritten ${side}. Nothing was changed.`, { overwritten, total }),
    );
  }
  return stops;
}

/** Both homes carry one marker, so they are one folder, or a copy of it: syncing it with itself could only do harm. */
export function sameFolder(local: string, remote: string): Stop {
  return stop('same-folder', `The remote folder ${remote} and ${local} on this computer are the same. Nothing was changed.`, {
    local,
    remote,
  });
}

/** Hermes has begun to bring something home and did not end: what it left would be mixed with ours. */
export function hermesUnfinished(name: string): Stop {
  return stop('hermes-unfinished', `Hermes left an unfinished sync-back here (${name}). Let Hermes finish it first. Nothing was changed.`, {
    found: name,
  });
}

export interface FirstSessionInput {
  readonly direction: Direction;
  readonly decisions: readonly Decision[];
  readonly sender: ReadonlyMap<EnginePath, FileEntry>;
  readonly remoteHomeExists: boolean;
  readonly refused: Tally;
}

/** The question before anything moves for the first time, with what would move and what stays. */
export function firstSession(input: FirstSessionInput): Stop {
  const writes = input.decisions.flatMap((decision) => (decision.kind === 'write' ? [decision] : []));
  const bytes = writes.reduce((sum, { entry }) => sum + entry.size, 0);
  const conflicts = input.decisions.filter(({ kind }) => kind === 'wait').length;
  const details = {
    files: writes.length,
    bytes,
    conflicts,
    refused: { ...input.refused },
    largest: largestFolders(writes.map(({ path, entry }) => [path, entry.size])),
  };
  const message =
    input.direction === 'push'
      ? `First session: ${amount({ files: writes.length, bytes })} would be sent; ${amount(input.refused)} of bookkeeping stay here.${input.sender.size === 0 ? " There are no skills here yet; the first end brings the remote's home." : ''}${input.remoteHomeExists ? '' : ' The remote has no Hermes home yet; it will be created.'}`
      : `First session: ${amount({ files: writes.length, bytes })} would come home; ${amount(input.refused)} of bookkeeping stay on the remote.`;
  return stop('first-session', `${message} Nothing was changed yet.`, details);
}

/** Exact, since the sentence is also a record: "1 file (26 bytes)". */
function amount({ files, bytes }: Tally): string {
  return `${files} ${files === 1 ? 'file' : 'files'} (${bytes} ${bytes === 1 ? 'byte' : 'bytes'})`;
}

/** The folders that hold the most bytes, two levels deep, largest first. */
export function largestFolders(
  files: Iterable<readonly [EnginePath, number]>,
  count = 5,
): readonly { readonly path: string; readonly files: number; readonly bytes: number }[] {
  const folders = new Map<string, { files: number; bytes: number }>();
  for (const [path, size] of files) {
    const folder = path.split('/').slice(0, -1).slice(0, 3).join('/');
    const tally = folders.get(folder) ?? { files: 0, bytes: 0 };
    tally.files += 1;
    tally.bytes += size;
    folders.set(folder, tally);
  }
  const all = [...folders].map(([path, tally]) => ({ path, ...tally }));
  return all.sort((a, b) => b.bytes - a.bytes || a.path.localeCompare(b.path)).slice(0, count);
}

function countWithin(files: ReadonlyMap<EnginePath, unknown>, root: EnginePath): number {
  let count = 0;
  for (const path of files.keys()) if (isWithin(path, root)) count += 1;
  return count;
}

function stop(guard: Guard, message: string, details: Stop['details']): Stop {
  return { guard, message, details };
}
