import type { Progress as ProgressFacts } from '../../shared/contract';
import { countFiles, showBytes, showNumber, words } from '../words';

function showAmount(value: number, unit: ProgressFacts['unit']): string {
  if (unit === 'bytes') return showBytes(value);
  return unit === 'files' ? countFiles(value) : showNumber(value);
}

/** How far a phase is, in words; null while it counts nothing. */
export function describeAmount(progress: ProgressFacts): string | null {
  if (progress.unit === null) return null;
  const done = progress.total === null || progress.unit === 'bytes' ? showAmount(progress.done, progress.unit) : showNumber(progress.done);
  return progress.total === null ? done : words.of(done, showAmount(progress.total, progress.unit));
}

interface Props {
  readonly progress: ProgressFacts | null;
  /** What to say before the first progress event. */
  readonly waiting: string;
  readonly cancelling: boolean;
  readonly onCancel: () => void;
}

/** What a run does right now, in words. */
export function describePhase(progress: ProgressFacts | null, waiting: string): string {
  return progress === null ? waiting : `${words.working[progress.kind]}${words.colon}${words.phases[progress.phase]}`;
}

/** What goes on right now. Nothing here is announced: the numbers change too often to be spoken. */
export function Progress({ progress, waiting, cancelling, onCancel }: Props) {
  const phase = describePhase(progress, waiting);
  const amount = progress === null ? null : describeAmount(progress);
  const known = progress !== null && progress.total !== null && progress.total > 0;
  return (
    <section className="card working" aria-label={words.states.working}>
      <div className="line">
        <span className="grow">{phase}</span>
        <button type="button" disabled={cancelling} onClick={onCancel}>
          {cancelling ? words.cancelling : words.cancel}
        </button>
      </div>
      <progress aria-label={phase} {...(known ? { value: Math.min(progress.done, progress.total), max: progress.total } : {})} />
      {amount !== null && <span className="faint number">{amount}</span>}
    </section>
  );
}
