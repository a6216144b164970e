import type { ReactNode } from 'react';
import type { ConnectionView as View } from '../../shared/contract';
import type { RunReport } from '../../shared/run-report';
import { describeEnd, describeSession, errorTitle } from '../attention';
import type { Commands } from '../commands';
import { HeldAlerts, Remarks } from '../components/alert-list';
import { Literal, Moment } from '../components/amounts';
import { BackLink } from '../components/back-link';
import { DecisionList } from '../components/decision-list';
import { ErrorCard } from '../components/error-card';
import { Glyph } from '../components/glyph';
import { HistoryList } from '../components/history-list';
import { InboxList } from '../components/inbox-list';
import { Ledger } from '../components/ledger';
import { PathList } from '../components/path-list';
import { describePhase, Progress } from '../components/progress';
import { RestorePoints } from '../components/restore-points';
import { OutcomeWord, StateWord } from '../components/state-word';
import { StopCard } from '../components/stop-card';
import { TestResult } from '../components/test-result';
import { UndoCard } from '../components/undo-card';
import { visibleName } from '../format';
import type { ConnectionFacts } from '../state';
import { showDuration, showOpenFor, words } from '../words';

interface Props {
  readonly view: View;
  readonly facts: ConnectionFacts;
  readonly commands: Commands;
  readonly now: number;
  /** What concerns the whole window, shown first. */
  readonly children?: ReactNode;
}

function fingerprintOf(error: { readonly code: string; readonly details: unknown }): string | null {
  if (error.code !== 'ssh.host-key-unknown') return null;
  const fingerprint = (error.details as { readonly fingerprint?: unknown } | null)?.fingerprint;
  return typeof fingerprint === 'string' ? fingerprint : null;
}

/** What stands in the way: the refused request, the stop or the failure of the last run. Nothing while a run goes on. */
function Trouble({ view, facts, commands, busy }: Omit<Props, 'now' | 'children'> & { readonly busy: boolean }) {
  if (busy) return null;
  const run = view.lastRun;
  const error = facts.problem ?? (run?.outcome === 'interrupted' ? null : (run?.error ?? null));
  const fingerprint = error === null ? null : fingerprintOf(error);
  return (
    <>
      {error && (
        <ErrorCard title={errorTitle(error.code)} error={error}>
          {fingerprint !== null && (
            <div className="actions">
              <button type="button" onClick={() => commands.test(view.id, fingerprint)}>
                {words.trustKey}
              </button>
              <span className="faint grow">{words.trustHint}</span>
            </div>
          )}
        </ErrorCard>
      )}
      {run?.stop && (
        <StopCard stop={run.stop} kind={run.kind} disabled={busy} onAllow={() => commands.repeat(view.id, run, facts.allowed)} />
      )}
    </>
  );
}

