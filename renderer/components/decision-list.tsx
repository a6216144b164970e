import type { Decision } from '../../shared/decision';
import { words } from '../words';
import { Literal, Moment } from './amounts';
import { Fold } from './path-list';

interface Props {
  readonly decisions: readonly Decision[];
  readonly now: number;
  readonly busy: boolean;
  readonly onRevoke: (id: string) => void;
}

/** What was decided for good, folded away; each can be taken back. */
export function DecisionList({ decisions, now, busy, onRevoke }: Props) {
  if (decisions.length === 0) return null;
  return (
    <section className="block">
      <Fold summary={`${words.decisions} (${decisions.length})`}>
        {() => (
          <ul className="card list">
            {decisions.map(({ id, path, choice, createdAt }) => (
              <li key={id}>
                <Literal text={path} />
                <span className="line faint">
                  <span className="grow">{words.decisionKinds[choice]}</span>
                  <Moment at={createdAt} now={now} />
                  <button type="button" disabled={busy} aria-label={`${words.revoke}${words.colon}${path}`} onClick={() => onRevoke(id)}>
                    {words.revoke}
                  </button>
                </span>
              </li>
            ))}
          </ul>
        )}
      </Fold>
    </section>
  );
}
