import type { Bridge, ConnectionView, Status } from '../../shared/contract';
import { hashOf } from '../../shared/route';
import { attention, describeSession, firstSentence } from '../attention';
import type { Commands } from '../commands';
import { AddConnection } from '../components/add-connection';
import { Moment } from '../components/amounts';
import { CopyLine } from '../components/copy-line';
import { ErrorCard } from '../components/error-card';
import { Glyph } from '../components/glyph';
import { describeAmount, describePhase } from '../components/progress';
import { Moved } from '../components/run-row';
import { StateWord } from '../components/state-word';
import { errorText } from '../error-text';
import { visibleName } from '../format';
import { type AppState, factsOf, sortByAttention } from '../state';
import { showNumber, showOpenFor, words } from '../words';

const demoLine = 'npm run demo';

function LastTeardown({ view, now }: { readonly view: ConnectionView; readonly now: number }) {
  const run = view.lastTeardown;
  if (run === null) return <>{words.noTeardown}</>;
  return (
    <>
      <span>
        {words.ended} <Moment at={run.endedAt} now={now} />
      </span>{' '}
      <Moved written={run.ledger.written.bytes} refused={run.ledger.refused.bytes} />
    </>
  );
}

/** What stays true beside the reason for attention: that the remote is away, and where the session stands. */
function alsoTrue(view: ConnectionView, now: number): readonly string[] {
  if (view.state === 'working') return [];
  const { link, session } = view;
  return [
    ...(link?.error ? [firstSentence(errorText(link.error))] : []),
    ...(session?.state === 'open' || session?.state === 'pending' ? [describeSession(view, showOpenFor(session.startedAt, now))] : []),
  ];
}

function Row({ view, state, now }: { readonly view: ConnectionView; readonly state: AppState; readonly now: number }) {
  const why = attention(view, now);
  const more = alsoTrue(view, now).filter((line) => line !== why);
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
        {more.map((line) => (
          <span key={line} className="sub">
            {line}
          </span>
        ))}
        <span className="sub last">
          <LastTeardown view={view} now={now} />
        </span>
      </a>
    </li>
  );
}

function Empty({ bridge, commands }: Pick<Props, 'bridge' | 'commands'>) {
  return (
    <>
      <section className="empty">
        <h2 className="title">{words.empty.title}</h2>
        <p>{words.empty.intro}</p>
      </section>
      <AddConnection bridge={bridge} commands={commands} />
      <section className="block">
        <p className="faint">{words.add.demo}</p>
        <CopyLine text={demoLine} />
      </section>
    </>
  );
}

function summary(status: Status): string {
  const count = words.connections(status.connections.length, showNumber(status.connections.length));
  const needing = status.connections.filter((view) => view.state === 'needs-you').length;
  return needing === 0 ? count : `${count} · ${words.needYou(needing, showNumber(needing))}`;
}

interface Props {
  readonly bridge: Bridge;
  readonly commands: Commands;
  readonly state: AppState;
  readonly now: number;
}

/** The first screen: every connection, the one that wants attention most on top. Without any, the way to the first one. */
export function ConnectionsView({ bridge, commands, state, now }: Props) {
  const { status, problem } = state;
  const some = status !== null && status.connections.length > 0;
  return (
    <>
      <header>
        <h1 tabIndex={-1}>{words.appName}</h1>
        <nav className="line">
          <a className="quiet" href={hashOf({ kind: 'history', id: null })}>
            {words.history.title}
          </a>
          <a className="quiet" href={hashOf({ kind: 'settings' })}>
            {words.settings.title}
          </a>
        </nav>
      </header>
      <main className="scroller">
        {problem && <ErrorCard title={words.windowOffline} error={problem} />}
        {status === null && !problem && <p className="faint">{words.loading}</p>}
        {status !== null && !some && <Empty bridge={bridge} commands={commands} />}
        {some && (
          <ul className="rows">
            {sortByAttention(status.connections).map((view) => (
              <Row key={view.id} view={view} state={state} now={now} />
            ))}
          </ul>
        )}
      </main>
      <footer>
        <span className="grow">{status === null ? '' : summary(status)}</span>
        {some && (
          <a className="button primary" href={hashOf({ kind: 'add', id: null })}>
            {words.add.title}
          </a>
        )}
      </footer>
    </>
  );
}
