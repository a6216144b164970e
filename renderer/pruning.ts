import { useCallback, useEffect, useRef, useState } from 'react';
import type { Envelope, WireError } from '../shared/contract';
import type { RemovedRun } from '../shared/plan';
import type { RunReport } from '../shared/run-report';
import type { RestoreCalls } from './restore-calls';
import { words } from './words';

export type PruneAsk = 'look' | 'apply' | 'undo' | 'free';

/** A plan that is looked at and carried out, and what earlier ones took away. */
export interface Pruning {
  /** A request that was sent and not answered. */
  readonly asking: PruneAsk | null;
  /** The plan that is shown, or what a request answered instead. */
  readonly report: RunReport | null;
  readonly removed: RemovedRun | null;
  readonly problem: WireError | null;
  /** What the last request came to, in words. */
  readonly said: string;
  /** Sends a request; `take` makes of its report what is shown from then on. A later request overtakes an earlier one. */
  ask(what: PruneAsk, request: () => Promise<Envelope<RunReport>>, take?: (done: RunReport) => RunReport | null): void;
  /** Puts back what a run took. */
  back(run: string): void;
  /** Deletes it for good. */
  free(run: string): void;
}

/** What is known of a connection's prunes or clean-ups. `lastRun` changes when a run ended, whoever asked for it. */
export function usePruning(calls: RestoreCalls, connection: string, kind: RemovedRun['kind'], lastRun: string): Pruning {
  const [asking, setAsking] = useState<PruneAsk | null>(null);
  const [report, setReport] = useState<RunReport | null>(null);
  const [removed, setRemoved] = useState<RemovedRun | null>(null);
  const [problem, setProblem] = useState<WireError | null>(null);
  const [said, setSaid] = useState('');
  const latest = useRef(0);
  const refresh = useCallback(async () => {
    const reply = await calls.removed(connection);
    if (reply.ok) setRemoved(reply.value.runs.find((run) => run.kind === kind) ?? null);
  }, [calls, connection, kind]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a run that ended elsewhere may have taken or put back something
  useEffect(() => void refresh(), [refresh, lastRun]);

  const send = async (what: PruneAsk, request: () => Promise<Envelope<RunReport>>, take: (done: RunReport) => RunReport | null) => {
    latest.current += 1;
    const mine = latest.current;
    setAsking(what);
    setProblem(null);
    setSaid('');
    const reply = await request();
    // A later choice overtook this one.
    if (mine !== latest.current) return;
    setAsking(null);
    const error = reply.ok ? reply.value.error : reply.error;
    setProblem(error);
    if (reply.ok && error === null) setReport(take(reply.value));
    await refresh();
  };
  const settle = (what: PruneAsk, request: () => Promise<Envelope<RunReport>>, sentence: string) =>
    void send(what, request, (done) => {
      setSaid(done.outcome === 'done' ? sentence : words.outcomes[done.outcome]);
      return null;
    });
  return {
    ...{ asking, report, removed, problem, said },
    ask: (what, request, take = (done) => done) => void send(what, request, take),
    back: (run) => settle('undo', () => calls.undo(connection, run), words.restore.undone),
    free: (run) => settle('free', () => calls.free(connection, run), words.restore.freed),
  };
}
