import { useState } from 'react';
import type { SeriesPoint } from '../../shared/history';
import { formatMoment } from '../format';
import { locale, showBytes, showNumber, words } from '../words';
import { Bytes, Moment } from './amounts';
import { Fold } from './path-list';
import { OutcomeWord } from './state-word';

/** Teardowns that are drawn; the history has them all. */
export const mostPoints = 60;
const height = 64;
const width = 340;

/** One teardown in the chart: heights in pixels, from the bottom. */
export interface ChartColumn {
  readonly run: string;
  readonly written: number;
  readonly refused: number;
}

/** The largest sum of written and refused bytes, which fills the height. */
export function peakOf(points: readonly SeriesPoint[]): number {
  return points.reduce((most, { written, refused }) => Math.max(most, written + refused), 0);
}

/** Columns to scale, oldest first. What is not nothing shows. */
export function chartColumns(points: readonly SeriesPoint[]): readonly ChartColumn[] {
  const most = Math.max(1, peakOf(points));
  const scale = (bytes: number) => (bytes === 0 ? 0 : Math.max(2, Math.round((bytes / most) * (height - 2))));
  return points.map(({ run, written, refused }) => ({ run, written: scale(written), refused: scale(refused) }));
}

function Columns({ points, onPoint }: { readonly points: readonly SeriesPoint[]; readonly onPoint: (index: number | null) => void }) {
  const step = width / Math.max(points.length, 12);
  const bar = Math.max(1.5, step * 0.72);
  return (
    <svg
      className="chart"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={words.history.chartLabel}
      onPointerLeave={() => onPoint(null)}
    >
      {chartColumns(points).map(({ run, written, refused }, index) => (
        <g key={run} onPointerEnter={() => onPoint(index)}>
          <rect className="chart-hit" x={index * step} width={step} height={height} />
          <rect className="bar-refused" x={index * step} y={height - written - refused} width={bar} height={refused} />
          <rect className="bar-written" x={index * step} y={height - written} width={bar} height={written} />
        </g>
      ))}
    </svg>
  );
}

function Figures({ points, now }: { readonly points: readonly SeriesPoint[]; readonly now: number }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="box" tabIndex={0} aria-label={words.history.chartTable}>
      <table className="figures">
        <thead>
          <tr>
            <th scope="col">{words.history.ended}</th>
            <th scope="col">{words.history.written}</th>
            <th scope="col">{words.history.refused}</th>
            <th scope="col">{words.history.outcome}</th>
          </tr>
        </thead>
        <tbody>
          {points.toReversed().map(({ run, endedAt, written, refused, outcome, estimated }) => (
            <tr key={run}>
              <th scope="row">
                <Moment at={endedAt} now={now} />
              </th>
              <td>
                <Bytes value={written} />
              </td>
              <td>
                {estimated && `${words.ledger.atLeast} `}
                <Bytes value={refused} />
              </td>
              <td>
                <OutcomeWord outcome={outcome} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Written and refused bytes of a connection's teardowns over time, oldest first, with the figures in a table behind it. */
export function Chart({ points, now }: { readonly points: readonly SeriesPoint[]; readonly now: number }) {
  const [pointed, setPointed] = useState<number | null>(null);
  const first = points[0];
  if (first === undefined || points.length < 2) return null;
  const shown = pointed === null ? null : points[pointed];
  return (
    <section className="block">
      <h2>{words.history.chart(points.length, showNumber(points.length))}</h2>
      <div className="card chart-card">
        <Columns points={points} onPoint={setPointed} />
        <p className="line faint number chart-axis">
          <span className="grow">{formatMoment((shown ?? first).endedAt, now, locale)}</span>
          <span>
            <span className="swatch swatch-written" aria-hidden="true" />
            {words.history.written}
            {shown && ` ${showBytes(shown.written)}`}
          </span>
          <span>
            <span className="swatch swatch-refused" aria-hidden="true" />
            {words.history.refused}
            {shown && ` ${showBytes(shown.refused)}`}
          </span>
        </p>
        <Fold summary={words.history.chartTable}>{() => <Figures points={points} now={now} />}</Fold>
      </div>
    </section>
  );
}
