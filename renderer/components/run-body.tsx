import type { RunReport } from '../../shared/run-report';
import { visibleName } from '../format';
import { translate } from '../translate';
import { words } from '../words';
import { Remarks } from './alert-list';
import { Ledger } from './ledger';

/** Runs that look at nothing but what they place or remove, so that the ledger's other figures say nothing. */
const aside: ReadonlySet<RunReport['kind']> = new Set(['resolve', 'undo', 'prune', 'clean']);

/** What a run did, in figures, with what is worth knowing about it. */
export function RunBody({ run }: { readonly run: RunReport }) {
  return (
    <>
      <Ledger ledger={run.ledger} kind={run.kind} whole={!aside.has(run.kind)} />
      <Remarks alerts={run.alerts} />
      {run.notes.length > 0 && (
        <ul className="notes" aria-label={words.notes}>
          {run.notes.map((note) => (
            <li key={note} className="wrap">
              {visibleName(translate(note))}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
