import { type MouseEvent, type ReactNode, useCallback, useDeferredValue, useEffect, useState } from 'react';
import type { Bridge } from '../../shared/contract';
import type { HistoryRow } from '../../shared/history-row';
import type { Route } from '../../shared/route';
import type { RunOutcome } from '../../shared/run-report';
import { useAnswer } from '../application';
import { BackLink } from '../components/back-link';
import { ErrorCard } from '../components/error-card';
import { ExportButtons } from '../components/export-buttons';
import { LongList, useArrowKeys } from '../components/long-list';
import { RunRow } from '../components/run-row';
import { visibleName } from '../format';
import { showNumber, words } from '../words';

/** What is looked at in the history, kept while the reader looks at one of its runs. */
export interface HistoryPlace {
  search: string;
  outcome: RunOutcome | null;
  rows: readonly HistoryRow[] | null;
  /** The run that was opened last. */
  opened: string | null;
}

/** The history as it is opened first. */
export const wholeHistory: HistoryPlace = { search: '', outcome: null, rows: null, opened: null };

const rowHeight = 56;
/** Runs that are asked for before all of them: more than a window shows, and read at once. */
const firstRows = 100;
const keyOf = ({ run }: HistoryRow) => run;

interface Props {
  readonly bridge: Bridge;
  /** One connection's, or everyone's. */
  readonly connection: { readonly id: string; readonly name: string } | null;
  readonly now: number;
  readonly parent: Route;
  /** Changes when a run ended. */
  readonly lastRun: unknown;
  /** Written to as the reader looks around. */
  readonly place: HistoryPlace;
  readonly children?: ReactNode;
}

interface FilterProps {
  readonly place: HistoryPlace;
  readonly onChange: (change: Partial<HistoryPlace>) => void;
}

function Filters({ place, onChange }: FilterProps) {
  const said = words.history;
  return (
    <search className="filters">
      <input
        type="search"
        aria-label={said.search}
        placeholder={said.search}
        title={said.searchHint}
        value={place.search}
        onChange={(event) => onChange({ search: event.target.value })}
      />
      <select
        aria-label={said.outcome}
        value={place.outcome ?? ''}
        onChange={(event) => onChange({ outcome: event.target.value === '' ? null : (event.target.value as RunOutcome) })}
      >
        <option value="">{said.anyOutcome}</option>
        {Object.entries(words.outcomes).map(([outcome, word]) => (
          <option key={outcome} value={outcome}>
            {word}
          </option>
        ))}
      </select>
    </search>
  );
}

/** Past runs, newest first: searched, filtered, saved as a file. Each leads to its report. */
export function HistoryView({ bridge, connection, now, parent, lastRun, place, children }: Props) {
  const [, redraw] = useState(0);
  const change = (part: Partial<HistoryPlace>) => {
    Object.assign(place, part);
    redraw((times) => times + 1);
  };
  const search = useDeferredValue(place.search.trim());
  const of = connection === null ? {} : { connection: connection.id };
  const [wantsFirst] = useState(place.rows === null);
  const first = useAnswer(bridge, 'history.rows', wantsFirst ? { ...of, limit: firstRows } : null);
  const whole = { ...of, ...(search === '' ? {} : { search }) };
  const answer = useAnswer(bridge, 'history.rows', wantsFirst && first === null ? null : whole, lastRun);
  useEffect(() => {
    if (answer?.ok) place.rows = answer.value.rows;
  }, [answer, place]);
  const all = answer?.ok ? answer.value.rows : (place.rows ?? (first?.ok ? first.value.rows : null));
  const rows = place.outcome === null ? all : (all?.filter(({ outcome }) => outcome === place.outcome) ?? null);
  const draw = useCallback((row: HistoryRow) => <RunRow row={row} now={now} named={connection === null} />, [now, connection]);
  const arrows = useArrowKeys();
  const remember = (event: MouseEvent<HTMLElement>) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-run]') : null;
    if (link !== null) place.opened = link.dataset.run ?? null;
  };
  return (
    <>
      <header>
        <BackLink to={parent} />
        <h1 tabIndex={-1}>{connection === null ? words.history.title : words.history.titleOf(visibleName(connection.name))}</h1>
      </header>
      <Filters place={place} onChange={change} />
      <main className="scroller history" onKeyDown={arrows} onClick={remember}>
        {children}
        {answer?.ok === false && <ErrorCard title={words.failedTitle} error={answer.error} />}
        {rows === null && answer === null && <p className="faint">{words.history.loading}</p>}
        {rows !== null && rows.length > 0 && (
          <LongList items={rows} keyOf={keyOf} rowHeight={rowHeight} label={words.history.title} className="card runs" start={place.opened}>
            {draw}
          </LongList>
        )}
        {rows?.length === 0 && answer !== null && <Nothing place={place} onChange={change} />}
      </main>
      <footer>
        <span className="grow" role="status">
          {rows === null || answer === null ? '' : words.history.runs(rows.length, showNumber(rows.length))}
        </span>
        <ExportButtons bridge={bridge} connection={connection?.id} />
      </footer>
    </>
  );
}

function Nothing({ place, onChange }: FilterProps) {
  const filtered = place.search !== '' || place.outcome !== null;
  return (
    <div className="card">
      <p>{filtered ? words.history.none : words.history.noneYet}</p>
      {filtered && (
        <div className="actions">
          <button type="button" onClick={() => onChange({ search: '', outcome: null })}>
            {words.history.showAll}
          </button>
        </div>
      )}
    </div>
  );
}
