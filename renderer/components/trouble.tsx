import type { ConnectionView, WireError } from '../../shared/contract';
import { errorTitle } from '../attention';
import type { Commands } from '../commands';
import type { ConnectionFacts } from '../state';
import { words } from '../words';
import { CopyLine } from './copy-line';
import { ErrorCard } from './error-card';
import { StopCard } from './stop-card';

interface Props {
  readonly view: ConnectionView;
  readonly facts: ConnectionFacts;
  readonly commands: Commands;
  readonly busy: boolean;
}

/** A text among the details of this kind of error; null for every other. */
function detailOf(error: WireError | null, code: string, name: string): string | null {
  if (error?.code !== code) return null;
  const value = (error.details as Readonly<Record<string, unknown>> | null)?.[name];
  return typeof value === 'string' ? value : null;
}

/** What stands in the way: the refused request, what is wrong with the link, the stop or the failure of the last run. Nothing while a run goes on. */
export function Trouble({ view, facts, commands, busy }: Props) {
  if (busy) return null;
  const run = view.lastRun;
  const link = view.link?.error ?? null;
  const error = facts.problem ?? link ?? (run?.outcome === 'interrupted' ? null : (run?.error ?? null));
  const fingerprint = detailOf(error, 'ssh.host-key-unknown', 'fingerprint');
  const forget = detailOf(error, 'ssh.host-key-changed', 'forget');
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
          {forget !== null && <CopyLine text={forget} />}
          {error === link && view.link?.state === 'lost' && (
            <div className="actions">
              <button type="button" onClick={() => commands.tryNow(view.id)}>
                {words.tryNow}
              </button>
              <span className="faint grow">{words.triesAgain}</span>
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
