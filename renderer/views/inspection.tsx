import { type ReactNode, useState } from 'react';
import type { Bridge, ConnectionView, WireError } from '../../shared/contract';
import type { Route } from '../../shared/route';
import { errorTitle } from '../attention';
import { BackLink } from '../components/back-link';
import { CleanCard } from '../components/clean-card';
import { ErrorCard } from '../components/error-card';
import { Inspected } from '../components/inspected';
import { visibleName } from '../format';
import { useInspection } from '../inspect';
import type { RestoreCalls } from '../restore-calls';
import { isRunning } from '../state';
import { words } from '../words';

interface Props {
  readonly bridge: Bridge;
  readonly view: ConnectionView;
  readonly calls: RestoreCalls;
  readonly now: number;
  readonly parent: Route;
  /** Changes when a run ended. */
  readonly lastRun: string;
  readonly children?: ReactNode;
}

/** What lies beside the skills on both sides, and what older pushes left on the remote. Without the remote, this computer alone. */
export function InspectionView({ bridge, view, calls, now, parent, lastRun, children }: Props) {
  const [round, setRound] = useState(0);
  const { found, problem, looking } = useInspection(bridge, view.id, `${round} ${lastRun}`);
  const name = visibleName(view.name);
  return (
    <>
      <header>
        <BackLink to={parent} />
        <h1 tabIndex={-1}>{words.inspection.title(name)}</h1>
      </header>
      <main className="scroller">
        {children}
        <p role="status" className={looking ? 'faint' : 'hidden'}>
          {looking ? words.inspection.looking : ''}
        </p>
        {problem && <Away problem={problem} />}
        {found && <Inspected found={found} name={name} now={now} />}
        {found?.remote && <CleanCard connection={view.id} remote={name} calls={calls} busy={isRunning(view)} lastRun={lastRun} />}
      </main>
      <footer>
        <span className="grow">{words.inspection.safe}</span>
        <button type="button" disabled={looking} onClick={() => setRound((before) => before + 1)}>
          {words.inspection.again}
        </button>
      </footer>
    </>
  );
}

function Away({ problem }: { readonly problem: WireError }) {
  return (
    <ErrorCard title={errorTitle(problem.code)} error={problem}>
      <p>{words.inspection.unreachable}</p>
    </ErrorCard>
  );
}
