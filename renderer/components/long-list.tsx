import { memo, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';

/** Rows that are drawn or left out together. */
const blockRows = 40;
/** How far outside what is seen rows are drawn already, so that scrolling and the Tab key find them. */
const margin = '800px';

interface Props<T> {
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  /** Height of a row in pixels, roughly; what was seen once counts as it is. */
  readonly rowHeight: number;
  readonly label: string;
  readonly className?: string;
  /** The key of a row that is drawn from the start, so that the focus can go there. */
  readonly start?: string | null;
  /** Draws one row; must not change between drawings unless the rows do. */
  readonly children: (item: T) => ReactNode;
}

/** The indexes of the blocks in sight, and the heights of those that were. */
function useSight(
  count: number,
  start: number,
): { readonly list: React.RefObject<HTMLDivElement | null>; readonly seen: ReadonlyMap<number, number | null> } {
  const list = useRef<HTMLDivElement | null>(null);
  const [seen, setSeen] = useState<ReadonlyMap<number, number | null>>(
    new Map([
      [0, null],
      [start, null],
    ]),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: other blocks are other elements
  useEffect(() => {
    const element = list.current;
    if (element === null) return;
    const take = (entries: readonly IntersectionObserverEntry[]) =>
      setSeen((before) => {
        const next = new Map(before);
        for (const { target, isIntersecting, boundingClientRect } of entries) {
          const index = Number((target as HTMLElement).dataset.block);
          if (isIntersecting) next.set(index, null);
          else if (next.get(index) === null) next.set(index, boundingClientRect.height);
        }
        return next;
      });
    const observer = new IntersectionObserver(take, { root: element.closest('.scroller'), rootMargin: margin });
    for (const block of element.children) observer.observe(block);
    return () => observer.disconnect();
  }, [count]);
  return { list, seen };
}

/**
 * A list of any length that draws only what is near the part in sight. It is cut into blocks; those out of sight are empty boxes of
 * the height they had, so rows may be of any height, and scrolling stays the browser's own. It scrolls with the nearest `.scroller`.
 */
export function LongList<T>({ items, keyOf, rowHeight, label, className = '', start = null, children }: Props<T>) {
  const blocks = useMemo(() => {
    const count = Math.ceil(items.length / blockRows);
    return Array.from({ length: count }, (_, index) => items.slice(index * blockRows, (index + 1) * blockRows));
  }, [items]);
  const started = start === null ? 0 : Math.max(0, Math.floor(items.findIndex((item) => keyOf(item) === start) / blockRows));
  const { list, seen } = useSight(blocks.length, started);
  return (
    // biome-ignore lint/a11y/useSemanticElements: its rows lie in blocks, which a list element does not allow
    <div ref={list} role="list" aria-label={label} className={`long-list ${className}`}>
      {blocks.map((rows, index) => (
        <Block
          // biome-ignore lint/suspicious/noArrayIndexKey: a block is its place in the list
          key={index}
          index={index}
          rows={rows}
          total={items.length}
          height={seen.get(index) === null ? null : (seen.get(index) ?? rows.length * rowHeight)}
          keyOf={keyOf as (item: unknown) => string}
          draw={children as (item: unknown) => ReactNode}
        />
      ))}
    </div>
  );
}

interface BlockProps {
  readonly index: number;
  readonly rows: readonly unknown[];
  readonly total: number;
  /** Null while it is in sight and as high as its rows. */
  readonly height: number | null;
  readonly keyOf: (item: unknown) => string;
  readonly draw: (item: unknown) => ReactNode;
}

const Block = memo(function Block({ index, rows, total, height, keyOf, draw }: BlockProps) {
  return (
    <div role="presentation" data-block={index} style={height === null ? undefined : { height }}>
      {height === null &&
        rows.map((row, place) => (
          // biome-ignore lint/a11y/useSemanticElements: see above
          <div key={keyOf(row)} role="listitem" aria-setsize={total} aria-posinset={index * blockRows + place + 1}>
            {draw(row)}
          </div>
        ))}
    </div>
  );
});

/** Moves the focus between links of a list with the arrow keys, as the Tab key does step by step. */
export function useArrowKeys(): (event: React.KeyboardEvent<HTMLElement>) => void {
  return useCallback((event) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0 || !(event.target instanceof HTMLAnchorElement)) return;
    const links = [...event.currentTarget.querySelectorAll<HTMLAnchorElement>('[role=listitem] a')];
    const next = links[links.indexOf(event.target) + step];
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  }, []);
}
