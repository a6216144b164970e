import { hashOf } from '../route';
import { words } from '../words';

/** The way back to the list. */
export function BackLink() {
  return (
    <a className="back" href={hashOf({ kind: 'connections' })}>
      <span aria-hidden="true">‹</span>
      <span className="hidden">{words.back}</span>
    </a>
  );
}
