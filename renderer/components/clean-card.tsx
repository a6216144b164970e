import { useState } from 'react';
import { type PlanLine, planReasons } from '../../shared/plan';
import { usePruning } from '../pruning';
import type { RestoreCalls } from '../restore-calls';
import { showBytes, showNumber, words } from '../words';
import { Bytes, Literal } from './amounts';
import { reasonOf } from './plan-lines';
import { PruningFrame, sum } from './restore-points';

interface Props {
  readonly connection: string;
  /** The connection's name, as people call the remote. */
  readonly remote: string;
  readonly calls: RestoreCalls;
  readonly busy: boolean;
  /** Changes when a run ended, whoever asked for it. */
  readonly lastRun: string;
}

function canGo({ reason }: PlanLine): boolean {
  return reason === planReasons['not-chosen'] || reason === planReasons.chosen;
}

/** Whether a plan takes away exactly these lines, as large as they were shown. */
function isAsShown(lines: readonly PlanLine[], chosen: readonly PlanLine[]): boolean {
  const leaving = lines.filter(({ decision }) => decision === 'remove');
  return (
    leaving.length === chosen.length && chosen.every((one) => leaving.some(({ path, bytes }) => path === one.path && bytes === one.bytes))
  );
}

interface LinesProps {
  readonly lines: readonly PlanLine[];
  readonly ticked: ReadonlySet<string>;
  readonly disabled: boolean;
  readonly onTick: (path: string, on: boolean) => void;
}

function Lines({ lines, ticked, disabled, onTick }: LinesProps) {
  return (
    <ul className="list plan" aria-label={words.restore.plan}>
      {lines.map((line) => (
        <li key={line.path}>
          <label className="check">
            <input
              type="checkbox"
              disabled={disabled || !canGo(line)}
              checked={canGo(line) && ticked.has(line.path)}
              onChange={(event) => onTick(line.path, event.target.checked)}
            />
            <span className="grow">
              <Literal text={line.path} />
              {!canGo(line) && <small className="faint"> {reasonOf(line)}</small>}
            </span>
            <Bytes value={line.bytes} />
          </label>
        </li>
      ))}
    </ul>
  );
}

/** What older pushes left on the remote: what can go is ticked by hand, and goes by one button. */
export function CleanCard({ connection, remote, calls, busy, lastRun }: Props) {
  const pruning = usePruning(calls, connection, 'clean', lastRun);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [changed, setChanged] = useState(false);
  const { asking, report } = pruning;
  const disabled = busy || asking !== null;
  const lines = report?.plan?.lines ?? null;
  const chosen = lines?.filter((line) => canGo(line) && ticked.has(line.path)) ?? [];
  const look = () => {
    setTicked(new Set());
    setChanged(false);
    pruning.ask('look', () => calls.planClean(connection, []));
  };
  // The plan for what was ticked is made first; only if it is what is on screen, it is carried out.
  const apply = () => {
    setChanged(false);
    const only = chosen.map(({ path }) => path);
    pruning.ask(
      'apply',
      async () => {
        const planned = await calls.planClean(connection, only);
        if (!planned.ok || planned.value.plan === undefined || planned.value.stop !== null) return planned;
        if (isAsShown(planned.value.plan.lines, chosen)) return calls.applyClean(connection, only, planned.value.plan.fingerprint);
        setChanged(true);
        return planned;
      },
      (done) => (done.outcome === 'stopped' || done.paths.length === 0 ? done : null),
    );
  };
  const tick = (path: string, on: boolean) =>
    setTicked((before) => new Set([...before].filter((one) => one !== path).concat(on ? [path] : [])));
  return (
    <section className="block">
      <h2>{words.inspection.cleanTitle}</h2>
      <div className="card restore">
        <PruningFrame pruning={pruning} remote={remote} disabled={disabled} />
        {changed && <p role="alert">{words.inspection.planChanged}</p>}
        {lines === null && <p className="faint">{words.inspection.cleanHint}</p>}
        {lines?.length === 0 && <p>{words.inspection.cleanNone}</p>}
        {lines !== null && lines.length > 0 && (
          <>
            <p className="faint">{words.inspection.cleanChoose}</p>
            <Lines lines={lines} ticked={ticked} disabled={disabled} onTick={tick} />
          </>
        )}
        <div className="actions">
          <button type="button" disabled={disabled} onClick={look}>
            {asking === 'look' ? words.restore.looking : lines === null ? words.inspection.cleanLook : words.inspection.again}
          </button>
          {chosen.length > 0 && (
            <button type="button" className="primary" disabled={disabled} onClick={apply}>
              {asking === 'apply' ? words.restore.removing : words.restore.removeButton(showNumber(chosen.length), showBytes(sum(chosen)))}
            </button>
          )}
        </div>
      </div>
    </section>
  );
}
