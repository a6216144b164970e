import { type Chunk, compareThreeWays } from '../three-way';
import { showNumber, words } from '../words';
import { DiffText } from './diff-text';

/** Equal lines that are shown on each side of a change. */
const context = 3;
/** Changes that are drawn; a file can have more than a window should hold. */
const mostChunks = 200;
/** Lines of one change that are drawn. */
const mostLines = 300;

interface LinesProps {
  readonly lines: readonly string[];
  readonly kind: 'same' | 'before' | 'here' | 'there';
  /** Whose lines these are, for a reader who listens. */
  readonly whose?: string;
}

const signs = { same: ' ', before: '−', here: '+', there: '+' } as const;

function Lines({ lines, kind, whose }: LinesProps) {
  return (
    <>
      {lines.slice(0, mostLines).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines never move, and many read the same
        <div key={index} className={`diff-${kind}`}>
          <span className="diff-sign" aria-hidden="true">
            {signs[kind]}
          </span>
          {whose !== undefined && <span className="hidden">{`${whose}${words.colon}`}</span>}
          <DiffText line={line} />
        </div>
      ))}
      {lines.length > mostLines && <div className="diff-skipped">{words.moreLines(showNumber(lines.length - mostLines))}</div>}
    </>
  );
}

/** Equal lines, but for those next to a change left out where that saves something. */
function Same({ lines, first, last }: { readonly lines: readonly string[]; readonly first: boolean; readonly last: boolean }) {
  const before = first ? 0 : context;
  const after = last ? 0 : context;
  const skipped = lines.length - before - after;
  if (skipped <= 1) return <Lines lines={lines} kind="same" />;
  return (
    <>
      <Lines lines={lines.slice(0, before)} kind="same" />
      <div className="diff-skipped">{words.sameLines(showNumber(skipped))}</div>
      <Lines lines={lines.slice(lines.length - after)} kind="same" />
    </>
  );
}

function Changed({ chunk: { kind, base, local, remote }, name }: { readonly chunk: Chunk; readonly name: string }) {
  const { before, changedBy, changedAlike, changedBoth } = words.threeWay;
  const title =
    kind === 'alike' ? changedAlike : kind === 'conflict' ? changedBoth : changedBy(kind === 'local' ? words.thisComputer : name);
  return (
    <>
      <div className={`diff-title${kind === 'conflict' ? ' held' : ''}`}>{title}</div>
      <Lines lines={base} kind="before" whose={before} />
      {kind !== 'remote' && <Lines lines={local} kind="here" whose={words.thisComputer} />}
      {(kind === 'remote' || kind === 'conflict') && <Lines lines={remote} kind="there" whose={name} />}
    </>
  );
}

interface Props {
  readonly base: string;
  readonly local: string;
  readonly remote: string;
  /** The connection's name. */
  readonly name: string;
}

/** What each side made of the version before both edits. */
export function ThreeWayDiff({ base, local, remote, name }: Props) {
  const chunks = compareThreeWays(base, local, remote);
  const shown = chunks.slice(0, mostChunks);
  return (
    <>
      <p className="line faint">
        <span>
          <span className="diff-before diff-key">{signs.before}</span> {words.commonVersion}
        </span>
        <span>
          <span className="diff-here diff-key">{signs.here}</span> {words.thisComputer}
        </span>
        <span>
          <span className="diff-there diff-key">{signs.there}</span> {name}
        </span>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="diff" tabIndex={0} aria-label={words.versions}>
        {shown.map((chunk, index) =>
          chunk.kind === 'same' ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: chunks never move
            <Same key={index} lines={chunk.base} first={index === 0} last={index === chunks.length - 1} />
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: chunks never move
            <Changed key={index} chunk={chunk} name={name} />
          ),
        )}
      </section>
      {chunks.length > mostChunks && <p className="faint">{words.threeWay.more}</p>}
    </>
  );
}
