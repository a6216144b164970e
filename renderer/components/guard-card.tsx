import { useState } from 'react';
import type { WireError } from '../../shared/contract';
import type { GuardEvent } from '../../shared/guard';
import { errorTitle } from '../attention';
import { visibleName } from '../format';
import type { GuardCalls } from '../guard-calls';
import { countFiles, showBytes, words } from '../words';
import { Bytes, Literal, Moment } from './amounts';
import { ErrorCard } from './error-card';

interface Props {
  readonly event: GuardEvent;
  readonly calls: GuardCalls;
  readonly busy: boolean;
  readonly now: number;
}

/** What appeared in the local Hermes home without a run of ours: how much, who brought it, and what it replaced. It goes when it is decided. */
export function GuardCard({ event, calls, busy, now }: Props) {
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState<WireError | null>(null);
  const { amount, parts, hubLock } = event;
  const disabled = busy || isAsking;
  const ask = async (call: GuardCalls[keyof GuardCalls]) => {
    setAsking(true);
    const reply = await call(event.id);
    setAsking(false);
    setProblem(reply.ok ? null : reply.error);
  };
  return (
    <section className="card hold" aria-label={words.guard.sources[event.source]}>
      <p>
        <strong>{words.guard.sources[event.source]}</strong> · <Moment at={event.lastAt} now={now} />
      </p>
      {amount.files > 0 && (
        <>
          <p>{words.guard.arrived(showBytes(amount.bytes), countFiles(amount.files))}</p>
          <ul className="list" aria-label={words.alertCulprit}>
            {parts.map(({ path, bytes }) => (
              <li key={path} className="line">
                <span className="grow">
                  <Literal text={path} />
                </span>
                <Bytes value={bytes} />
              </li>
            ))}
          </ul>
        </>
      )}
      {hubLock && <ReplacedLock lock={hubLock} />}
      <p className="faint">{words.guard.safe}</p>
      {problem && <ErrorCard title={errorTitle(problem.code)} error={problem} />}
      <div className="actions">
        {event.canPutBack && (
          <button type="button" disabled={disabled} onClick={() => void ask(calls.putBack)}>
            {words.guard.putBack}
          </button>
        )}
        <button type="button" disabled={disabled} onClick={() => void ask(calls.dismiss)}>
          {words.guard.dismiss}
        </button>
      </div>
    </section>
  );
}

function ReplacedLock({ lock }: { readonly lock: NonNullable<GuardEvent['hubLock']> }) {
  return (
    <>
      <p>{words.guard.locks[lock.state]}</p>
      {lock.differingSkills.length > 0 && (
        <p className="wrap">
          {words.guard.differing}
          {words.colon}
          {lock.differingSkills.map(visibleName).join(', ')}
        </p>
      )}
    </>
  );
}
