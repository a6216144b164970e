import type { InboxItem, InboxVersion, Resolution } from '../../shared/inbox';
import { pathPhrases } from '../../shared/phrases/paths';
import type { PathReport } from '../../shared/run-report';
import type { Change } from '../engine/endpoint';
import type { AgreedEntry, EnginePath, ListedEntry } from '../engine/entry';
import { nearestSkill, skillFolders } from '../engine/reconcile';
import { makeCopyName } from '../engine/state-names';

/** What resolving does about one item. */
export interface Step {
  readonly item: InboxItem;
  /** What is done to a file here; null when nothing is. */
  readonly change: Change | null;
  /** What both sides agree on once that is done; null forgets the path, undefined leaves it as it was. */
  readonly agreed: AgreedEntry | null | undefined;
  /** How the report tells it, if it works. */
  readonly line: PathReport;
}

export interface StepOptions {
  readonly choice: Resolution;
  readonly now: number;
  /** Where a copy of the remote's version is put. */
  copyPath(path: EnginePath): EnginePath;
  /** Changes of one group happen together. */
  groupOf(item: InboxItem): string | null;
}

/** What one choice does about each item. The remote's version counts as seen in any case, so that it is not raised again. */
export function stepsFor(items: readonly InboxItem[], options: StepOptions): readonly Step[] {
  return items.map((item) => stepFor(item, options));
}

function stepFor(item: InboxItem, options: StepOptions): Step {
  const { path, remote } = item;
  switch (options.choice) {
    case 'keep-local':
      return { item, change: null, agreed: remote === null ? null : agreedOn(remote), line: stays(item, keptReason(item)) };
    case 'keep-remote':
      return replaceLocal(item, options);
    case 'release':
      if (item.kind === 'growth') return { item, change: null, agreed: undefined, line: stays(item, pathPhrases['growth-released']) };
      return replaceLocal(item, options);
    case 'expect':
      return { item, change: null, agreed: undefined, line: stays(item, pathPhrases['growth-expected']) };
    case 'keep-both':
      if (remote === null) return { item, change: null, agreed: null, line: stays(item, keptReason(item)) };
      return {
        item,
        change: { ...write(options.copyPath(path), null, remote, null, options.now), about: path },
        agreed: agreedOn(remote),
        line: {
          path: options.copyPath(path),
          outcome: 'written',
          change: 'create',
          bytes: remote.bytes,
          reason: `copy of the remote's version of ${path}, never synced; yours is ${keptReason(item)}`,
        },
      };
    case 'discard':
      if (item.kind === 'growth') return { item, change: null, agreed: undefined, line: stays(item, pathPhrases['growth-declined']) };
      return { item, change: null, agreed: undefined, line: stays(item, pathPhrases.declined) };
    case 'exclude': {
      const reason = item.kind === 'guarded' ? pathPhrases['guarded-stays'] : pathPhrases.excluded;
      return { item, change: null, agreed: undefined, line: stays(item, reason) };
    }
  }
}

function replaceLocal(item: InboxItem, { now, groupOf }: StepOptions): Step {
  const { path, local, remote } = item;
  const reason = item.kind === 'conflict' ? pathPhrases['remote-decided'] : pathPhrases.released;
  if (remote !== null) {
    const change = local === null ? 'create' : 'update';
    const line = { path, outcome: 'written', change, bytes: remote.bytes, reason } as const;
    return { item, change: write(path, local, remote, groupOf(item), now), agreed: agreedOn(remote), line };
  }
  if (local === null) return { item, change: null, agreed: null, line: stays(item, pathPhrases['gone-both']) };
  const remove: Change = { kind: 'remove', path, expected: listed(local), group: groupOf(item) };
  return { item, change: remove, agreed: null, line: { path, outcome: 'removed', change: 'delete', bytes: local.bytes, reason } };
}

function write(path: EnginePath, expected: InboxVersion | null, content: InboxVersion, group: string | null, mtime: number): Change {
  const { hash, bytes: size, executable } = content;
  return { kind: 'write', path, expected: expected === null ? null : listed(expected), content: { hash, size, mtime, executable }, group };
}

/** A version as a listing would show it, without a stamp: the content alone decides whether it is still there. */
function listed({ hash, bytes, executable }: InboxVersion): ListedEntry {
  return { kind: 'file', size: bytes, mtime: 0, executable, hash, stamp: '' };
}

function agreedOn({ hash, bytes, executable }: InboxVersion): AgreedEntry {
  return { hash, size: bytes, executable };
}

/** Nothing is written for this path. */
function stays({ path, local, remote, bytes }: InboxItem, reason: string): PathReport {
  return { path, outcome: 'refused', change: remote === null ? 'delete' : local === null ? 'create' : 'update', bytes, reason };
}

function keptReason({ local }: InboxItem): string {
  return local === null ? pathPhrases['kept-removed'] : pathPhrases['kept-local'];
}

/** The folder a new skill lies in, for items that are part of one; null for others. */
export function reviewedSkill(item: InboxItem, all: readonly InboxItem[]): EnginePath | null {
  // A version that an undo took back is reviewed too, in a skill that is here.
  if (item.kind !== 'review' || item.local !== null) return null;
  const reviews = all.filter(({ kind, local, connection }) => kind === 'review' && local === null && connection === item.connection);
  return nearestSkill(item.path, skillFolders(new Map(reviews.map(({ path }) => [path, true]))));
}

/** The items a choice is about: a new skill is released whole. */
export function withWholeSkills(items: readonly InboxItem[], choice: Resolution, all: readonly InboxItem[]): readonly InboxItem[] {
  if (choice !== 'release') return items;
  const skills = new Set(items.flatMap((item) => reviewedSkill(item, all) ?? []));
  const own = all.filter(({ connection }) => connection === items[0]?.connection);
  const belonging = own.filter((item) => skills.has(reviewedSkill(item, all) ?? ''));
  return [...new Map([...items, ...belonging].map((item) => [item.id, item])).values()];
}

/** The first free name for a copy beside `path`. `isTaken` says of a path whether something is there. */
export function freeCopyPath(path: EnginePath, connection: string, isTaken: (path: EnginePath) => boolean): EnginePath {
  const at = path.lastIndexOf('/') + 1;
  for (let number = 1; ; number += 1) {
    const copy = `${path.slice(0, at)}${makeCopyName(path.slice(at), connection, number)}`;
    if (!isTaken(copy)) return copy;
  }
}
