import type { SideName } from '../../shared/inspection';
import { fill } from '../../shared/phrase';
import { notePhrases } from '../../shared/phrases/notes';
import { pathPhrases } from '../../shared/phrases/paths';
import { canBeChosen, type Plan } from '../../shared/plan';
import type { PathReport, Stop } from '../../shared/run-report';
import { emptyLedger, tally } from '../engine/ledger';
import type { PreparedPlan } from '../hygiene/prune';
import type { SideFailures } from './prune-execute';
import type { PruneItem, PruneRecord } from './prune-records';
import type { Looked } from './prune-sides';
import type { ReportedResult } from './run-report';

const sideNames = ['local', 'remote'] as const;
const at = (side: SideName, reason: string) => fill(pathPhrases[side === 'local' ? 'at-local' : 'at-remote'], { reason });
const ledger = { ...emptyLedger, refused: { ...emptyLedger.refused, estimated: false } };

/** A plan that was only made, or was stopped. */
export function plannedResult({ plan, leaving }: PreparedPlan, stop: Stop | null, looked: Looked): ReportedResult {
  const { bytes } = tally([...leaving.local, ...leaving.remote].map((entry) => entry.bytes));
  const going = leaving.local.length + leaving.remote.length;
  const note = going === 0 ? nothingGoes(plan) : fill(notePhrases['can-go'], { count: going, bytes });
  return {
    ...{ outcome: stop === null ? 'done' : 'stopped', stop, ledger, paths: [], pathsOmitted: 0 },
    ...{ remoteHome: looked.remoteHome, plan, notes: [...looked.problems, note] },
  };
}

function nothingGoes({ lines }: Plan): string {
  const open = lines.filter(canBeChosen).length;
  return open === 0 ? notePhrases['none-can-go'] : fill(notePhrases['none-chosen'], { count: open });
}

export interface CarriedFacts {
  readonly failed: SideFailures;
  /** Deleted for good at once. */
  readonly freed: boolean;
}

/** A plan that was carried out. */
export function carriedResult(prepared: PreparedPlan, looked: Looked, { failed, freed }: CarriedFacts, until: Date): ReportedResult {
  const paths = sideNames.flatMap((side) =>
    prepared.leaving[side].map(({ path, bytes, reason }): PathReport => {
      const problem = failed[side].get(path);
      if (problem !== undefined) return { path, outcome: 'failed', change: 'delete', bytes, reason: at(side, problem) };
      return { path, outcome: 'removed', change: 'delete', bytes, reason: at(side, reason) };
    }),
  );
  const gone = sideNames.flatMap((side) => prepared.leaving[side].filter(({ path }) => !failed[side].has(path)));
  const removed = sumOf(gone);
  const day = until.toISOString().slice(0, 10);
  const note = freed
    ? fill(notePhrases['free-now'], { bytes: removed.bytes })
    : fill(notePhrases['free-later'], { bytes: removed.bytes, day });
  return {
    ...{ outcome: paths.some(({ outcome }) => outcome === 'failed') ? 'partly' : 'done', stop: null, pathsOmitted: 0 },
    ...{ ledger: { ...ledger, removed }, paths, plan: prepared.plan },
    ...{ remoteHome: looked.remoteHome, notes: [...looked.problems, note] },
  };
}

export interface RestoredFacts {
  readonly record: PruneRecord;
  /** What of the record was kept until now: anything else never went, or came back before. */
  readonly held: PruneRecord;
  readonly failed: SideFailures;
}

/** What came back. */
export function restoredResult({ record, held, failed }: RestoredFacts): ReportedResult {
  const toldOf = (side: SideName) => {
    const names = new Set(held[side]?.items.map(({ name }) => name));
    return record[side]?.items.filter(({ name, path }) => names.has(name) || failed[side].has(path)) ?? [];
  };
  const paths = sideNames.flatMap((side) =>
    toldOf(side).map(({ path, bytes }): PathReport => {
      const problem = failed[side].get(path);
      const line = { path, change: 'create' as const, bytes };
      if (problem !== undefined) return { ...line, outcome: 'failed', reason: at(side, problem) };
      return { ...line, outcome: 'written', reason: at(side, pathPhrases['put-back']) };
    }),
  );
  const back = sideNames.flatMap((side) => toldOf(side).filter(({ path }) => !failed[side].has(path)));
  return {
    ...{ outcome: paths.some(({ outcome }) => outcome === 'failed') ? 'partly' : 'done', stop: null, pathsOmitted: 0 },
    ...{ ledger: { ...ledger, written: sumOf(back) }, paths, remoteHome: record.remote?.home ?? null, notes: [] },
  };
}

/** What was deleted for good: what of the record was kept until now. Its files were counted as removed by the run that took them. */
export function freedResult(record: PruneRecord, held: PruneRecord): ReportedResult {
  const note = sideNames
    .flatMap((side) => {
      if (record[side] === null) return [];
      return [fill(notePhrases[side === 'local' ? 'freed-here' : 'freed-there'], { bytes: sumOf(held[side]?.items ?? []).bytes })];
    })
    .join(' ');
  return {
    ...{ outcome: 'done', stop: null, ledger, paths: [], pathsOmitted: 0 },
    ...{ remoteHome: record.remote?.home ?? null, notes: [note] },
  };
}

function sumOf(items: readonly Pick<PruneItem, 'files' | 'bytes'>[]): { readonly files: number; readonly bytes: number } {
  return items.reduce((sum, { files, bytes }) => ({ files: sum.files + files, bytes: sum.bytes + bytes }), { files: 0, bytes: 0 });
}
