import type { ReactNode } from 'react';
import type { WireError } from '../../shared/contract';
import { errorText } from '../error-text';
import { visibleName } from '../format';
import { words } from '../words';
import { Fold } from './path-list';

/** A failure: one sentence with what is safe and what to do next; the facts behind it on demand. */
export function ErrorCard({
  title,
  error,
  children,
}: {
  readonly title: string;
  readonly error: WireError;
  readonly children?: ReactNode;
}) {
  const facts = Object.entries((error.details ?? {}) as Record<string, unknown>);
  return (
    <section className="card stop" role="alert">
      <strong>{title}</strong>
      <p className="wrap">{visibleName(errorText(error))}</p>
      {children}
      <Fold summary={words.details}>
        {() => (
          <dl className="facts">
            <dt>{words.errorCode}</dt>
            <dd className="literal">{error.code}</dd>
            {facts.map(([key, value]) => (
              <Fragmented key={key} name={key} value={value} />
            ))}
          </dl>
        )}
      </Fold>
    </section>
  );
}

function Fragmented({ name, value }: { readonly name: string; readonly value: unknown }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="literal">{visibleName(typeof value === 'string' ? value : JSON.stringify(value))}</dd>
    </>
  );
}
