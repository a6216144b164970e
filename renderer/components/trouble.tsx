import type { ConnectionView } from '../../shared/contract';
import { errorTitle } from '../attention';
import type { Commands } from '../commands';
import type { ConnectionFacts } from '../state';
import { words } from '../words';
import { ErrorCard } from './error-card';
import { StopCard } from './stop-card';

interface Props {
  readonly view: ConnectionView;
  readonly facts: ConnectionFacts;
  readonly commands: Commands;
  readonly busy: boolean;
}

function fingerprintOf(error: { readonly code: string; readonly details: unknown }): string | null {
  if (error.code !== 'ssh.host-key-unknown') return null;
  const fingerprint = (error.details as { readonly fingerprint?: unknown } | null)?.fingerprint;
  return typeof fingerprint === 'string' ? fingerprint : null;
}

/** What stands in the way: the refused request, the stop or the failure of the last run. Nothing while a run goes on. */
export function Trouble({ view, facts, commands, busy }: Props) {
  if (busy) return null;
  const run = view.lastRun;
  const error = facts.problem ?? (run?.outcome === 'interrupted' ? null : (run?.error ?? null));
  const fingerprint = error === null ? null : fingerprintOf(error);
  return (
    <>
      {error && (
        <ErrorCard title={errorTitle(error.code)} error={error}>
          {fingerprint !== null && (
            <div className="actions">
              <button type="button" onClick={() => commands.test(view.id, fingerprint)}>
                {words.trustKey}
              </button>
              <span className="faint grow">{words.trustHint}</span>
            </div>
          )}
        </ErrorCard>
      )}
      {run?.stop && (
        <StopCard stop={run.stop} kind={run.kind} disabled={busy} onAllow={() => commands.repeat(view.id, run, facts.allowed)} />
      )}
    </>
  );
}
