import type { RunOutcome } from './run-report';

/** One finished teardown in a connection's series. All numbers are bytes. */
export interface SeriesPoint {
  /** The run's id. */
  readonly run: string;
  /** ISO 8601. */
  readonly endedAt: string;
  readonly outcome: RunOutcome;
  /** Came home. */
  readonly written: number;
  /** Stayed on the remote by a rule, restore points included. */
  readonly refused: number;
  /** Restore points that lie on the remote. */
  readonly restorePoints: number;
  /** What stayed was not counted to the end: `refused` and `restorePoints` are at least so much. */
  readonly estimated: boolean;
}

/** How a history can leave the app: whole reports, one a line; or one row of figures a run. */
export const exportFormats = ['jsonl', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** A part of an exported history, newest run first. All parts one after the other are the file. */
export interface ExportPart {
  readonly text: string;
  /** What to ask for as `before` to get the next part; null after the last one. */
  readonly next: string | null;
}
