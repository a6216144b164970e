import type { ReactNode } from 'react';
import type { ByteLedger, RunKind, Tally } from '../../shared/run-report';
import { countFiles, words } from '../words';
import { Bytes, Literal } from './amounts';
import { Bar } from './bar';

/** The refused trees, largest first, what the user declined, and what other rules refused, so that the lines add up to the total. */
export function refusedLines(refused: ByteLedger['refused']): {
  readonly trees: readonly (readonly [string, Tally])[];
  readonly declined: Tally;
  readonly other: Tally;
} {
  const trees = Object.entries(refused.byTree).sort(([a, x], [b, y]) => y.bytes - x.bytes || y.files - x.files || a.localeCompare(b));
  const { declined = { files: 0, bytes: 0 } } = refused.byRule;
  const sum = (part: keyof Tally) => trees.reduce((total, [, tally]) => total + tally[part], declined[part]);
  return { trees, declined, other: { files: Math.max(0, refused.files - sum('files')), bytes: Math.max(0, refused.bytes - sum('bytes')) } };
}

/** What is in scope on the remote and neither came home nor is the same here: it waits, or failed. The lines then add up to the whole. */
export function openPart({ onRemote, refused, written, unchanged }: ByteLedger): Tally {
  const rest = (part: keyof Tally) => Math.max(0, onRemote[part] - refused[part] - written[part] - unchanged[part]);
  return { files: rest('files'), bytes: rest('bytes') };
}

/** A number of files and their size. */
export function Amount({ tally }: { readonly tally: Tally }) {
  return (
    <>
      {countFiles(tally.files)} · <Bytes value={tally.bytes} />
    </>
  );
}

/** A line of a ledger. */
export function Line({
  name,
  lead = false,
  sub = false,
  children,
}: {
  readonly name: ReactNode;
  readonly lead?: boolean;
  readonly sub?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <div className={`ledger-line${lead ? ' lead' : ''}${sub ? ' sub' : ''}`}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** What rules kept where it is, by tree. */
export function Refused({ ledger, outgoing }: { readonly ledger: ByteLedger; readonly outgoing: boolean }) {
  const { trees, declined, other } = refusedLines(ledger.refused);
  return (
    <>
      <Line
        lead
        name={
          <>
            <span className="swatch swatch-refused" aria-hidden="true" />
            {outgoing ? words.ledger.refusedHere : words.ledger.refused}
          </>
        }
      >
        {ledger.refused.estimated && `${words.ledger.atLeast} `}
        <Amount tally={ledger.refused} />
      </Line>
      {trees.map(([name, tally]) => (
        <Line key={name} sub name={<Literal text={name} />}>
          <Amount tally={tally} />
        </Line>
      ))}
      {declined.files > 0 && (
        <Line sub name={words.ledger.declined}>
          <Amount tally={declined} />
        </Line>
      )}
      {(trees.length > 0 || declined.files > 0) && other.files > 0 && (
        <Line sub name={words.ledger.otherRules}>
          <Amount tally={other} />
        </Line>
      )}
    </>
  );
}

function Rest({ ledger, outgoing }: { readonly ledger: ByteLedger; readonly outgoing: boolean }) {
  const open = openPart(ledger);
  return (
    <>
      {open.files > 0 && (
        <Line name={words.ledger.open}>
          <Amount tally={open} />
        </Line>
      )}
      <Line name={words.ledger.unchanged}>
        <Amount tally={ledger.unchanged} />
      </Line>
      <Line name={words.ledger.transferred}>
        <Amount tally={ledger.transferred} />
      </Line>
      <Line name={words.ledger.wire}>
        <Bytes value={ledger.wire.sent + ledger.wire.received} />
      </Line>
      {!outgoing && (
        <Line name={words.ledger.onRemote}>
          <Amount tally={ledger.onRemote} />
        </Line>
      )}
    </>
  );
}

interface Props {
  readonly ledger: ByteLedger;
  readonly kind: RunKind;
  /** False for a run that looked at nothing but what it placed or removed. */
  readonly whole?: boolean;
}

/** Where every byte of a run went. */
export function Ledger({ ledger, kind, whole = true }: Props) {
  const outgoing = kind === 'push';
  return (
    <div className="ledger">
      {whole && <Bar written={ledger.written.bytes} refused={ledger.refused.bytes} />}
      <dl>
        <Line
          lead
          name={
            <>
              <span className="swatch swatch-written" aria-hidden="true" />
              {outgoing ? words.ledger.writtenThere : words.ledger.written}
            </>
          }
        >
          <Amount tally={ledger.written} />
        </Line>
        {whole && <Refused ledger={ledger} outgoing={outgoing} />}
        <Line name={outgoing ? words.ledger.removedThere : words.ledger.removed}>
          <Amount tally={ledger.removed} />
        </Line>
        {whole && <Rest ledger={ledger} outgoing={outgoing} />}
      </dl>
    </div>
  );
}