function LastTeardown({ run, now }: { readonly run: RunReport; readonly now: number }) {
  return (
    <section className="block">
      <h2>
        {words.lastTeardown} · <Moment at={run.endedAt} now={now} />, {words.took(showDuration(run.durationMs))} ·{' '}
        <OutcomeWord outcome={run.outcome} />
      </h2>
      <div className="card">
        <Ledger ledger={run.ledger} kind={run.kind} />
        <Remarks alerts={run.alerts} />
        {run.notes.length > 0 && (
          <ul className="notes" aria-label={words.notes}>
            {run.notes.map((note) => (
              <li key={note} className="wrap">
                {visibleName(note)}
              </li>
            ))}
          </ul>
        )}
        <PathList report={run} />
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

function Place({ view }: { readonly view: View }) {
  const run = view.lastTeardown ?? view.lastRun;
  const reached = run !== null && run.remote.hostKey !== null ? `${run.remote.user}@${run.remote.host}:${run.remote.port}` : null;
  return (
    <dl className="facts place">
      <dt>{words.address}</dt>
      <dd>
        <Literal text={view.address} />
      </dd>
      {reached !== null && (
        <>
          <dt>{words.reached}</dt>
          <dd>
            <Literal text={reached} />
          </dd>
        </>
      )}
      <dt>{words.localHome}</dt>
      <dd>
        <Literal text={view.localHome} />
      </dd>
      <dt>{words.roots}</dt>
      <dd>
        <Literal text={view.roots.join(', ')} />
      </dd>
    </dl>
  );
}

function Foot({ view, facts, commands, now, busy }: Omit<Props, 'children'> & { readonly busy: boolean }) {
  const openFor = view.session?.state === 'open' ? showOpenFor(view.session.startedAt, now) : null;
  const ends = view.session !== null && view.session.state !== 'starting';
  const label = ends
    ? busy && facts.asking === 'end'
      ? words.ending
      : words.end
    : busy && facts.asking === 'start'
      ? words.starting
      : words.start;
  return (
    <footer>
      <span className="grow">{describeSession(view, openFor)}</span>
      <button type="button" className="primary" disabled={busy} onClick={() => (ends ? commands.end(view.id) : commands.start(view.id))}>
        {label}
      </button>
    </footer>
  );
}

/** One connection: what stands in the way, the last teardown with its ledger, what waits, and the last runs. */
export function ConnectionView(props: Props) {
  const { view, facts, commands, now, children } = props;
  const running = view.state === 'working' || facts.asking === 'start' || facts.asking === 'end';
  const busy = running || facts.asking !== null;
  const waiting = facts.asking === 'start' ? words.starting : facts.asking === 'end' ? words.ending : words.states.working;
  const said = facts.ended ? describeEnd(facts.ended) : facts.test?.ok ? words.testOk : '';
  const alerts = (view.lastTeardown ?? view.lastRun)?.alerts ?? [];
  const push = view.lastRun?.kind === 'push' && view.lastRun.stop === null && view.lastRun.error === null ? view.lastRun : null;
  return (
    <>
      <header>
        <BackLink />
        <h1 tabIndex={-1}>{visibleName(view.name)}</h1>
        <Glyph state={view.state} />
        <StateWord state={view.state} />
      </header>
      <main>
        <p role="status" className="hidden">
          {running ? describePhase(facts.progress, waiting) : said}
        </p>
        {children}
        {running && (
          <Progress progress={facts.progress} waiting={waiting} cancelling={facts.cancelling} onCancel={() => commands.cancel(view.id)} />
        )}
        <Trouble view={view} facts={facts} commands={commands} busy={busy} />
        <HeldAlerts alerts={alerts} />
        <InboxList
          items={facts.inbox ?? []}
          now={now}
          remote={visibleName(view.name)}
          open={facts.openItem}
          busy={busy}
          decided={facts.ended}
          onOpen={(id) => commands.openItem(view.id, id)}
          onClose={() => commands.closeItem(view.id)}
          onResolve={(id, choice) => commands.resolve(view.id, id, choice)}
        />
        {view.lastTeardown ? <LastTeardown run={view.lastTeardown} now={now} /> : <p className="faint">{words.neverTornDown}</p>}
        {push && <LastStart run={push} now={now} />}
        <UndoCard connection={view.id} calls={commands.undo} busy={busy} lastRun={facts.history?.[0]?.id ?? null} />
        <RestorePoints
          connection={view.id}
          remote={visibleName(view.name)}
          calls={commands.restore}
          busy={busy}
          lastRun={facts.history?.[0]?.id ?? null}
        />
        {facts.history && <HistoryList runs={facts.history} now={now} />}
        <DecisionList decisions={facts.decisions ?? []} now={now} busy={busy} onRevoke={(id) => commands.revoke(view.id, id)} />
        <Place view={view} />
        <div className="actions">
          <button type="button" disabled={busy} onClick={() => commands.test(view.id)}>
            {facts.asking === 'test' ? words.testing : words.test}
          </button>
        </div>
        {facts.test && <TestResult test={facts.test} />}
      </main>
      <Foot view={view} facts={facts} commands={commands} now={now} busy={busy} />
    </>
  );
}
