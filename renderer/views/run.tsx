import type { ReactNode } from 'react';
import type { Bridge } from '../../shared/contract';
import type { Route } from '../../shared/route';
import type { RunReport } from '../../shared/run-report';
import { useAnswer } from '../application';
import { errorTitle } from '../attention';
import { Literal, Moment } from '../components/amounts';
import { BackLink } from '../components/back-link';
import { ErrorCard } from '../components/error-card';
import { Paths } from '../components/path-list';
import { PlanLines } from '../components/plan-lines';
import { RunBody } from '../components/run-body';
import { OutcomeWord } from '../components/state-word';
import { StopFacts } from '../components/stop-card';
import { formatExactMoment, visibleName } from '../format';
import { locale, showDuration, words } from '../words';

function Facts({ run, now }: { readonly run: RunReport; readonly now: number }) {
  const { user, host, port, hostKey } = run.remote;
  return (
    <dl className="facts place">
      <dt>{words.history.outcome}</dt>
      <dd>
        <OutcomeWord outcome={run.outcome} />
      </dd>
      <dt>{words.history.ended}</dt>
      <dd>
        {formatExactMoment(run.endedAt, locale)} (<Moment at={run.endedAt} now={now} />)
      </dd>
      <dt>{words.history.took}</dt>
      <dd>{showDuration(run.durationMs)}</dd>
      {hostKey !== null && (
        <>
          <dt>{words.reached}</dt>
          <dd>
            <Literal text={`${user}@${host}:${port}`} />
          </dd>
        </>
      )}
    </dl>
  );
}

function Report({ run, now }: { readonly run: RunReport; readonly now: number }) {
  return (
    <>
      <Facts run={run} now={now} />
      {run.error && <ErrorCard title={errorTitle(run.error.code)} error={run.error} />}
      {run.stop && (
        <section className="card hold">
          <strong>{words.guards[run.stop.guard]}</strong>
          <StopFacts stop={run.stop} />
        </section>
      )}
      {run.outcome !== 'failed' && (
        <div className="card">
          <RunBody run={run} />
        </div>
      )}
      {run.plan && (
        <div className="card">
          <PlanLines lines={run.plan.lines} where={words.restore.plan} />
        </div>
      )}
      <section className="block">
        <h2>{words.history.files}</h2>
        {run.paths.length + run.pathsOmitted === 0 ? <p className="faint">{words.history.noFiles}</p> : <Paths report={run} />}
      </section>
    </>
  );
}

interface Props {
  readonly bridge: Bridge;
  readonly id: string;
  readonly now: number;
  readonly parent: Route;
  readonly children?: ReactNode;
}

/** One past run: how it ended, its ledger and its files. */
export function RunView({ bridge, id, now, parent, children }: Props) {
  const answer = useAnswer(bridge, 'history.run', { run: id });
  const run = answer?.ok ? answer.value : null;
  return (
    <>
      <header>
        <BackLink to={parent} />
        <h1 tabIndex={-1}>{run === null ? words.history.title : `${words.kinds[run.kind]} · ${visibleName(run.connection.name)}`}</h1>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard, and there may be nothing to press in it */}
      <main className="scroller" tabIndex={0}>
        {children}
        {answer === null && <p className="faint">{words.history.loading}</p>}
        {answer?.ok === false && <ErrorCard title={words.failedTitle} error={answer.error} />}
        {run && <Report run={run} now={now} />}
      </main>
    </>
  );
}
