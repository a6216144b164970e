/** One line of two versions. `text` ends with its newline, where it has one. */
export interface DiffLine {
  readonly kind: 'same' | 'local' | 'remote';
  readonly text: string;
}

/** What is drawn: lines, and how many equal ones were left out between them. */
export type DiffRow = DiffLine | { readonly kind: 'skipped'; readonly count: number };

/** Edits that are looked for; beyond it two versions are shown one after the other. Bounds time and memory. */
const mostEdits = 400;

function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** The fewest removed and added lines that turn the local version into the remote one, in order. */
export function diffLines(local: string, remote: string): readonly DiffLine[] {
  const a = linesOf(local);
  const b = linesOf(remote);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const same = (lines: readonly string[]) => lines.map((text): DiffLine => ({ kind: 'same', text }));
  return [
    ...same(a.slice(0, start)),
    ...diffMiddle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...same(a.slice(a.length - end)),
  ];
}

/** Myers's greedy search. `reached[d][k]`: how far along `a` one comes with `d` edits on the diagonal `k`. */
function diffMiddle(a: readonly string[], b: readonly string[]): readonly DiffLine[] {
  const trail: ReadonlyMap<number, number>[] = [];
  let reached = new Map<number, number>([[1, 0]]);
  for (let edits = 0; edits <= Math.min(a.length + b.length, mostEdits); edits += 1) {
    const next = new Map(reached);
    for (let k = -edits; k <= edits; k += 2) {
      let x = goesDown(reached, k, edits) ? (reached.get(k + 1) ?? 0) : (reached.get(k - 1) ?? 0) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1;
      next.set(k, x);
      if (x >= a.length && x - k >= b.length) return walkBack(a, b, [...trail, reached]);
    }
    trail.push(reached);
    reached = next;
  }
  return [...a.map((text): DiffLine => ({ kind: 'local', text })), ...b.map((text): DiffLine => ({ kind: 'remote', text }))];
}

/** Whether the best way to diagonal `k` is by a line of `b`. */
function goesDown(reached: ReadonlyMap<number, number>, k: number, edits: number): boolean {
  return k === -edits || (k !== edits && (reached.get(k - 1) ?? -1) < (reached.get(k + 1) ?? -1));
}

function walkBack(a: readonly string[], b: readonly string[], trail: readonly ReadonlyMap<number, number>[]): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let x = a.length;
  let y = b.length;
  for (let edits = trail.length - 1; edits >= 0; edits -= 1) {
    const reached = trail[edits] ?? new Map<number, number>();
    const k = x - y;
    const down = goesDown(reached, k, edits);
    const before = down ? k + 1 : k - 1;
    const fromX = edits === 0 ? 0 : (reached.get(before) ?? 0);
    const fromY = edits === 0 ? 0 : fromX - before;
    while (x > fromX && y > fromY) {
      x -= 1;
      y -= 1;
      lines.push({ kind: 'same', text: a[x] ?? '' });
    }
    if (edits === 0) break;
    lines.push(down ? { kind: 'remote', text: b[fromY] ?? '' } : { kind: 'local', text: a[fromX] ?? '' });
    x = fromX;
    y = fromY;
  }
  return lines.reverse();
}

/** Leaves out equal lines that are further than `context` from a change, where that saves something. */
export function foldSame(lines: readonly DiffLine[], context = 3): readonly DiffRow[] {
  const near = new Set<number>();
  for (const [index, { kind }] of lines.entries()) {
    if (kind === 'same') continue;
    for (let at = index - context; at <= index + context; at += 1) near.add(at);
  }
  const rows: DiffRow[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    let count = 0;
    while (index + count < lines.length && !near.has(index + count)) count += 1;
    if (count > 1) rows.push({ kind: 'skipped', count });
    if (count > 1) index += count - 1;
    else rows.push(lines[index] as DiffLine);
  }
  return rows;
}
