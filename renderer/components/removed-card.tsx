import { useState } from 'react';
import type { RemovedRun } from '../../shared/plan';
import { locale, showBytes, showNumber, words } from '../words';

interface Props {
  readonly removed: RemovedRun;
  readonly remote: string;
  readonly disabled: boolean;
  readonly onUndo: (run: string) => void;
  readonly onFree: (run: string) => void;
}

/** What the last prune took away: it can come back, or be deleted at once. What lies on the remote is asked about once. */
export function RemovedCard({ removed, remote, disabled, onUndo, onFree }: Props) {
  const [confirming, setConfirming] = useState(false);
  const count = removed.local.count + removed.remote.count;
  const bytes = removed.local.bytes + removed.remote.bytes;
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(Date.parse(removed.keptUntil));
  const free = () => (removed.remote.count > 0 ? setConfirming(true) : onFree(removed.run));
  return (
    <div className="removed">
      <p>
        {words.restore.removed(count, showNumber(count), showBytes(bytes))} {words.restore.keptUntil(date)}
      </p>
      {confirming ? (
        <fieldset className="confirm">
          <legend className="wrap">
            {words.restore.confirm(remote, removed.remote.count, showNumber(removed.remote.count), showBytes(removed.remote.bytes))}
          </legend>
          <div className="actions">
            {/* biome-ignore lint/a11y/noAutofocus: the safe answer is the one at hand */}
            <button type="button" autoFocus onClick={() => setConfirming(false)}>
              {words.cancel}
            </button>
            <button
              type="button"
              disabled={disabled}
              onClick={() => {
                setConfirming(false);
                onFree(removed.run);
              }}
            >
              {words.restore.confirmFree}
            </button>
          </div>
        </fieldset>
      ) : (
        <div className="actions">
          <button type="button" disabled={disabled} onClick={() => onUndo(removed.run)}>
            {words.restore.undo}
          </button>
          <button type="button" disabled={disabled} onClick={free}>
            {words.restore.free}
          </button>
        </div>
      )}
    </div>
  );
}
