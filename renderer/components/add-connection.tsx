import { useState } from 'react';
import { type NewConnection, showAddress } from '../../shared/connection';
import type { Bridge, WireError } from '../../shared/contract';
import type { Proposal } from '../../shared/proposal';
import { useAnswer } from '../application';
import type { Commands } from '../commands';
import { visibleName } from '../format';
import { goTo } from '../navigation';
import { words } from '../words';
import { AddForm } from './add-form';
import { Literal } from './amounts';
import { ErrorCard } from './error-card';

interface ProposalsProps {
  readonly proposals: readonly Proposal[];
  readonly busy: boolean;
  readonly onAdd: (wanted: NewConnection) => void;
}

/** Machines that are named on this computer already; each is tested with one button. */
function Proposals({ proposals, busy, onAdd }: ProposalsProps) {
  return (
    <ul className="card list">
      {proposals.map(({ connection, file, savedAs }) => (
        <li key={`${file} ${connection.name} ${showAddress(connection.address)}`} className="proposal">
          <span className="grow">
            <strong>{visibleName(connection.name)}</strong>{' '}
            {connection.address.kind === 'address' && <Literal text={showAddress(connection.address)} />}
            <br />
            <span className="faint">{savedAs === null ? words.add.foundIn(visibleName(file)) : words.add.saved(visibleName(savedAs))}</span>
          </span>
          {savedAs === null && (
            <button
              type="button"
              disabled={busy}
              aria-label={`${words.add.test}${words.colon}${visibleName(connection.name)}`}
              onClick={() => onAdd(connection)}
            >
              {words.add.test}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Adding a connection: one that is named on this computer, or an address. What is chosen is kept and tested at once. */
export function AddConnection({ bridge, commands }: { readonly bridge: Bridge; readonly commands: Commands }) {
  const answer = useAnswer(bridge, 'connection.proposals', {});
  const [adding, setAdding] = useState(false);
  const [problem, setProblem] = useState<WireError | null>(null);
  const add = async (wanted: NewConnection) => {
    setAdding(true);
    setProblem(null);
    const reply = await bridge.call('connection.add', wanted);
    setAdding(false);
    if (!reply.ok) return setProblem(reply.error);
    commands.test(reply.value.id);
    goTo({ kind: 'add', id: reply.value.id });
  };
  const proposals = answer?.ok ? answer.value.proposals : [];
  return (
    <>
      {problem && <ErrorCard title={words.failedTitle} error={problem} />}
      {proposals.length > 0 && (
        <section className="block">
          <h2>{words.add.found}</h2>
          <Proposals proposals={proposals} busy={adding} onAdd={(wanted) => void add(wanted)} />
        </section>
      )}
      <section className="block">
        {answer !== null && proposals.length === 0 && <p className="faint">{words.add.noneFound}</p>}
        {proposals.length > 0 && <h2>{words.add.other}</h2>}
        <AddForm busy={adding} onAdd={(wanted) => void add(wanted)} />
      </section>
    </>
  );
}
