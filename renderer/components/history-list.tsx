import type { RunReport } from '../../shared/run-report';
import { words } from '../words';
import { Moment } from './amounts';
import { Chart } from './chart';
import { Ledger } from './ledger';
import { Moved } from './moved';
import { Fold, PathList } from './path-list';
import { OutcomeWord } from './state-word';

function Summary({ run, now }: { readonly run: RunReport; readonly now: number }) {
  return (
    <span className="run">
      <span className="run-kind">{words.kinds[run.kind]}</span>
      <OutcomeWord outcome={run.outcome} />
      <Moment at={run.endedAt} now={now} />
      <span className="faint run-amount">
        <Moved ledger={run.ledger} />
      </span>
    </span>
  );
}

/** The last runs, newest first; each opens to its ledger and files. */
export function HistoryList({ runs, now }: { readonly runs: readonly RunReport[]; readonly now: number }) {
  return (
    <section className="block">
      <h2>{words.history}</h2>
      {runs.length === 0 ? (
        <p className="faint">{words.noHistory}</p>
      ) : (
        <div className="card">
          <Chart runs={runs} />
          <ul className="list runs">
            {runs.map((run) => (
              <li key={run.id}>
                <Fold summary={<Summary run={run} now={now} />}>
                  {() => (
                    <>
                      {run.stop && <p className="wrap">{run.stop.message}</p>}
                      {run.error && <p className="wrap">{run.error.message}</p>}
                      <Ledger ledger={run.ledger} kind={run.kind} />
                      <PathList report={run} />
                    </>
                  )}
                </Fold>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}
