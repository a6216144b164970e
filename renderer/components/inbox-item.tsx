import { useId } from 'react';
import type { InboxComparison, InboxItem as Item, Resolution } from '../../shared/inbox';
import type { GrowthAlert } from '../../shared/run-report';
import { offeredFor } from '../resolutions';
import { translate } from '../translate';
import { words } from '../words';
import { figures } from './alert-list';
import { Bytes, Literal, Moment } from './amounts';
import { Comparison } from './comparison';

interface Props {
  readonly item: Item;
  /** What was unusual about it, for a subtree that is held for its size. */
  readonly alert: GrowthAlert | null;
  readonly now: number;
  /** The connection's name. */
  readonly remote: string;
  readonly open: boolean;
  /** Null until it is read. */
  readonly comparison: InboxComparison | null;
  readonly busy: boolean;
  readonly onToggle: () => void;
  readonly onResolve: (choice: Resolution) => void;
}

function Choices({ item, remote, busy, onResolve }: Pick<Props, 'item' | 'remote' | 'busy' | 'onResolve'>) {
  const hintId = useId();
  const offered = offeredFor(item, remote);
  return (
    <fieldset className="choices">
      <legend>{words.decide}</legend>
      {item.kind === 'review' && item.local === null && <p className="faint">{words.wholeSkill}</p>}
      {offered.map(({ choice, label, hint, lacking }, index) => (
        <div key={choice} className="choice">
          <button
            type="button"
            className={index === 0 ? 'primary' : undefined}
            disabled={busy || lacking}
            aria-describedby={`${hintId}-${choice}`}
            onClick={() => onResolve(choice)}
          >
            {label}
          </button>
          <span className="faint" id={`${hintId}-${choice}`}>
            {lacking ? words.notStored : hint}
          </span>
        </div>
      ))}
    </fieldset>
  );
}

/** One thing that waits; opened, its versions and what can be done about it. */
export function InboxItem({ item, alert, now, remote, open, comparison, busy, onToggle, onResolve }: Props) {
  const panel = useId();
  return (
    <li>
      <button type="button" className="item" aria-expanded={open} aria-controls={panel} data-item={item.id} onClick={onToggle}>
        <strong className="held">{words.inboxKinds[item.kind]}</strong>
        <Literal text={item.path} />
        {alert === null ? <span className="faint wrap">{translate(item.reason)}</span> : <span className="number">{figures(alert)}</span>}
        <span className="faint">
          {alert === null && (
            <>
              <Bytes value={item.bytes} /> ·{' '}
            </>
          )}
          <Moment at={item.createdAt} now={now} />
        </span>
      </button>
      <div id={panel} className="panel" hidden={!open}>
        {open && (
          <>
            {item.kind === 'growth' ? (
              <>
                {alert !== null && <p className="wrap">{translate(item.reason)}</p>}
                <p className="faint">{words.alertHolding}</p>
              </>
            ) : comparison === null ? (
              <p className="faint">{words.comparing}</p>
            ) : (
              <Comparison comparison={comparison} remote={remote} />
            )}
            <Choices item={item} remote={remote} busy={busy} onResolve={onResolve} />
          </>
        )}
      </div>
    </li>
  );
}
