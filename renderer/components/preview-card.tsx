import type { PathReport, RunReport } from '../../shared/run-report';
import { showBytes, showNumber, words } from '../words';
import { Amount, Line, Refused } from './ledger';
import { Fold, Paths } from './path-list';

function countOf(paths: readonly PathReport[], ...outcomes: readonly PathReport['outcome'][]): number {
  return paths.filter(({ outcome }) => outcomes.includes(outcome)).length;
}

/** What a start would send and what would stay here, before anything moves. */
export function PreviewCard({ report }: { readonly report: RunReport }) {
  const said = words.add;
  const { refused } = report.ledger;
  const sent = report.planned?.written ?? { files: 0, bytes: 0 };
  const differing = countOf(report.paths, 'conflict', 'held');
  const listed = report.paths.length + report.pathsOmitted;
  return (
    <section className="card">
      <p>
        <strong>
          {sent.files === 0 ? said.nothingToSend : `${said.willSend(sent.files, showNumber(sent.files))} (${showBytes(sent.bytes)}).`}
        </strong>{' '}
        {refused.files === 0
          ? said.nothingStays
          : `${said.stays(refused.files, showNumber(refused.files))} (${refused.estimated ? `${words.ledger.atLeast} ` : ''}${showBytes(refused.bytes)}).`}
      </p>
      <dl className="ledger">
        <Line
          lead
          name={
            <>
              <span className="swatch swatch-written" aria-hidden="true" />
              {said.goes}
            </>
          }
        >
          <Amount tally={sent} />
        </Line>
        <Refused ledger={report.ledger} outgoing />
        <Line name={words.ledger.unchanged}>
          <Amount tally={report.ledger.unchanged} />
        </Line>
      </dl>
      {differing > 0 && (
        <p className="held">
          {words.waiting(differing, showNumber(differing))}. {said.ownWay}
        </p>
      )}
      {listed > 0 && (
        <Fold summary={said.showList(listed, showNumber(listed))}>
          {() => (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
            <section className="scroller box" tabIndex={0} aria-label={words.history.files}>
              <Paths report={report} />
            </section>
          )}
        </Fold>
      )}
      <p className="faint">{said.nothingMoved}</p>
    </section>
  );
}
