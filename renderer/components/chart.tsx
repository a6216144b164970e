import type { RunReport } from '../../shared/run-report';
import { words } from '../words';

const height = 48;
const step = 11;
const barWidth = 8;

/** One teardown in the chart: heights in pixels, from the bottom. */
export interface ChartColumn {
  readonly id: string;
  readonly written: number;
  readonly refused: number;
}

/** Teardowns that reached the remote, oldest first, scaled so that the largest fills the height. What is not nothing shows. */
export function chartColumns(runs: readonly RunReport[]): readonly ChartColumn[] {
  const reached = runs.filter((run) => run.kind === 'sync-back' && run.ledger.written.bytes + run.ledger.refused.bytes > 0).toReversed();
  const most = Math.max(1, ...reached.map((run) => run.ledger.written.bytes + run.ledger.refused.bytes));
  const scale = (bytes: number) => (bytes === 0 ? 0 : Math.max(2, Math.round((bytes / most) * (height - 2))));
  return reached.map((run) => ({ id: run.id, written: scale(run.ledger.written.bytes), refused: scale(run.ledger.refused.bytes) }));
}

/** Written and refused bytes of the last teardowns, oldest on the left. The list below it says the same in words. */
export function Chart({ runs }: { readonly runs: readonly RunReport[] }) {
  const columns = chartColumns(runs);
  if (columns.length < 3) return null;
  const width = columns.length * step;
  return (
    <svg className="chart" viewBox={`0 0 ${width} ${height + 2}`} width={width} height={height + 2} role="img" aria-label={words.chart}>
      {columns.map(({ id, written, refused }, index) => (
        <g key={id}>
          <rect className="bar-refused" x={index * step} y={height + 2 - written - refused} width={barWidth} height={refused} />
          <rect className="bar-written" x={index * step} y={height + 2 - written} width={barWidth} height={written} />
        </g>
      ))}
    </svg>
  );
}
