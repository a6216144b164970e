import type { ArrivalKind, ArrivedPart } from '../../shared/guard';
import type { Tally } from '../../shared/run-report';
import { alertOnce, refusedBytes } from '../engine/alerts';
import type { EnginePath } from '../engine/entry';
import { detectGrowth } from '../engine/growth';
import type { GrowthFacts } from '../engine/growth-context';
import { usualOf } from '../engine/growth-figures';
import { type PlannedFile, parentOf } from '../engine/growth-tree';
import { skillFolders } from '../engine/reconcile';
import type { Footprint, Unit } from './footprint';
import { hubLockPath } from './hub-lock';

/** Bookkeeping that a sync-back of Hermes brought is worth a word from here on; under it, it bothers nobody. */
const broughtBytes = 1_000_000;
const mostParts = 20;

export interface ArrivalInput {
  readonly before: Footprint;
  readonly now: Footprint;
  /** What runs of ours wrote or removed in between. */
  readonly own: OwnPaths;
  /** Hermes synced back in between. */
  readonly byHermes: boolean;
  /** What earlier teardowns brought, and what is expected. */
  readonly growth: Pick<GrowthFacts, 'usual' | 'expected'>;
  readonly roots: readonly EnginePath[];
  /** Bytes of bookkeeping that were last told of; null when none were. */
  readonly alerted: number | null;
}

/** Paths that runs of ours wrote or removed; `allInScope` when they were too many to be listed. */
export interface OwnPaths {
  readonly paths: readonly EnginePath[];
  readonly allInScope: boolean;
}

/** What appeared, when it is worth a word. */
export interface Arrival {
  readonly kinds: readonly ArrivalKind[];
  readonly amount: Tally;
  readonly usual: number;
  readonly culprit: EnginePath;
  readonly parts: readonly ArrivedPart[];
}

/** Compares two footprints. Pure. `alerted` is what is to be remembered, so that the same is not told again before it grew much. */
export function findArrival(input: ArrivalInput): { readonly arrival: Arrival | null; readonly alerted: number | null } {
  const { before, now } = input;
  if (before.root !== 'ok' || now.root !== 'ok') return { arrival: null, alerted: input.alerted };
  const changed = changedUnits(input);
  const bookkeeping = findBookkeeping(input, changed);
  const growth = findGrowth(input, changed);
  const found = [bookkeeping.found, growth].filter((part) => part !== null);
  return { arrival: found.length === 0 ? null : join(found, input), alerted: bookkeeping.alerted };
}

interface Changed extends Unit {
  readonly path: EnginePath;
  readonly before: Unit | null;
}

interface Found {
  readonly kind: ArrivalKind;
  readonly culprit: EnginePath;
  readonly parts: readonly ArrivedPart[];
}

/** New units and those that are not as they were, without our own work. */
function changedUnits({ before, now, own }: ArrivalInput): readonly Changed[] {
  const written = new Set(own.paths);
  const isOwn = (path: EnginePath, { tree }: Unit): boolean => {
    if (tree === null && own.allInScope) return true;
    // A folder that was put back whole is one path of its run.
    for (let at = path; at !== ''; at = parentOf(at)) if (written.has(at)) return true;
    return false;
  };
  return [...now.units].flatMap(([path, unit]) => {
    const known = before.units.get(path) ?? null;
    const isSame = known !== null && known.bytes === unit.bytes && known.newest === unit.newest && known.files === unit.files;
    return isSame || isOwn(path, unit) ? [] : [{ path, ...unit, before: known }];
  });
}

function findBookkeeping({ now, byHermes, alerted }: ArrivalInput, changed: readonly Changed[]) {
  const byTree = new Map<EnginePath, ArrivedPart>();
  for (const unit of changed) {
    // The hub's lock file is told of by itself.
    if (unit.tree === null || unit.path === hubLockPath) continue;
    const known = byTree.get(unit.tree) ?? { path: unit.tree, files: 0, bytes: 0 };
    const files = known.files + Math.max(0, unit.files - (unit.before?.files ?? 0));
    const bytes = known.bytes + Math.max(0, unit.bytes - (unit.before?.bytes ?? 0));
    byTree.set(unit.tree, { path: unit.tree, files, bytes });
  }
  const parts = largestFirst([...byTree.values()].filter(({ bytes }) => bytes > 0));
  const arrived = sum(parts).bytes;
  const total = sum([...now.units.values()].filter(({ tree }) => tree !== null)).bytes;
  const [largest] = parts;
  const isMuch = arrived >= (byHermes ? broughtBytes : refusedBytes) && largest !== undefined;
  const found: Found | null = isMuch ? { kind: 'bookkeeping', culprit: largest.path, parts } : null;
  const once = alertOnce(total, alerted, true, found);
  return { found: once.alert, alerted: once.alerted };
}

/** The figures of a teardown, for what appeared here without one. */
function findGrowth({ before, growth, roots }: ArrivalInput, changed: readonly Changed[]): Found | null {
  const planned = changed.flatMap(({ path, tree, bytes, newest, before: known }): readonly PlannedFile[] =>
    tree === null ? [{ path, bytes, before: known?.bytes ?? null, mtime: newest }] : [],
  );
  if (planned.length === 0) return null;
  const knownFolders = new Set<EnginePath>(roots);
  for (const path of before.units.keys())
    for (let at = parentOf(path); at !== '' && !knownFolders.has(at); at = parentOf(at)) knownFolders.add(at);
  const skills = skillFolders(before.units, new Map(planned.map((file) => [file.path, file])));
  const { held } = detectGrowth({ ...growth, released: [], declined: [], held: [], roots, planned, knownFolders, skills });
  const parts = largestFirst(held.map(({ path, files, bytes }) => ({ path, files, bytes })));
  const [largest] = parts;
  return largest === undefined ? null : { kind: 'growth', culprit: largest.path, parts };
}

function join(found: readonly Found[], { growth }: ArrivalInput): Arrival {
  const parts = largestFirst(found.flatMap((one) => one.parts));
  const usual = usualOf(growth.usual)?.bytes ?? 0;
  return {
    ...{ kinds: found.map(({ kind }) => kind), amount: sum(parts), usual },
    ...{ culprit: parts[0]?.path ?? '', parts: parts.slice(0, mostParts) },
  };
}

function largestFirst(parts: readonly ArrivedPart[]): readonly ArrivedPart[] {
  return parts.toSorted((a, b) => b.bytes - a.bytes || b.files - a.files || (a.path < b.path ? -1 : 1));
}

function sum(parts: readonly Tally[]): Tally {
  return parts.reduce<Tally>((all, { files, bytes }) => ({ files: all.files + files, bytes: all.bytes + bytes }), { files: 0, bytes: 0 });
}
