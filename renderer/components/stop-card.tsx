import { allowableGuards, type RunKind, type Stop } from '../../shared/run-report';
import { visibleName } from '../format';
import { stopFacts } from '../stop-facts';
import { translate } from '../translate';
import { words } from '../words';

interface Props {
  readonly stop: Stop;
  readonly kind: RunKind;
  readonly disabled: boolean;
  readonly onAllow: () => void;
}

/** Why a guard stopped a run, and the numbers it looked at. */
export function StopFacts({ stop }: { readonly stop: Stop }) {
  return (
    <>
      <p className="wrap">{visibleName(translate(stop.message))}</p>
      <dl className="facts">
        {stopFacts(stop.details).map((fact) => (
          <div key={fact.label}>
            <dt>{fact.label}</dt>
            {fact.values.map((value, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and two values may read the same
              <dd key={index} className={fact.literal ? 'literal' : 'number'}>
                {value}
              </dd>
            ))}
          </div>
        ))}
      </dl>
    </>
  );
}

/** A guard's stop with the numbers it looked at and, where there is one, the way through for this run. */
export function StopCard({ stop, kind, disabled, onAllow }: Props) {
  const repeatable = kind === 'push' || kind === 'sync-back';
  const allowable = repeatable && allowableGuards.includes(stop.guard);
  return (
    <section className="card hold" role="alert">
      <strong>{words.guards[stop.guard]}</strong>
      <StopFacts stop={stop} />
      <p className="faint">{words.untouched}</p>
      {allowable ? (
        <div className="actions">
          <button type="button" disabled={disabled} onClick={onAllow}>
            {kind === 'push' ? words.startAnyway : words.endAnyway}
          </button>
          <span className="faint grow">{words.onlyThisRun}</span>
        </div>
      ) : (
        <p className="faint">{words.noWayThrough}</p>
      )}
    </section>
  );
}
