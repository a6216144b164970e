import { useState } from 'react';
import { canBeChosen, type PlanLine } from '../../shared/plan';
import { usePruning } from '../pruning';
import type { RestoreCalls } from '../restore-calls';
import { translate } from '../translate';
import { showBytes, showNumber, words } from '../words';
import { Bytes, Literal } from './amounts';
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
              disabled={disabled || !canBeChosen(line)}
              checked={canBeChosen(line) && ticked.has(line.path)}
              onChange={(event) => onTick(line.path, event.target.checked)}
            />
            <span className="grow">
              <Literal text={line.path} />
              {(!canBeChosen(line) || line.side === 'local') && <small className="faint"> {translate(line.reason)}</small>}
            </span>
            <Bytes value={line.bytes} />
          </label>
        </li>
      ))}
    </ul>
  );
}

/** What older pushes left on the remote, and broken sync-backs here: what can go is ticked by hand, and goes by one button. */
export function CleanCard({ connection, remote, calls, busy, lastRun }: Props) {
  const pruning = usePruning(calls, connection, 'clean', lastRun);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const { asking, report } = pruning;
  const disabled = busy || asking !== null;
  const plan = report?.plan ?? null;
  const lines = plan?.lines ?? null;
  const chosen = lines?.filter((line) => canBeChosen(line) && ticked.has(line.path)) ?? [];
  const look = () => {
    setTicked(new Set());
    pruning.ask('look', () => calls.planClean(connection));
  };
  const apply = (fingerprint: string) => {
    const only = chosen.map(({ path }) => path);
    pruning.ask(
      'apply',
      () => calls.applyClean(connection, only, fingerprint),
      (done) => (done.outcome === 'stopped' ? done : null),
    );
  };
  const tick = (path: string, on: boolean) =>
    setTicked((before) => new Set([...before].filter((one) => one !== path).concat(on ? [path] : [])));
  return (
    <section className="block">
      <h2>{words.inspection.cleanTitle}</h2>
      <div className="card restore">
        <PruningFrame pruning={pruning} remote={remote} disabled={disabled} />
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
          {plan !== null && chosen.length > 0 && (
            <button type="button" className="primary" disabled={disabled} onClick={() => apply(plan.fingerprint)}>
              {asking === 'apply' ? words.restore.removing : words.restore.removeButton(showNumber(chosen.length), showBytes(sum(chosen)))}
            </button>
          )}
        </div>
      </div>
    </section>
  );
}
