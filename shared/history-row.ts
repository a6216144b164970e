import type { RunKind, RunOutcome, RunReport } from './run-report';

/** One past run as a list shows it; the whole report is asked for by its id. */
export interface HistoryRow {
  /** The run's id. */
  readonly run: string;
  readonly kind: RunKind;
  readonly connection: RunReport['connection'];
  /** ISO 8601. */
  readonly endedAt: string;
  readonly outcome: RunOutcome;
  /** Bytes. */
  readonly written: number;
  /** Bytes. */
  readonly removed: number;
  /** Bytes. */
  readonly refused: number;
}
