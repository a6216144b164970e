import { diffLines } from './line-diff';

/** Lines in a row that fared alike: unchanged on both sides, changed on one, changed alike on both, or differently. */
export interface Chunk {
  readonly kind: 'same' | 'local' | 'remote' | 'alike' | 'conflict';
  readonly base: readonly string[];
  readonly local: readonly string[];
  readonly remote: readonly string[];
}

/** For each line of the base its place in the other version, null where it is gone; and how many lines the other version has. */
interface Matched {
  readonly places: readonly (number | null)[];
  readonly lines: readonly string[];
}

function match(base: string, other: string): Matched {
  const places: (number | null)[] = [];
  const lines: string[] = [];
  for (const { kind, text } of diffLines(base, other)) {
    if (kind === 'same') places.push(lines.length);
    if (kind === 'local') places.push(null);
    if (kind !== 'local') lines.push(text);
  }
  return { places, lines };
}

function equal(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, index) => line === b[index]);
}

function kindOf({ base, local, remote }: Omit<Chunk, 'kind'>): Chunk['kind'] {
  if (equal(local, remote)) return equal(local, base) ? 'same' : 'alike';
  if (equal(remote, base)) return 'local';
  return equal(local, base) ? 'remote' : 'conflict';
}

/** What each side made of the version before both edits, in order. Lines keep their newlines, and all chunks together are all lines. */
export function compareThreeWays(base: string, local: string, remote: string): readonly Chunk[] {
  const baseLines = base.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const here = match(base, local);
  const there = match(base, remote);
  const chunks: Chunk[] = [];
  const done = { base: 0, local: 0, remote: 0 };
  const take = (toBase: number, toLocal: number, toRemote: number): void => {
    const lines = {
      base: baseLines.slice(done.base, toBase),
      local: here.lines.slice(done.local, toLocal),
      remote: there.lines.slice(done.remote, toRemote),
    };
    if (lines.base.length + lines.local.length + lines.remote.length > 0) push(chunks, { kind: kindOf(lines), ...lines });
    Object.assign(done, { base: toBase, local: toLocal, remote: toRemote });
  };
  for (let index = 0; index < baseLines.length; index += 1) {
    const localPlace = here.places[index] ?? null;
    const remotePlace = there.places[index] ?? null;
    if (localPlace === null || remotePlace === null) continue;
    // a line that both sides kept ends what changed before it
    take(index, localPlace, remotePlace);
    take(index + 1, localPlace + 1, remotePlace + 1);
  }
  take(baseLines.length, here.lines.length, there.lines.length);
  return chunks;
}

/** Unchanged lines that follow each other are one chunk. */
function push(chunks: Chunk[], next: Chunk): void {
  const last = chunks.at(-1);
  if (last?.kind !== 'same' || next.kind !== 'same') return void chunks.push(next);
  const joined = [...last.base, ...next.base];
  chunks[chunks.length - 1] = { kind: 'same', base: joined, local: joined, remote: joined };
}
