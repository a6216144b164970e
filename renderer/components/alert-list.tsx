import type { InboxItem } from '../../shared/inbox';
import type { GrowthAlert } from '../../shared/run-report';
import { showBytes, words } from '../words';
import { Literal } from './amounts';

/** Whether an alert is about the subtree that an item holds: the item tells it, with what can be done, until it is decided. */
export function isAbout(alert: GrowthAlert, item: InboxItem): boolean {
  if (item.kind !== 'growth' || alert.kind !== 'growth') return false;
  return `${alert.culprit}/`.startsWith(`${item.path}/`) || `${item.path}/`.startsWith(`${alert.culprit}/`);
}

/** What was measured: beside the usual where there is one. */
export function figures({ actual, usual }: GrowthAlert): string {
  return usual > 0 ? words.alertFigures(showBytes(actual), showBytes(usual)) : showBytes(actual);
}

/** What is worth knowing about a run and holds nothing: it stands below the figures it is about. */
export function Remarks({ alerts }: { readonly alerts: readonly GrowthAlert[] }) {
  const remarks = alerts.filter(({ holding }) => !holding);
  if (remarks.length === 0) return null;
  return (
    <ul className="notes" aria-label={words.notes}>
      {remarks.map((alert) => (
        <li key={`${alert.kind} ${alert.culprit}`} className="wrap">
          <strong className="held">{words.alerts[alert.kind]}</strong>
          <br />
          <span className="number">{figures(alert)}</span>
          {alert.culprit !== '' && (
            <>
              {' · '}
              <Literal text={alert.culprit} />
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
