import { hashOf, type Route } from '../../shared/route';
import { words } from '../words';

/** The way back, to the list of connections unless another screen is named. */
export function BackLink({ to = { kind: 'connections' } }: { readonly to?: Route }) {
  return (
    <a className="back" href={hashOf(to)}>
      <span aria-hidden="true">‹</span>
      <span className="hidden">{to.kind === 'connections' ? words.back : words.backOne}</span>
    </a>
  );
}
