import { type ReactNode, useState } from 'react';
import type { RunReport } from '../../shared/run-report';
import { countFiles, showNumber, words } from '../words';
import { Bytes, Literal } from './amounts';

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

function Paths({ report }: { readonly report: RunReport }) {
  return (
    <>
      <ul className="paths">
        {report.paths.map((one) => (
          <li key={`${one.outcome} ${one.path}`}>
            <Literal text={one.path} />
            <span className="line faint">
              <span className={`outcome path-${one.outcome}`}>{words.pathOutcomes[one.outcome]}</span>
              {one.outcome !== 'removed' && <span>{words.changes[one.change]}</span>}
              <Bytes value={one.bytes} />
            </span>
            {one.reason !== '' && <span className="faint wrap">{one.reason}</span>}
          </li>
        ))}
      </ul>
      {report.pathsOmitted > 0 && <p className="faint">{words.omitted(showNumber(report.pathsOmitted))}</p>}
    </>
  );
}

/** The paths of a run that did not stay unchanged, folded away. */
export function PathList({ report }: { readonly report: RunReport }) {
  const count = report.paths.length + report.pathsOmitted;
  if (count === 0) return null;
  return <Fold summary={`${words.showFiles} (${countFiles(count)})`}>{() => <Paths report={report} />}</Fold>;
}
