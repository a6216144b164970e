import type { GrowthAlert } from '../../shared/run-report';
import { showBytes, words } from '../words';
import { Literal } from './amounts';

/** What was unusual about a run: measured, usual, and the folder that grew. */
export function AlertList({ alerts }: { readonly alerts: readonly GrowthAlert[] }) {
  return (
    <>
      {alerts.map((alert) => (
        <section key={`${alert.kind} ${alert.culprit}`} className="card hold" role="alert">
          <strong>{words.alerts[alert.kind]}</strong>
          <p>{words.alertFigures(showBytes(alert.actual), showBytes(alert.usual))}</p>
          {alert.culprit !== '' && (
            <p>
              {words.alertCulprit}
              {words.colon}
              <Literal text={alert.culprit} />
            </p>
          )}
          {alert.holding && <p className="faint">{words.alertHolding}</p>}
        </section>
      ))}
    </>
  );
}
