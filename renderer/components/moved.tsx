import type { ByteLedger } from '../../shared/run-report';
import { formatExactBytes } from '../format';
import { locale, showRoughBytes, words } from '../words';

function Rough({ value }: { readonly value: number }) {
  return (
    <span className="number" title={formatExactBytes(value, locale)}>
      {showRoughBytes(value)}
    </span>
  );
}

/** The two figures that matter: what was written and what was refused. */
export function Moved({ ledger }: { readonly ledger: ByteLedger }) {
  return (
    <span className="moved">
      <Rough value={ledger.written.bytes} /> {words.written}, <Rough value={ledger.refused.bytes} /> {words.refused}
    </span>
  );
}
