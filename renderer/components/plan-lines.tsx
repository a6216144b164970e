import { type PlanLine, planReasons } from '../../shared/plan';
import { translate } from '../translate';
import { locale, words } from '../words';
import { Bytes, Literal } from './amounts';

const id = /^(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})Z(?:-\d{2})?$/;

/** Whether a line is about a restore point, and not about something else that lies there. */
export function isPoint(line: PlanLine): boolean {
  return id.test(line.id) && line.reason !== planReasons.link;
}

/** The lines of one side, newest first as they come, each with its reason. */
export function PlanLines({ lines, where }: { readonly lines: readonly PlanLine[]; readonly where: string }) {
  if (lines.length === 0) return null;
  return (
    <ul className="list plan" aria-label={where}>
      {lines.map((line) => (
        <li key={line.path}>
          <span className="line">
            <span className="grow">
              <RestorePointName id={line.id} />
            </span>
            <Bytes value={line.bytes} />
            <strong className={line.decision === 'remove' ? 'goes' : 'stays'}>
              {line.decision === 'remove' ? words.restore.remove : words.restore.keep}
            </strong>
          </span>
          <small className="faint">{translate(line.reason)}</small>
        </li>
      ))}
    </ul>
  );
}

/** A restore point by its date, anything else by its name. */
export function RestorePointName({ id: name }: { readonly id: string }) {
  const match = id.exec(name);
  const time = match === null ? Number.NaN : Date.parse(`${match[1]}T${match[2]}:${match[3]}:${match[4]}Z`);
  if (Number.isNaN(time)) return <Literal text={name} />;
  const shown = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(time).replace(/ (?=[AP]M$)/, '\u00a0');
  return (
    <time dateTime={new Date(time).toISOString()} title={name}>
      {shown}
    </time>
  );
}
