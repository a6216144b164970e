import type { ConnectionState } from '../../shared/contract';
import type { RunOutcome } from '../../shared/run-report';
import { words } from '../words';

/** One of the five words for a connection. */
export function StateWord({ state }: { readonly state: ConnectionState }) {
  return <span className={`state state-${state}`}>{words.states[state]}</span>;
}

/** One of the six words for a run. */
export function OutcomeWord({ outcome }: { readonly outcome: RunOutcome }) {
  return <span className={`outcome outcome-${outcome}`}>{words.outcomes[outcome]}</span>;
}
