import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DiffLine, diffLines, foldSame } from '../../../renderer/line-diff';

const marks = { same: ' ', local: '-', remote: '+' } as const;
const shown = (lines: readonly DiffLine[]) => lines.map(({ kind, text }) => `${marks[kind]}${text.replace('\n', '')}`);
const side = (lines: readonly DiffLine[], other: 'local' | 'remote') =>
  lines
    .filter(({ kind }) => kind !== other)
    .map(({ text }) => text)
    .join('');

describe('diffLines', () => {
  it.each([
    ['equal versions', 'a\nb\n', 'a\nb\n', [' a', ' b']],
    ['nothing and something', '', 'a\n', ['+a']],
    ['something and nothing', 'a\n', '', ['-a']],
    ['two empty versions', '', '', []],
    ['a changed line', 'a\nb\nc\n', 'a\nx\nc\n', [' a', '-b', '+x', ' c']],
    ['a moved line', 'a\nb\nc\n', 'c\na\nb\n', ['+c', ' a', ' b', '-c']],
    ['lines in between', 'a\nc\n', 'a\nb\nc\nd\n', [' a', '+b', ' c', '+d']],
  ])('shows %s', (_, local, remote, lines) => {
    expect(shown(diffLines(local, remote))).toEqual(lines);
  });

  it('takes a missing newline at the end, and other line ends, for a difference', () => {
    expect(diffLines('a\nb', 'a\nb\n')).toEqual([
      { kind: 'same', text: 'a\n' },
      { kind: 'local', text: 'b' },
      { kind: 'remote', text: 'b\n' },
    ]);
    expect(diffLines('a\r\n', 'a\n').map(({ kind }) => kind)).toEqual(['local', 'remote']);
  });

  it('holds both versions whole, with no more edits than lines need', () => {
    const text = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n'), { maxLength: 14 }).map((lines) => lines.join(''));
    const property = fc.property(text, text, (local, remote) => {
      const lines = diffLines(local, remote);
      expect([side(lines, 'remote'), side(lines, 'local')]).toEqual([local, remote]);
      const common = longestCommon(local.split('\n').slice(0, -1), remote.split('\n').slice(0, -1));
      expect(lines.filter(({ kind }) => kind === 'same')).toHaveLength(common);
    });
    fc.assert(property, { numRuns: 300 });
  });

  it('shows very different long versions one after the other', () => {
    const of = (letter: string) => Array.from({ length: 20_000 }, (_, index) => `${letter}${index}\n`).join('');
    const lines = diffLines(of('a'), of('b'));
    expect([side(lines, 'remote'), side(lines, 'local')]).toEqual([of('a'), of('b')]);
    expect(lines[19_999]?.kind).toBe('local');
    expect(lines[20_000]?.kind).toBe('remote');
  });
});

describe('foldSame', () => {
  const same = (count: number) => Array.from({ length: count }, (_, index): DiffLine => ({ kind: 'same', text: `${index}\n` }));
  const change: DiffLine = { kind: 'local', text: 'x\n' };

  it('leaves out what is far from a change and says how much', () => {
    const rows = foldSame([...same(10), change, ...same(5)], 2);
    expect(rows.map((row) => (row.kind === 'skipped' ? row.count : row.text.trim()))).toEqual([8, '8', '9', 'x', '0', '1', 3]);
  });

  it('keeps a single line rather than naming its absence', () => {
    expect(foldSame([...same(3), change], 2).map(({ kind }) => kind)).toEqual(['same', 'same', 'same', 'local']);
  });

  it('folds equal versions to one row, and nothing to nothing', () => {
    expect(foldSame(same(40))).toEqual([{ kind: 'skipped', count: 40 }]);
    expect(foldSame([])).toEqual([]);
  });
});

/** The length of the longest common subsequence, the slow way. */
function longestCommon(a: readonly string[], b: readonly string[]): number {
  const row = new Array<number>(b.length + 1).fill(0);
  for (const line of a) {
    let diagonal = 0;
    for (const [index, other] of b.entries()) {
      const above = row[index + 1] ?? 0;
      row[index + 1] = line === other ? diagonal + 1 : Math.max(above, row[index] ?? 0);
      diagonal = above;
    }
  }
  return row[b.length] ?? 0;
}
