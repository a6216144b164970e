import type { ConnectionTest } from '../../shared/connection';
import { visibleName } from '../format';
import { words } from '../words';

/** The verdicts of a connection test; what failed says what to do about it. */
export function TestResult({ test }: { readonly test: ConnectionTest }) {
  return (
    <section className={test.ok ? 'card' : 'card stop'} role={test.ok ? undefined : 'alert'}>
      <strong>{test.ok ? words.testOk : words.testBad}</strong>
      <ul className="checks">
        {test.checks.map((check) => (
          <li key={check.id} className="wrap">
            <span aria-hidden="true">{check.ok ? '✓' : '✗'}</span> {visibleName(check.detail)}
            {check.fix !== null && <span className="faint wrap"> {visibleName(check.fix)}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
