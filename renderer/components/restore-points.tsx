import { useState } from 'react';
import { isOffline } from '../../shared/errors';
import type { SideName } from '../../shared/inspection';
import { keepChoices, type PlanLine } from '../../shared/plan';
import type { RunReport } from '../../shared/run-report';
import { errorTitle } from '../attention';
import { visibleName } from '../format';
import { type PruneAsk, type Pruning, usePruning } from '../pruning';
import type { RestoreCalls } from '../restore-calls';
import { translate } from '../translate';
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
  readonly lastRun: string;
}

/** What stands around a plan, whatever it is about: failures, what was taken before, and a stop. */
export function PruningFrame({
  pruning,
  remote,
  disabled,
}: {
  readonly pruning: Pruning;
  readonly remote: string;
  readonly disabled: boolean;
}) {
  const { problem, said, removed, report } = pruning;
  return (
    <>
      {problem && <ErrorCard title={errorTitle(problem.code)} error={problem} />}
      <p role="status" className={said === '' ? 'hidden' : ''}>
        {said}
      </p>
      {removed && <RemovedCard removed={removed} remote={remote} disabled={disabled} onUndo={pruning.back} onFree={pruning.free} />}
      {report?.stop && (
        <p role="alert" className="wrap">
          <strong>{words.guards[report.stop.guard]}.</strong> {visibleName(translate(report.stop.message))}
        </p>
      )}
    </>
  );
}

/** The restore points of both sides: what can go and why, and what went and can come back. Those here are shown when the remote is away. */
export function RestorePoints({ connection, remote, calls, busy, lastRun }: Props) {
  const [keep, setKeep] = useState<number>(keepChoices[0]);
  const [side, setSide] = useState<'both' | 'local'>('both');
  const pruning = usePruning(calls, connection, 'prune', lastRun);
  const { asking, report } = pruning;
  const look = (number: number) => {
    setKeep(number);
    pruning.ask('look', async () => {
      const both = await calls.plan(connection, 'both', number);
      const error = both.ok ? both.value.error : both.error;
      const away = error !== null && isOffline(error.code);
      setSide(away ? 'local' : 'both');
      return away ? calls.plan(connection, 'local', number) : both;
    });
  };
  const apply = (fingerprint: string) =>
    pruning.ask(
      'apply',
      () => calls.apply(connection, side, keep, fingerprint),
      (done) => (done.outcome === 'stopped' ? done : null),
    );
  const disabled = busy || asking !== null;
  return (
    <section className="block">
      <h2>{words.restore.title}</h2>
      <div className="card restore">
        <PruningFrame pruning={pruning} remote={remote} disabled={disabled} />
        {report?.plan && side === 'local' && <p className="held">{words.restore.onlyHere}</p>}
        {report?.plan ? (
          <ShownPlan
            report={report}
            sides={side === 'both' ? ['local', 'remote'] : ['local']}
            remote={remote}
            keep={keep}
            asking={asking}
            disabled={disabled}
            onKeep={look}
            onApply={apply}
          />
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
  readonly sides: readonly SideName[];
  readonly remote: string;
  readonly keep: number;
  readonly asking: PruneAsk | null;
  readonly disabled: boolean;
  readonly onKeep: (keep: number) => void;
  readonly onApply: (fingerprint: string) => void;
}

function ShownPlan({ report, sides, remote, keep, asking, disabled, onKeep, onApply }: ShownPlanProps) {
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
      {sides.map((side) => (
        <SidePlan key={side} lines={lines.filter((line) => line.side === side)} where={side === 'local' ? words.restore.here : remote} />
      ))}
      <p className="faint">{words.restore.stays}</p>
      <div className="actions">
        <button type="button" disabled={disabled} onClick={() => onKeep(keep)}>
          {asking === 'look' ? words.restore.looking : words.inspection.again}
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

/** Bytes of some lines together. */
export function sum(lines: readonly PlanLine[]): number {
  return lines.reduce((total, { bytes }) => total + bytes, 0);
}
