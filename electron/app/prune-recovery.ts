import type { Connection } from '../../shared/connection';
import { fill } from '../../shared/phrase';
import { notePhrases } from '../../shared/phrases/notes';
import { pathPhrases } from '../../shared/phrases/paths';
import type { PathReport } from '../../shared/run-report';
import { type History, knowsRun } from './history';
import { settleRecord, withItems } from './prune-execute';
import type { PruneRecord, PruneRecords } from './prune-records';
import { localResult, makeReport } from './run-report';

export interface PruneRecoveryDeps {
  readonly records: PruneRecords;
  /** Names of what is kept of a run on this computer. */
  kept(home: string, store: string, run: string): Promise<ReadonlySet<string>>;
  readonly history: History;
  /** Null when it was removed meanwhile. */
  connection(id: string): Connection | null;
  readonly now: () => number;
}

/**
 * Reports every prune and clean that a process left in the middle as interrupted. Moves nothing: what went can be put back, and the
 * same can be done again. Only for the owner of the data folder, before its first run. Needs no remote. Returns remarks for the next report.
 */
export async function recoverPrunes(deps: PruneRecoveryDeps): Promise<readonly string[]> {
  const untold = (await deps.records.list()).filter(({ told }) => !told).reverse();
  const notes: string[] = [];
  for (const record of untold) {
    try {
      notes.push(...(await recoverPrune(deps, record)));
    } catch (error) {
      // It must not keep the app from starting; it is tried again at the next start.
      const problem = error instanceof Error ? error.message : String(error);
      notes.push(fill(notePhrases['not-looked-after'], { name: record.run, problem }));
    }
  }
  return notes;
}

async function recoverPrune(deps: PruneRecoveryDeps, record: PruneRecord): Promise<readonly string[]> {
  const { run, store, local } = record;
  const names = local === null ? new Set<string>() : await deps.kept(local.home, store, run);
  const held = { ...record, told: true, local: withItems(local, ({ name }) => names.has(name)) };
  const isKnown = await knowsRun(deps.history, run);
  const story = tell(deps, record, held);
  if (!isKnown) await report(deps, held, story);
  await settleRecord(deps.records, held);
  return isKnown ? [] : [story];
}

function tell({ connection }: PruneRecoveryDeps, record: PruneRecord, held: PruneRecord): string {
  const name = connection(record.connection)?.name ?? record.connection;
  const parts = [fill(notePhrases.interrupted, { run: record.kind, name, time: record.removedAt })];
  if (held.local === null && held.remote === null) return [...parts, notePhrases['had-changed-nothing']].join(' ');
  const gone = held.local?.items.length ?? 0;
  if (record.local !== null) parts.push(fill(notePhrases['gone-here'], { count: gone, total: record.local.items.length }));
  if (held.remote !== null) parts.push(fill(notePhrases['gone-there'], { count: held.remote.items.length }));
  return [...parts, notePhrases['removal-next']].join(' ');
}

async function report({ connection, history, now }: PruneRecoveryDeps, held: PruneRecord, story: string): Promise<void> {
  const reason = fill(pathPhrases['at-local'], { reason: pathPhrases['before-interrupted'] });
  const lines = (held.local?.items ?? []).map(({ path, bytes }): PathReport => {
    return { path, change: 'delete', bytes, outcome: 'removed', reason };
  });
  const { connection: id, run, kind, removedAt, remote } = held;
  const gone = { id, name: id, address: { kind: 'alias', alias: '' } } as const;
  await history.append(
    makeReport({
      ...{ connection: connection(id) ?? gone, runId: run, kind, startedAt: Date.parse(removedAt), endedAt: now(), sides: null },
      result: { ...localResult(lines, [story]), outcome: 'interrupted', remoteHome: remote?.home ?? null },
      ...{ failure: null, wire: { sent: 0, received: 0, handshake: 0 } },
    }),
  );
}
