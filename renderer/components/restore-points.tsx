import { useCallback, useEffect, useRef, useState } from 'react';
import type { Envelope, WireError } from '../../shared/contract';
import { keepChoices, type PlanLine, type RemovedRun } from '../../shared/plan';
import type { RunReport } from '../../shared/run-report';
import { errorTitle } from '../attention';
import { visibleName } from '../format';
import type { RestoreCalls } from '../restore-calls';
import { showBytes, showNumber, words } from '../words';
import { ErrorCard } from './error-card';
import { isPoint, PlanLines } from './plan-lines';
import { RemovedCard } from './removed-card';

interface Props {
  readonly connection: string;
  /** The connection's name, as people call the remote. */
  readonly remote: string;
  readonly calls: RestoreCalls;
  readonly busy: boolean;
  /** Changes when a run ended, whoever asked for it. */
  readonly lastRun: string | null;
}

type Asking = 'look' | 'apply' | 'undo' | 'free';

/** The restore points of both sides: what can go and why, and what went and can come back. */
export function RestorePoints({ connection, remote, calls, busy, lastRun }: Props) {
  const [asking, setAsking] = useState<Asking | null>(null);
  const [keep, setKeep] = useState<number>(keepChoices[0]);
  const [report, setReport] = useState<RunReport | null>(null);
  const [removed, setRemoved] = useState<RemovedRun | null>(null);
  const [problem, setProblem] = useState<WireError | null>(null);
  const [said, setSaid] = useState('');
  const latest = useRef(0);

  const refresh = useCallback(async () => {
    const reply = await calls.removed(connection);
    if (reply.ok) setRemoved(reply.value.runs[0] ?? null);
  }, [calls, connection]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a run that ended elsewhere may have taken or put back something
  useEffect(() => void refresh(), [refresh, lastRun]);

  const ask = async (what: Asking, request: () => Promise<Envelope<RunReport>>, take: (done: RunReport) => void) => {
    latest.current += 1;
    const mine = latest.current;
    setAsking(what);
    setProblem(null);
    setSaid('');
    const reply = await request();
    // A later choice overtook this one.
    if (mine !== latest.current) return;
    setAsking(null);
    const error = reply.ok ? reply.value.error : reply.error;
    setProblem(error);
    if (reply.ok && error === null) take(reply.value);
    await refresh();
  };
  const look = (number: number) => {
    setKeep(number);
    void ask('look', () => calls.plan(connection, number), setReport);
  };
  const apply = (fingerprint: string) =>
    void ask(
      'apply',
      () => calls.apply(connection, keep, fingerprint),
      (done) => setReport(done.outcome === 'stopped' ? done : null),
    );
  const back = (run: string) =>
    void ask(
      'undo',
      () => calls.undo(connection, run),
      (done) => finish(done, words.restore.undone),
    );
  const free = (run: string) =>
    void ask(
      'free',
      () => calls.free(connection, run),
      (done) => finish(done, words.restore.freed),
    );
  const finish = (done: RunReport, sentence: string) => {
    setReport(null);
    setSaid(done.outcome === 'done' ? sentence : words.outcomes[done.outcome]);
  };
  const disabled = busy || asking !== null;
  return (
    <section className="block">
      <h2>{words.restore.title}</h2>
      <div className="card restore">
        {problem && <ErrorCard title={errorTitle(problem.code)} error={problem} />}
        <p role="status" className={said === '' ? 'hidden' : ''}>
          {said}
        </p>
        {removed && <RemovedCard removed={removed} remote={remote} disabled={disabled} onUndo={back} onFree={free} />}
        {report?.stop && (
          <p role="alert" className="wrap">
            <strong>{words.guards[report.stop.guard]}.</strong> {visibleName(report.stop.message)}
          </p>
        )}
        {report?.plan ? (
          <ShownPlan report={report} remote={remote} keep={keep} asking={asking} disabled={disabled} onKeep={look} onApply={apply} />
        ) : (
          <>
            <p className="faint">{words.restore.hint}</p>
            <div className="actions">
              <button type="button" disabled={disabled} onClick={() => look(keep)}>
                {asking === 'look' ? words.restore.looking : words.restore.look}
              </button>
            </div>
          </>
        )}
      </div>
    </section>
  );
}

interface ShownPlanProps {
  readonly report: RunReport;
  readonly remote: string;
  readonly keep: number;
  readonly asking: Asking | null;
  readonly disabled: boolean;
  readonly onKeep: (keep: number) => void;
  readonly onApply: (fingerprint: string) => void;
}

function ShownPlan({ report, remote, keep, asking, disabled, onKeep, onApply }: ShownPlanProps) {
  const { lines = [], fingerprint = '' } = report.plan ?? {};
  const going = lines.filter(({ decision }) => decision === 'remove');
  const unavailable = report.stop !== null && report.stop.guard !== 'plan-changed';
  return (
    <>
      <fieldset className="keep">
        <legend>{words.restore.keepNewest}</legend>
        {keepChoices.map((choice) => (
          <label key={choice}>
            <input type="radio" name="keep" checked={choice === keep} disabled={disabled} onChange={() => onKeep(choice)} />
            {showNumber(choice)}
          </label>
        ))}
        <span className="faint">{words.restore.hermesKeeps}</span>
      </fieldset>
      {(['local', 'remote'] as const).map((side) => (
        <SidePlan key={side} lines={lines.filter((line) => line.side === side)} where={side === 'local' ? words.restore.here : remote} />
      ))}
      <p className="faint">{words.restore.stays}</p>
      <div className="actions">
        <button type="button" disabled={disabled} onClick={() => onKeep(keep)}>
          {asking === 'look' ? words.restore.looking : words.restore.look}
        </button>
        {going.length > 0 && (
          <button type="button" className="primary" disabled={disabled || unavailable} onClick={() => onApply(fingerprint)}>
            {asking === 'apply' ? words.restore.removing : words.restore.removeButton(showNumber(going.length), showBytes(sum(going)))}
          </button>
        )}
      </div>
    </>
  );
}

function SidePlan({ lines, where }: { readonly lines: readonly PlanLine[]; readonly where: string }) {
  return (
    <>
      <p>
        <strong>{summary(where, lines.filter(isPoint))}</strong>
      </p>
      <PlanLines lines={lines} where={where} />
    </>
  );
}

function summary(where: string, lines: readonly PlanLine[]): string {
  const going = lines.filter(({ decision }) => decision === 'remove');
  const holds = words.restore.holds(where, lines.length, showNumber(lines.length), showBytes(sum(lines)));
  const rest =
    going.length === 0 ? words.restore.noneCanGo : words.restore.canGo(going.length, showNumber(going.length), showBytes(sum(going)));
  return `${holds} ${rest}`;
}

function sum(lines: readonly PlanLine[]): number {
  return lines.reduce((total, { bytes }) => total + bytes, 0);
}
