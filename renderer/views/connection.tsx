import type { ReactNode } from 'react';
import type { Bridge, ConnectionView as View } from '../../shared/contract';
import type { HistoryRow } from '../../shared/history-row';
import { hashOf } from '../../shared/route';
import type { RunReport } from '../../shared/run-report';
import { useAnswer } from '../application';
import { describeEnd } from '../attention';
import type { Commands } from '../commands';
import { Moment } from '../components/amounts';
import { BackLink } from '../components/back-link';
import { Chart, mostPoints } from '../components/chart';
import { DecisionList } from '../components/decision-list';
import { Glyph } from '../components/glyph';
import { GuardCard } from '../components/guard-card';
import { InboxList } from '../components/inbox-list';
import { Ledger } from '../components/ledger';
import { PathList } from '../components/path-list';
import { Place, RemoveConnection } from '../components/place';
import { describePhase, Progress } from '../components/progress';
import { RestorePoints } from '../components/restore-points';
import { RunBody } from '../components/run-body';
import { RunRow } from '../components/run-row';
import { SessionFoot } from '../components/session-foot';
import { OutcomeWord, StateWord } from '../components/state-word';
import { TestResult } from '../components/test-result';
import { Trouble } from '../components/trouble';
import { UndoCard } from '../components/undo-card';
import { formatMoment, visibleName } from '../format';
import { type ConnectionFacts, isRunning } from '../state';
import { locale, showDuration, words } from '../words';

interface Props {
  readonly bridge: Bridge;
  readonly view: View;
  readonly facts: ConnectionFacts;
  readonly commands: Commands;
  readonly now: number;
  /** What concerns the whole window, shown first. */
  readonly children?: ReactNode;
}

function LastTeardown({ view, run, now }: Pick<Props, 'view' | 'now'> & { readonly run: RunReport }) {
  return (
    <section className="block">
      <h2>
        {words.lastTeardown} · <Moment at={run.endedAt} now={now} />, {words.took(showDuration(run.durationMs))} ·{' '}
        <OutcomeWord outcome={run.outcome} />
      </h2>
      <div className="card">
        <RunBody run={run} />
        <PathList report={run} />
        <div className="actions">
          <a className="button" href={hashOf({ kind: 'inspection', id: view.id })}>
            {words.inspection.open}
          </a>
        </div>
      </div>
    </section>
  );
}

function LastStart({ run, now }: { readonly run: RunReport; readonly now: number }) {
  return (
    <section className="block">
      <h2>
        {words.lastStart} · <Moment at={run.endedAt} now={now} />, {words.took(showDuration(run.durationMs))} ·{' '}
        <OutcomeWord outcome={run.outcome} />
      </h2>
      <div className="card">
        <Ledger ledger={run.ledger} kind={run.kind} />
        <PathList report={run} />
      </div>
    </section>
  );
}

/** Runs that are listed here; the history has them all. */
const lastRuns = 5;

interface PastProps extends Pick<Props, 'bridge' | 'view' | 'now'> {
  readonly rows: readonly HistoryRow[];
  readonly version: string;
}

/** How the teardowns went over time, and the last runs. */
function Past({ bridge, view, now, rows, version }: PastProps) {
  const series = useAnswer(bridge, 'history.series', { connection: view.id, limit: mostPoints }, version);
  return (
    <>
      {series?.ok && <Chart points={series.value.points} now={now} />}
      <section className="block">
        <h2>{words.lastRuns}</h2>
        {rows.length === 0 ? (
          <p className="faint">{words.noHistory}</p>
        ) : (
          <ul className="card runs">
            {rows.map((row) => (
              <li key={row.run}>
                <RunRow row={row} now={now} named={false} />
              </li>
            ))}
            <li>
              <a className="more" href={hashOf({ kind: 'history', id: view.id })}>
                {words.history.all}
              </a>
            </li>
          </ul>
        )}
      </section>
    </>
  );
}

function waitingWord(view: View, facts: ConnectionFacts): string {
  if (view.asks !== null) return words.asks[view.asks];
  if (facts.asking === 'start') return words.starting;
  return facts.asking === 'end' ? words.ending : words.states.working;
}

