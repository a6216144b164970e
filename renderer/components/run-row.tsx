import { formatExactBytes } from '../../shared/bytes';
import type { HistoryRow } from '../../shared/history-row';
import { hashOf } from '../../shared/route';
import { visibleName } from '../format';
import { locale, showRoughBytes, words } from '../words';
import { Moment } from './amounts';
import { OutcomeWord } from './state-word';

function Rough({ value }: { readonly value: number }) {
  return (
    <span className="number" title={formatExactBytes(value, locale)}>
      {showRoughBytes(value)}
    </span>
  );
}

/** What was written and what was refused: the two figures that matter. */
export function Moved({ written, refused }: { readonly written: number; readonly refused: number }) {
  return (
    <span className="moved">
      <Rough value={written} /> {words.written}, <Rough value={refused} /> {words.refused}
    </span>
  );
}

/** One past run in a list; leads to its report. */
export function RunRow({ row, now, named }: { readonly row: HistoryRow; readonly now: number; readonly named: boolean }) {
  return (
    <a className="run" href={hashOf({ kind: 'run', id: row.run })} data-run={row.run}>
      <span className="run-kind">
        {words.kinds[row.kind]}
        {named && <span className="run-name"> · {visibleName(row.connection.name)}</span>}
      </span>
      <Moment at={row.endedAt} now={now} />
      <span className="faint run-amount">
        <OutcomeWord outcome={row.outcome} />
        {row.written + row.refused > 0 && (
          <>
            {' · '}
            <Moved written={row.written} refused={row.refused} />
          </>
        )}
        {row.written + row.refused === 0 && row.removed > 0 && (
          <>
            {' · '}
            <Rough value={row.removed} /> {words.pathOutcomes.removed}
          </>
        )}
      </span>
    </a>
  );
}
