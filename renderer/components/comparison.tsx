import type { ComparedVersion, InboxComparison } from '../../shared/inbox';
import { type DiffRow, diffLines, foldSame } from '../line-diff';
import { showBytes, showNumber, words } from '../words';
import { DiffText } from './diff-text';
import { ThreeWayDiff } from './three-way-diff';

/** Rows that are drawn; a file can have more lines than a window should hold. */
const mostRows = 600;

const signs = { same: ' ', local: '−', remote: '+' } as const;

/** What there is to say of one version beside its text. */
export function describeComparedVersion({ state, bytes, text }: ComparedVersion): string {
  if (state === 'gone') return words.versionGone;
  const size = bytes === null ? [] : [showBytes(bytes)];
  if (state === 'not-kept') return [...size, words.versionNotKept].join(', ');
  return [...size, ...(text === null ? [words.versionNoText] : [])].join(', ');
}

function Row({ row, remote }: { readonly row: DiffRow; readonly remote: string }) {
  if (row.kind === 'skipped') return <div className="diff-skipped">{words.sameLines(showNumber(row.count))}</div>;
  return (
    <div className={`diff-${row.kind}`}>
      <span className="diff-sign" aria-hidden="true">
        {signs[row.kind]}
      </span>
      {row.kind !== 'same' && <span className="hidden">{`${row.kind === 'local' ? words.thisComputer : remote}${words.colon}`}</span>}
      <DiffText line={row.text} />
    </div>
  );
}

function Diff({ local, remote, name }: { readonly local: string; readonly remote: string; readonly name: string }) {
  const rows = foldSame(diffLines(local, remote));
  return (
    <>
      <p className="line faint">
        <span>
          <span className="diff-local diff-key">{signs.local}</span> {words.thisComputer}
        </span>
        <span>
          <span className="diff-remote diff-key">{signs.remote}</span> {name}
        </span>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="diff" tabIndex={0} aria-label={words.versions}>
        {rows.slice(0, mostRows).map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows never move, and many read the same
          <Row key={index} row={row} remote={name} />
        ))}
      </section>
      {rows.length > mostRows && <p className="faint">{words.moreLines(showNumber(rows.length - mostRows))}</p>}
    </>
  );
}

/** The text that a version contributes to the comparison; null when it has none that can be shown. */
function comparable({ state, text }: ComparedVersion): string | null {
  return state === 'gone' ? '' : text;
}

interface TextsProps {
  readonly base: string | null;
  readonly local: string;
  readonly remote: string;
  readonly name: string;
}

/** Line by line: against the version before both edits where it is at hand, else one side against the other. */
function Texts({ base, local, remote, name }: TextsProps) {
  if (local === remote) return <p className="faint">{words.equalTexts}</p>;
  if (base === null) return <Diff local={local} remote={remote} name={name} />;
  return <ThreeWayDiff base={base} local={local} remote={remote} name={name} />;
}

/** The three versions of what waits, line by line where they are text. */
export function Comparison({ comparison, remote }: { readonly comparison: InboxComparison; readonly remote: string }) {
  const { base } = comparison;
  const local = comparable(comparison.local);
  const theirs = comparable(comparison.remote);
  return (
    <>
      <dl className="facts">
        <dt>{words.thisComputer}</dt>
        <dd>{describeComparedVersion(comparison.local)}</dd>
        <dt>{remote}</dt>
        <dd>{describeComparedVersion(comparison.remote)}</dd>
        <dt>{words.commonVersion}</dt>
        <dd>{describeComparedVersion(base)}</dd>
      </dl>
      {local !== null && theirs !== null && <Texts base={base.text} local={local} remote={theirs} name={remote} />}
      {comparison.localChanged && <p className="held">{words.localChanged}</p>}
    </>
  );
}
