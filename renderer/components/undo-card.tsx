import { useCallback, useEffect, useState } from 'react';
import type { Envelope, Reply, UndoableRun, WireError } from '../../shared/contract';
import type { RunReport } from '../../shared/run-report';
import { errorTitle } from '../attention';
import { formatMoment } from '../format';
import type { UndoCalls } from '../undo-calls';
import { countFiles, locale, showBytes, words } from '../words';
import { ErrorCard } from './error-card';

interface Props {
  readonly connection: string;
  readonly calls: UndoCalls;
  readonly busy: boolean;
  readonly now: number;
  /** Changes when a run ended, whoever asked for it. */
  readonly lastRun: string | null;
}

/** What is kept of the files that runs replaced or removed here: it can come back, or be deleted at once. Nothing while none is. */
export function UndoCard({ connection, calls, busy, now, lastRun }: Props) {
  const [usage, setUsage] = useState<Reply<'undo.usage'> | null>(null);
  const [isAsking, setAsking] = useState(false);
  const [confirming, setConfirming] = useState(false);
  const [problem, setProblem] = useState<WireError | null>(null);
  // What was said holds while nothing else can be undone than right after it.
  const [said, setSaid] = useState<{ readonly text: string; readonly next: string | null }>({ text: '', next: null });

  const refresh = useCallback(async () => {
    const reply = await calls.usage(connection);
    if (reply.ok) setUsage(reply.value);
    return reply.ok ? (reply.value.next?.run ?? null) : null;
  }, [calls, connection]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a run that ended elsewhere may have replaced or taken back something
  useEffect(() => void refresh(), [refresh, lastRun]);

  const ask = async <T,>(request: Promise<Envelope<T>>, sentence: (done: T) => string) => {
    setAsking(true);
    setConfirming(false);
    setProblem(null);
    setSaid({ text: '', next: null });
    const reply = await request;
    const next = await refresh();
    setAsking(false);
    if (reply.ok) setSaid({ text: sentence(reply.value), next });
    else setProblem(reply.error);
  };
  const undo = ({ run }: UndoableRun) =>
    ask(calls.undo(connection, run), ({ outcome }: RunReport) => (outcome === 'done' ? words.takeBack.done : words.outcomes[outcome]));
  const free = () => ask(calls.free(connection), () => words.restore.freed);

  if (usage === null) return null;
  const { next } = usage;
  const message = said.next === (next?.run ?? null) ? said.text : '';
  if (usage.runs === 0 && message === '' && problem === null) return null;
  const disabled = busy || isAsking;
  return (
    <section className="block">
      <h2>{words.takeBack.title}</h2>
      <div className="card restore">
        {problem && <ErrorCard title={errorTitle(problem.code)} error={problem} />}
        <p role="status" className={message === '' ? 'hidden' : ''}>
          {message}
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
              {next && (
                <button type="button" disabled={disabled} onClick={() => void undo(next)}>
                  {nameOf(next, now)}
                </button>
              )}
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

function nameOf({ kind, time }: UndoableRun, now: number): string {
  const when = formatMoment(time, now, locale);
  return kind === 'undo' ? words.takeBack.redo(when) : words.takeBack.undo(words.kinds[kind], when);
}
