import { useCallback, useEffect, useState } from 'react';
import type { Bridge, WireError } from '../../shared/contract';
import type { RunReport } from '../../shared/run-report';
import { errorTitle } from '../attention';
import type { Commands } from '../commands';
import { AddConnection } from '../components/add-connection';
import { BackLink } from '../components/back-link';
import { ErrorCard } from '../components/error-card';
import { PreviewCard } from '../components/preview-card';
import { describePhase, Progress } from '../components/progress';
import { TestResult } from '../components/test-result';
import { visibleName } from '../format';
import { goTo } from '../navigation';
import { type AppState, type ConnectionFacts, factsOf } from '../state';
import { words } from '../words';

interface Props {
  readonly bridge: Bridge;
  readonly commands: Commands;
  readonly state: AppState;
  /** The connection that was added; null while one is chosen. */
  readonly id: string | null;
}

/** Adding a connection: choose, test, see what would be sent. */
export function AddView({ bridge, commands, state, id }: Props) {
  const name = state.status?.connections.find((one) => one.id === id)?.name ?? null;
  return (
    <>
      <header>
        <BackLink />
        <h1 tabIndex={-1}>{name === null ? words.add.title : visibleName(name)}</h1>
      </header>
      {id === null ? (
        <main className="scroller">
          <p className="faint">{words.add.intro}</p>
          <AddConnection bridge={bridge} commands={commands} />
        </main>
      ) : (
        <Added key={id} id={id} commands={commands} facts={factsOf(state, id)} />
      )}
    </>
  );
}

interface AddedProps {
  readonly id: string;
  readonly commands: Commands;
  readonly facts: ConnectionFacts;
}

/** The preview that follows a test that passed; asked for once, and again on demand. */
function usePreview({ id, commands, facts }: AddedProps) {
  const [report, setReport] = useState<RunReport | null>(null);
  const [problem, setProblem] = useState<WireError | null>(null);
  const passed = facts.test?.ok === true;
  const look = useCallback(async () => {
    setProblem(null);
    const reply = await commands.preview(id);
    const error = reply.ok ? reply.value.error : reply.error;
    setProblem(error);
    setReport(reply.ok && error === null ? reply.value : null);
  }, [commands, id]);
  useEffect(() => {
    if (passed) void look();
  }, [passed, look]);
  return { report, problem, look };
}

/** The verdicts, then what would be sent. */
function Added(props: AddedProps) {
  const { id, commands, facts } = props;
  const { report, problem, look } = usePreview(props);
  const { test, asking } = facts;
  const busy = asking !== null;
  const failed = test !== null && !test.ok;
  const waiting = asking === 'test' ? words.testing : asking === 'preview' ? describePhase(facts.progress, words.add.looking) : '';
  const start = () => {
    commands.start(id, ['first-session']);
    goTo({ kind: 'connection', id });
  };
  const discard = () => {
    commands.remove(id);
    goTo({ kind: 'add', id: null });
  };
  return (
    <>
      <main className="scroller">
        <p role="status" className={asking === 'test' ? 'faint' : 'hidden'}>
          {waiting}
        </p>
        {facts.problem && <ErrorCard title={errorTitle(facts.problem.code)} error={facts.problem} />}
        {test && <TestResult test={test} busy={busy} onTrust={(key) => commands.test(id, key)} />}
        {asking === 'preview' && (
          <Progress
            progress={facts.progress}
            waiting={words.add.looking}
            cancelling={facts.cancelling}
            onCancel={() => commands.cancel(id)}
          />
        )}
        {problem && !busy && (
          <ErrorCard title={errorTitle(problem.code)} error={problem}>
            <div className="actions">
              <button type="button" onClick={() => void look()}>
                {words.inspection.again}
              </button>
            </div>
          </ErrorCard>
        )}
        {report && <PreviewCard report={report} />}
        {!busy && (failed || test === null) && (
          <div className="actions">
            <button type="button" className="primary" onClick={() => commands.test(id)}>
              {words.add.again}
            </button>
            <button type="button" onClick={discard}>
              {words.add.discard}
            </button>
          </div>
        )}
      </main>
      <footer>
        <span className="grow">{words.add.laterHint}</span>
        <a className="button" href="#/">
          {words.add.later}
        </a>
        {report && (
          <button type="button" className="primary" disabled={busy} onClick={start}>
            {words.add.start}
          </button>
        )}
      </footer>
    </>
  );
}
