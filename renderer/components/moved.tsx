import type { ByteLedger } from '../../shared/run-report';
import { words } from '../words';
import { Bytes } from './amounts';

/** The two figures that matter: what was written and what was refused. */
export function Moved({ ledger }: { readonly ledger: ByteLedger }) {
  return (
    <>
      <Bytes value={ledger.written.bytes} /> {words.written}, <Bytes value={ledger.refused.bytes} /> {words.refused}
    </>
  );
}
