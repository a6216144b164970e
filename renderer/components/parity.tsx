import type { RuleParity } from '../../shared/inspection';
import { words } from '../words';
import { NameList } from './name-list';

/** How our excluded names compare with those of the Hermes that is installed on this computer. */
export function Parity({ parity: { state, file, added, absent, unusable } }: { readonly parity: RuleParity }) {
  return (
    <section className="block">
      <h2>{words.parity.title}</h2>
      <div className="card">
        <p>{words.parity.states[state]}</p>
        <NameList label={words.parity.added} names={added} />
        <NameList label={words.parity.absent} names={absent} />
        <NameList label={words.parity.unusable} names={unusable} />
        <NameList label={words.parity.file} names={file === null ? [] : [file]} />
      </div>
    </section>
  );
}
