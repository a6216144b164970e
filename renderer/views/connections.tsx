import type { ConnectionView, Status } from '../../shared/contract';
import { attention, describeSession } from '../attention';
import { Moment } from '../components/amounts';
import { CopyLine } from '../components/copy-line';
import { ErrorCard } from '../components/error-card';
import { Glyph } from '../components/glyph';
import { Moved } from '../components/moved';
import { describeAmount, describePhase } from '../components/progress';
import { StateWord } from '../components/state-word';
import { visibleName } from '../format';
import { hashOf } from '../route';
import { type AppState, factsOf, sortByAttention } from '../state';
import { showNumber, showOpenFor, words } from '../words';

const addLine = 'ebbgate connection add build-box --address user@build-box.example';
const demoLine = 'npm run demo';

function LastTeardown({ view, now }: { readonly view: ConnectionView; readonly now: number }) {
  const run = view.lastTeardown;
  if (run === null) return <>{words.noTeardown}</>;
  return (
    <>
      <span>
        {words.ended} <Moment at={run.endedAt} now={now} />
      </span>{' '}
      <Moved ledger={run.ledger} />
    </>
  );
}

function Row({ view, state, now }: { readonly view: ConnectionView; readonly state: AppState; readonly now: number }) {
  const why = attention(view);
  const progress = factsOf(state, view.id).progress ?? view.progress;
  const amount = progress === null ? null : describeAmount(progress);
  return (
    <li>
      <a className="row" href={hashOf({ kind: 'connection', id: view.id })} data-connection={view.id}>
        <Glyph state={view.state} />
        <span className="name">{visibleName(view.name)}</span>
        <StateWord state={view.state} />
        {view.state === 'working' && progress !== null && (
          <span className="sub">
            {describePhase(progress, '')}
            {amount !== null && <span className="number">, {amount}</span>}
          </span>
        )}
        {why !== null && <span className="sub why">{why}</span>}
        {view.state !== 'working' && view.session?.state === 'open' && (
          <span className="sub">{describeSession(view, showOpenFor(view.session.startedAt, now))}</span>
        )}
        <span className="sub last">
          <LastTeardown view={view} now={now} />
        </span>
      </a>
    </li>
  );
}

function Empty() {
  return (
    <section className="card empty">
      <h2 className="title">{words.empty.title}</h2>
      <p>{words.empty.intro}</p>
      <p>{words.empty.add}</p>
      <CopyLine text={addLine} />
      <p>{words.empty.demo}</p>
      <CopyLine text={demoLine} />
      <p className="faint">{words.empty.after}</p>
    </section>
  );
}

function summary(status: Status): string {
  const count = words.connections(status.connections.length, showNumber(status.connections.length));
  const needing = status.connections.filter((view) => view.state === 'needs-you').length;
  return needing === 0 ? count : `${count} · ${words.needYou(needing, showNumber(needing))}`;
}

/** The first screen: every connection, the one that wants attention most on top. */
export function ConnectionsView({ state, now }: { readonly state: AppState; readonly now: number }) {
  const { status, problem } = state;
  const some = status !== null && status.connections.length > 0;
  return (
    <>
      <header>
        <h1 tabIndex={-1}>{words.appName}</h1>
      </header>
      <main>
        {problem && <ErrorCard title={words.windowOffline} error={problem} />}
        {status === null && !problem && <p className="faint">{words.loading}</p>}
        {status !== null && !some && <Empty />}
        {some && (
          <ul className="rows">
            {sortByAttention(status.connections).map((view) => (
              <Row key={view.id} view={view} state={state} now={now} />
            ))}
          </ul>
        )}
        {some && (
          <details className="fold">
            <summary>{words.addMore}</summary>
            <CopyLine text={addLine} />
          </details>
        )}
      </main>
      <footer>
        <span className="grow">{status === null ? '' : summary(status)}</span>
      </footer>
    </>
  );
}
