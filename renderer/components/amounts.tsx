import { Fragment } from 'react';
import { formatExactBytes } from '../../shared/bytes';
import { formatExactMoment, formatMoment, visibleName } from '../format';
import { locale, showBytes } from '../words';

/** Bytes for a reader, exact on hover. */
export function Bytes({ value }: { readonly value: number }) {
  return (
    <span className="number" title={formatExactBytes(value, locale)}>
      {showBytes(value)}
    </span>
  );
}

/** A moment: relative under a day, in full on hover. */
export function Moment({ at, now }: { readonly at: string; readonly now: number }) {
  return (
    <time dateTime={at} title={formatExactMoment(at, locale)}>
      {formatMoment(at, now, locale)}
    </time>
  );
}

/** A path or name from either side: monospaced, broken after its slashes, never translated or mirrored, nothing in it hidden. */
export function Literal({ text }: { readonly text: string }) {
  return (
    <bdi className="literal" dir="ltr" translate="no">
      {visibleName(text)
        .split(/(?<=\/)/)
        .map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a path are their places in it
          <Fragment key={index}>
            {index > 0 && <wbr />}
            {part}
          </Fragment>
        ))}
    </bdi>
  );
}
