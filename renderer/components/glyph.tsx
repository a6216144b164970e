import type { ReactElement } from 'react';
import type { ConnectionState } from '../../shared/contract';

// the shape tells the state, the colour only helps: ring with bar, ring that is filling, ring with two bars, struck ring, filled triangle
const shapes: Readonly<Record<ConnectionState, ReactElement>> = {
  ready: (
    <>
      <circle cx="8" cy="8" r="6" className="glyph-line" />
      <path d="M8 4.6v6.8" className="glyph-line" />
    </>
  ),
  working: (
    <>
      <circle cx="8" cy="8" r="6" strokeDasharray="9 3.6" className="glyph-line" />
      <path d="M8 4.8v6M5.6 8.4 8 10.8l2.4-2.4" className="glyph-line" />
    </>
  ),
  paused: (
    <>
      <circle cx="8" cy="8" r="6" className="glyph-line" />
      <path d="M6.3 5.4v5.2M9.7 5.4v5.2" className="glyph-line" />
    </>
  ),
  offline: (
    <>
      <path d="M3.2 4.6a6 6 0 0 0 8.2 8.3M5.4 2.6a6 6 0 0 1 8 7.9" className="glyph-line" />
      <path d="M2 14 14 2" className="glyph-line" />
    </>
  ),
  'needs-you': (
    <>
      <path d="M8 1.2 15.2 14.4H.8z" className="glyph-fill" />
      <path d="M8 5.8v4M8 11.2v1.6" className="glyph-mark" />
    </>
  ),
};

/** A connection's state as a shape. The state word always stands beside it, so it is hidden from screen readers. */
export function Glyph({ state }: { readonly state: ConnectionState }) {
  return (
    <svg className={`glyph glyph-${state}`} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      {shapes[state]}
    </svg>
  );
}
