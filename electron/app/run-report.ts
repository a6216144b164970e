import type { Connection } from '../../shared/connection';
import { AppError, toWireError } from '../../shared/errors';
import type { Plan } from '../../shared/plan';
import type { PathReport, RunKind, RunReport } from '../../shared/run-report';
import { emptyLedger, tally } from '../engine/ledger';
import { listPaths, outcomeOf } from '../engine/report';
import type { RunResult } from '../engine/run';
import type { OpenSides } from './sides';

/** What a run has to tell, whatever it did. */
export interface ReportedResult extends Pick<RunResult, 'outcome' | 'stop' | 'ledger' | 'paths' | 'pathsOmitted' | 'notes'> {
  readonly alerts?: RunResult['alerts'];
  readonly planned?: RunResult['planned'];
  /** Null when the remote was not reached. */
  readonly remoteHome: string | null;
  /** What a prune or clean would do, or did. */
  readonly plan?: Plan;
}

/** The result of a run that only changed files here: everything it tells is in its lines. */
export function localResult(lines: readonly PathReport[], notes: readonly string[]): ReportedResult {
  const sum = (outcome: PathReport['outcome']) => tally(lines.flatMap((line) => (line.outcome === outcome ? [line.bytes] : [])));
  const refused = { ...emptyLedger.refused, estimated: false };
  return {
    outcome: outcomeOf(null, lines),
    stop: null,
    ledger: { ...emptyLedger, refused, written: sum('written'), removed: sum('removed') },
    ...listPaths(lines),
    notes,
    remoteHome: null,
  };
}

export interface ReportParts {
  readonly connection: Pick<Connection, 'id' | 'name' | 'address'>;
  readonly runId: string;
  readonly kind: RunKind;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly sides: Pick<OpenSides, 'address' | 'hostKey'> | null;
  readonly result: ReportedResult | null;
  readonly failure: unknown;
  readonly wire: RunReport['ledger']['wire'];
}

/** The record of one run. */
export function makeReport(parts: ReportParts): RunReport {
  const { connection, sides, result, failure } = parts;
  const failed = failure !== null;
  const cancelled = failure instanceof AppError && failure.code === 'run.cancelled';
  const known = connection.address.kind === 'address' ? connection.address : { user: '', host: connection.address.alias, port: 0 };
  const { user, host, port } = sides?.address ?? known;
  return {
    schema: 1,
    id: parts.runId,
    kind: parts.kind,
    connection: { id: connection.id, name: connection.name },
    remote: { user, host, port, hostKey: sides?.hostKey ?? null, home: result?.remoteHome ?? null },
    startedAt: new Date(parts.startedAt).toISOString(),
    endedAt: new Date(parts.endedAt).toISOString(),
    durationMs: Math.max(0, parts.endedAt - parts.startedAt),
    outcome: failed ? (cancelled ? 'interrupted' : 'failed') : (result?.outcome ?? 'failed'),
    stop: result?.stop ?? null,
    ledger: { ...(result?.ledger ?? emptyLedger), wire: parts.wire },
    paths: result?.paths ?? [],
    pathsOmitted: result?.pathsOmitted ?? 0,
    alerts: result?.alerts ?? [],
    notes: result?.notes ?? [],
    ...(result?.planned === undefined ? {} : { planned: result.planned }),
    ...(result?.plan === undefined ? {} : { plan: result.plan }),
    error: failed ? toWireError(failure) : null,
  };
}