/** One connection: what stands in the way, what waits, the last teardown with its ledger, and how it went before. */
export function ConnectionView(props: Props) {
  const { bridge, view, facts, commands, now, children } = props;
  const running = isRunning(view) || facts.asking === 'start' || facts.asking === 'end';
  // What it waits for says more than how far it came.
  const progress = view.asks === null ? facts.progress : null;
  const busy = running || facts.asking !== null;
  const said = facts.ended ? describeEnd(facts.ended) : facts.test?.ok ? words.testOk : '';
  const version = `${view.lastRun?.id} ${facts.ended?.id}`;
  const past = useAnswer(bridge, 'history.rows', { connection: view.id, limit: lastRuns }, version);
  const rows = past?.ok ? past.value.rows : [];
  const teardown = view.lastTeardown;
  const push = view.lastRun?.kind === 'push' && view.lastRun.stop === null && view.lastRun.error === null ? view.lastRun : null;
  return (
    <>
      <header>
        <BackLink />
        <h1 tabIndex={-1}>{visibleName(view.name)}</h1>
        <Glyph state={view.state} />
        <StateWord state={view.state} />
      </header>
      <main className="scroller">
        <p role="status" className="hidden">
          {running ? describePhase(progress, waitingWord(view, facts)) : said}
        </p>
        {children}
        {running && (
          <Progress
            progress={progress}
            waiting={waitingWord(view, facts)}
            cancelling={facts.cancelling}
            onCancel={() => commands.cancel(view.id)}
          />
        )}
        <Trouble view={view} facts={facts} commands={commands} busy={busy} />
        {view.failedTest !== null && facts.test === null && !busy && (
          <section className="card stop" role="alert">
            <strong>{words.testFailed(formatMoment(view.failedTest.at, now, locale))}</strong>
            <p className="wrap">{visibleName(view.failedTest.advice)}</p>
          </section>
        )}
        <Waiting view={view} facts={facts} commands={commands} now={now} busy={busy} />
        {teardown ? <LastTeardown view={view} run={teardown} now={now} /> : <p className="faint">{words.neverTornDown}</p>}
        {push && <LastStart run={push} now={now} />}
        <UndoCard connection={view.id} calls={commands.undo} busy={busy} now={now} lastRun={version} />
        <RestorePoints connection={view.id} remote={visibleName(view.name)} calls={commands.restore} busy={busy} lastRun={version} />
        {past !== null && <Past bridge={bridge} view={view} now={now} rows={rows} version={version} />}
        <DecisionList decisions={facts.decisions ?? []} now={now} busy={busy} onRevoke={(id) => commands.revoke(view.id, id)} />
        <Place view={view} />
        <div className="actions">
          <button type="button" disabled={busy} onClick={() => commands.test(view.id)}>
            {facts.asking === 'test' ? words.testing : words.test}
          </button>
          {view.remembers && (
            <button type="button" className="quiet" disabled={busy} onClick={() => commands.forgetSecrets(view.id)}>
              {words.prompt.forget}
            </button>
          )}
          <RemoveConnection name={view.name} busy={busy} onRemove={() => commands.remove(view.id)} />
        </div>
        {facts.test && <TestResult test={facts.test} busy={busy} onTrust={(key) => commands.test(view.id, key)} />}
      </main>
      <SessionFoot view={view} facts={facts} commands={commands} now={now} busy={busy} />
    </>
  );
}

/** What is held and what waits for a decision. A subtree that is held for its size says so itself. */
function Waiting({ view, facts, commands, now, busy }: Omit<Props, 'bridge' | 'children'> & { readonly busy: boolean }) {
  const alerts = (view.lastTeardown ?? view.lastRun)?.alerts ?? [];
  const items = facts.inbox ?? [];
  return (
    <>
      {view.watch === 'rescan' && <p className="faint">{words.guard.rescanOnly}</p>}
      {view.guard.map((event) => (
        <GuardCard key={event.id} event={event} calls={commands.guard} busy={busy} now={now} />
      ))}
      <InboxList
        items={items}
        alerts={alerts}
        now={now}
        remote={visibleName(view.name)}
        open={facts.openItem}
        busy={busy}
        decided={facts.ended}
        onOpen={(id) => commands.openItem(view.id, id)}
        onClose={() => commands.closeItem(view.id)}
        onResolve={(id, choice) => commands.resolve(view.id, id, choice)}
      />
    </>
  );
}
