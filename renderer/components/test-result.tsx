import type { ConnectionTest } from '../../shared/connection';
import { errorText } from '../error-text';
import { visibleName } from '../format';
import { translate } from '../translate';
import { words } from '../words';

interface Props {
  readonly test: ConnectionTest;
  readonly busy: boolean;
  /** The user compared an unknown host key and trusts it. */
  readonly onTrust: (fingerprint: string) => void;
}

/** The name of a check; one that is not known here is named as the application names it. */
function nameOf(id: string): string {
  return id in words.checks ? words.checks[id as keyof typeof words.checks] : id;
}

/** The verdicts of a connection test; what failed says what to do about it. */
export function TestResult({ test, busy, onTrust }: Props) {
  const unknownKey = test.checks.find((check) => check.unknownKey !== undefined)?.unknownKey;
  return (
    <section className={test.ok ? 'card' : 'card stop'} role={test.ok ? undefined : 'alert'}>
      <strong>{test.ok ? words.testOk : words.testBad}</strong>
      <ul className="checks">
        {test.checks.map(({ id, ok, detail, fix, error }) => (
          <li key={id} className="wrap">
            <span aria-hidden="true" className={ok ? 'passed' : 'failed'}>
              {ok ? '✓' : '✗'}
            </span>{' '}
            <strong>{nameOf(id)}</strong>
            <span className="faint"> {visibleName(error === undefined ? translate(fix ?? detail) : errorText(error))}</span>
          </li>
        ))}
      </ul>
      {unknownKey !== undefined && (
        <div className="actions">
          <button type="button" disabled={busy} onClick={() => onTrust(unknownKey)}>
            {words.trustKey}
          </button>
          <span className="faint grow">{words.trustHint}</span>
        </div>
      )}
    </section>
  );
}
