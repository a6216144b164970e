import { showBytes, words } from '../words';

const width = 400;
/** A part that is not nothing is never drawn as nothing. */
const leastWidth = 4;

/** The width of the written part, out of 400. */
export function writtenWidth(written: number, refused: number): number {
  if (written <= 0) return 0;
  if (refused <= 0) return width;
  const exact = (written / (written + refused)) * width;
  return Math.round(Math.min(width - leastWidth, Math.max(leastWidth, exact)));
}

/** Written against refused bytes, as one bar. */
export function Bar({ written, refused }: { readonly written: number; readonly refused: number }) {
  const part = writtenWidth(written, refused);
  const label = words.ledger.bar(showBytes(written), showBytes(refused));
  return (
    <svg className="bar" viewBox={`0 0 ${width} 8`} preserveAspectRatio="none" role="img" aria-label={label}>
      <rect className={written + refused > 0 ? 'bar-refused' : 'bar-empty'} width={width} height="8" />
      <rect className="bar-written" width={part} height="8" />
    </svg>
  );
}
