import { type ReactNode, useState } from 'react';
import type { PathReport, RunReport } from '../../shared/run-report';
import { translate } from '../translate';
import { countFiles, showNumber, words } from '../words';
import { Bytes, Literal } from './amounts';
import { LongList } from './long-list';

/** Something that is built only when the reader opens it: a report can hold thousands of paths. */
export function Fold({ summary, children }: { readonly summary: ReactNode; readonly children: () => ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <details className="fold" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{summary}</summary>
      {open && children()}
    </details>
  );
}

const rowHeight = 64;
const keyOf = ({ outcome, path }: PathReport) => `${outcome} ${path}`;

function drawPath({ path, outcome, change, bytes, reason }: PathReport): ReactNode {
  return (
    <div className="path">
      <Literal text={path} />
      <span className="line faint">
        <span className={`outcome path-${outcome}`}>{words.pathOutcomes[outcome]}</span>
        {outcome !== 'removed' && <span>{words.changes[change]}</span>}
        <Bytes value={bytes} />
      </span>
      {reason !== '' && <span className="faint wrap">{translate(reason)}</span>}
    </div>
  );
}

/** The paths of a run that did not stay unchanged, however many. */
export function Paths({ report }: { readonly report: RunReport }) {
  return (
    <>
      <LongList items={report.paths} keyOf={keyOf} rowHeight={rowHeight} label={words.history.files} className="paths">
        {drawPath}
      </LongList>
      {report.pathsOmitted > 0 && <p className="faint">{words.omitted(showNumber(report.pathsOmitted))}</p>}
    </>
  );
}

function ScrollingPaths({ report }: { readonly report: RunReport }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="scroller box" tabIndex={0} aria-label={words.history.files}>
      <Paths report={report} />
    </section>
  );
}

/** The paths of a run that did not stay unchanged, folded away. */
export function PathList({ report }: { readonly report: RunReport }) {
  const count = report.paths.length + report.pathsOmitted;
  if (count === 0) return null;
  return <Fold summary={`${words.showFiles} (${countFiles(count)})`}>{() => <ScrollingPaths report={report} />}</Fold>;
}
