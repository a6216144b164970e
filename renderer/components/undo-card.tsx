import { useCallback, useEffect, useState } from 'react';
import type { Envelope, UndoUsage, WireError } from '../../shared/contract';
import type { RunReport } from '../../shared/run-report';
import { errorTitle } from '../attention';
import type { UndoCalls } from '../undo-calls';
import { countFiles, showBytes, words } from '../words';
import { ErrorCard } from './error-card';

interface Props {
  readonly connection: string;
  readonly calls: UndoCalls;
  readonly busy: boolean;
  /** Changes when a run ended, whoever asked for it. */
  readonly lastRun: string | null;
}

/** What is kept of the files that runs replaced or removed here: it can come back, or be deleted at once. Nothing while none is. */
export function UndoCard({ connection, calls, busy, lastRun }: Props) {
  const [usage, setUsage] = useState<UndoUsage | null>(null);
  const [isAsking, setAsking] = useState(false);
  const [confirming, setConfirming] = useState(false);
  const [problem, setProblem] = useState<WireError | null>(null);
  const [said, setSaid] = useState('');

  const refresh = useCallback(async () => {
    const reply = await calls.usage(connection);
    if (reply.ok) setUsage(reply.value);
  }, [calls, connection]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a run that ended elsewhere may have replaced or taken back something
  useEffect(() => void refresh(), [refresh, lastRun]);

  const ask = async <T,>(request: Promise<Envelope<T>>, sentence: (done: T) => string) => {
    setAsking(true);
    setConfirming(false);
    setProblem(null);
    setSaid('');
    const reply = await request;
    await refresh();
    setAsking(false);
    if (reply.ok) setSaid(sentence(reply.value));
    else setProblem(reply.error);
  };
  const undo = () =>
    ask(calls.undo(connection), ({ outcome }: RunReport) => (outcome === 'done' ? words.takeBack.done : words.outcomes[outcome]));
  const free = () => ask(calls.free(connection), () => words.restore.freed);

  if (usage === null || (usage.runs === 0 && said === '' && problem === null)) return null;
  const disabled = busy || isAsking;
  return (
    <section className="block">
      <h2>{words.takeBack.title}</h2>
      <div className="card restore">
        {problem && <ErrorCard title={errorTitle(problem.code)} error={problem} />}
        <p role="status" className={said === '' ? 'hidden' : ''}>
          {said}
        </p>
        {usage.runs > 0 && <p className="faint">{words.takeBack.kept(countFiles(usage.files), showBytes(usage.bytes))}</p>}
        {confirming ? (
          <fieldset className="confirm">
            <legend className="wrap">{words.takeBack.confirm}</legend>
            <div className="actions">
              {/* biome-ignore lint/a11y/noAutofocus: the safe answer is the one at hand */}
              <button type="button" autoFocus onClick={() => setConfirming(false)}>
                {words.cancel}
              </button>
              <button type="button" disabled={disabled} onClick={() => void free()}>
                {words.restore.confirmFree}
              </button>
            </div>
          </fieldset>
        ) : (
          usage.runs > 0 && (
            <div className="actions">
              <button type="button" disabled={disabled} onClick={() => void undo()}>
                {words.takeBack.undo}
              </button>
              <button type="button" disabled={disabled} onClick={() => setConfirming(true)}>
                {words.takeBack.free}
              </button>
            </div>
          )
        )}
      </div>
    </section>
  );
}
