import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Chunk, compareThreeWays } from '../../../renderer/three-way';

const text = (...lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');
/** Each chunk with its lines on the side it is about. */
const told = (chunks: readonly Chunk[]) =>
  chunks.map(({ kind, base, local, remote }) => {
    const show = (lines: readonly string[]) => lines.map((line) => line.trimEnd()).join('');
    return kind === 'same' ? `same ${show(base)}` : `${kind} ${show(base)}>${show(local)}|${show(remote)}`;
  });

describe('compareThreeWays', () => {
  it.each([
    ['nothing changed', ['abc', 'abc', 'abc'], ['same abc']],
    ['one side changed a line', ['abc', 'abc', 'axc'], ['same a', 'remote b>b|x', 'same c']],
    ['the other side removed one', ['abc', 'ac', 'abc'], ['same a', 'local b>|b', 'same c']],
    ['both changed different lines', ['abcde', 'xbcde', 'abcdy'], ['local a>x|a', 'same bcd', 'remote e>e|y']],
    ['both changed one line alike', ['abc', 'axc', 'axc'], ['same a', 'alike b>x|x', 'same c']],
    ['both changed one line differently', ['abc', 'axc', 'ayc'], ['same a', 'conflict b>x|y', 'same c']],
    ['both added at the end', ['a', 'ax', 'ay'], ['same a', 'conflict >x|y']],
    ['there was nothing before', ['', 'a', 'b'], ['conflict >a|b']],
    ['one side emptied the file', ['ab', '', 'ab'], ['local ab>|ab']],
  ])('tells what happened when %s', (_what, [base = '', local = '', remote = ''], expected) => {
    const lines = (letters: string) => text(...letters);
    expect(told(compareThreeWays(lines(base), lines(local), lines(remote)))).toEqual(expected);
  });

  it('keeps a last line without a newline apart from one with it', () => {
    expect(compareThreeWays('a\n', 'a', 'a\n')).toEqual([{ kind: 'local', base: ['a\n'], local: ['a'], remote: ['a\n'] }]);
  });

  it('loses and invents no line of any version', () => {
    const version = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n', 'd\n'), { maxLength: 12 }).map((lines) => lines.join(''));
    void fc.assert(
      fc.property(version, version, version, (base, local, remote) => {
        const chunks = compareThreeWays(base, local, remote);
        const whole = (side: 'base' | 'local' | 'remote') => chunks.flatMap((chunk) => chunk[side]).join('');
        expect([whole('base'), whole('local'), whole('remote')]).toEqual([base, local, remote]);
      }),
      { seed: 1106, numRuns: 300 },
    );
  });
});
