import { useState } from 'react';
import type { ConnectionView } from '../../shared/contract';
import { visibleName } from '../format';
import { words } from '../words';
import { Literal } from './amounts';

/** Where a connection leads, on both sides. */
export function Place({ view }: { readonly view: ConnectionView }) {
  const run = view.lastTeardown ?? view.lastRun;
  const reached = run !== null && run.remote.hostKey !== null ? `${run.remote.user}@${run.remote.host}:${run.remote.port}` : null;
  return (
    <dl className="facts place">
      <dt>{words.address}</dt>
      <dd>
        <Literal text={view.address} />
      </dd>
      {reached !== null && (
        <>
          <dt>{words.reached}</dt>
          <dd>
            <Literal text={reached} />
          </dd>
        </>
      )}
      <dt>{words.localHome}</dt>
      <dd>
        <Literal text={view.localHome} />
      </dd>
      <dt>{words.roots}</dt>
      <dd>
        <Literal text={view.roots.join(', ')} />
      </dd>
    </dl>
  );
}

interface RemoveProps {
  readonly name: string;
  readonly busy: boolean;
  readonly onRemove: () => void;
}

/** Forgets a connection, after one question: its decisions and waiting items cannot be brought back. */
export function RemoveConnection({ name, busy, onRemove }: RemoveProps) {
  const [asking, setAsking] = useState(false);
  if (!asking)
    return (
      <button type="button" className="quiet" disabled={busy} onClick={() => setAsking(true)}>
        {words.remove}
      </button>
    );
  return (
    <fieldset className="confirm">
      <legend className="wrap">{words.removeQuestion(visibleName(name))}</legend>
      <div className="actions">
        {/* biome-ignore lint/a11y/noAutofocus: the safe answer is the one at hand */}
        <button type="button" autoFocus onClick={() => setAsking(false)}>
          {words.cancel}
        </button>
        <button type="button" disabled={busy} onClick={onRemove}>
          {words.remove}
        </button>
      </div>
    </fieldset>
  );
}
