import type { ConnectionView } from '../../shared/contract';
import { describeSession } from '../attention';
import type { Commands } from '../commands';
import type { ConnectionFacts } from '../state';
import { showOpenFor, words } from '../words';

interface Props {
  readonly view: ConnectionView;
  readonly facts: ConnectionFacts;
  readonly commands: Commands;
  readonly now: number;
  readonly busy: boolean;
}

/** Where the session stands, and the one button that starts or ends it. */
export function SessionFoot({ view, facts, commands, now, busy }: Props) {
  const openFor = view.session?.state === 'open' ? showOpenFor(view.session.startedAt, now) : null;
  const ends = view.session !== null && view.session.state !== 'starting';
  const label = ends
    ? busy && facts.asking === 'end'
      ? words.ending
      : words.end
    : busy && facts.asking === 'start'
      ? words.starting
      : words.start;
  return (
    <footer>
      <span className="grow">{describeSession(view, openFor)}</span>
      <button type="button" className="primary" disabled={busy} onClick={() => (ends ? commands.end(view.id) : commands.start(view.id))}>
        {label}
      </button>
    </footer>
  );
}
