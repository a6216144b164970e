import { describe, expect, it } from 'vitest';
import {
  compareHubLock,
  describeHubLock,
  type FoundHubLock,
  hubLockLimit,
  missingHubLock,
  unreadableHubLock,
} from '../../../electron/hygiene/hub-lock';
import { sha256 } from '../../support/tree';

const found = (value: unknown): FoundHubLock =>
  describeHubLock(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)), 1000);
const lock = (installed: object): FoundHubLock => found({ version: 1, installed });
const compared = (here: FoundHubLock, there: FoundHubLock | null) => {
  const { verdict, differingSkills } = compareHubLock('local', here, there);
  return { verdict, differingSkills };
};

describe('compareHubLock', () => {
  const one = lock({ notes: { files: ['a', 'b'] } });
  it.each([
    ['both are equal', one, lock({ notes: { files: ['a', 'b'] } }), 'same', []],
    ['neither is there', missingHubLock, missingHubLock, 'none', []],
    ['only this computer has one', one, missingHubLock, 'only-local', []],
    ['only the remote has one', missingHubLock, one, 'only-remote', []],
    ['this one cannot be read', unreadableHubLock, one, 'unknown', []],
    ['the other cannot be read', one, unreadableHubLock, 'unknown', []],
    ['neither this can be read nor that is there', unreadableHubLock, missingHubLock, 'unknown', []],
    ['the other side was not looked at', one, null, 'unknown', []],
    ['an entry differs', one, lock({ notes: { files: ['b', 'a'] } }), 'differs', ['notes']],
    ['each has a skill of its own', lock({ b: {}, notes: {} }), lock({ a: {}, notes: {} }), 'differs', ['a', 'b']],
    ['only spacing differs', one, found('{"version": 1,  "installed": {"notes": {"files": ["a", "b"]}}}'), 'differs', []],
    ['one is cut off', one, found('{"version": 1, "inst'), 'differs', []],
    ['one is another kind of file', one, found([1]), 'differs', []],
    ['installed is no table', one, found({ installed: 'notes' }), 'differs', []],
  ] as const)('when %s', (_, here, there, verdict, differingSkills) => {
    expect(compared(here, there)).toEqual({ verdict, differingSkills });
  });

  it('says the same of the remote as of this computer', () => {
    expect(compareHubLock('remote', missingHubLock, one).verdict).toBe('only-local');
    expect(compareHubLock('remote', one, missingHubLock).verdict).toBe('only-remote');
  });

  it('does not mind the order of keys in an entry', () => {
    const here = lock({ notes: { a: 1, b: { c: 2, d: [{ e: 3, f: 4 }] } }, x: 1 });
    const there = lock({ x: 2, notes: { b: { d: [{ f: 4, e: 3 }], c: 2 }, a: 1 } });
    expect(compared(here, there)).toEqual({ verdict: 'differs', differingSkills: ['x'] });
  });

  it('tells an empty list from an empty table, and a table from the list of its pairs', () => {
    const here = lock({ empty: [], pairs: { a: 1 } });
    const there = lock({ empty: {}, pairs: [['a', 1]] });
    expect(compared(here, there).differingSkills).toEqual(['empty', 'pairs']);
  });

  it('gives names that the language uses itself like any other', () => {
    const here = found('{"installed": {"__proto__": {"a": 1}, "constructor": {}}}');
    const there = found('{"installed": {"__proto__": {"a": 2}, "constructor": {}}}');
    expect(compared(here, there).differingSkills).toEqual(['__proto__']);
  });
});

describe('describeHubLock', () => {
  it('gives time, hash and text', () => {
    const expected = { state: 'present', mtime: '1970-01-01T00:00:01.000Z', sha256: sha256('{}'), text: '{}' };
    expect(describeHubLock(Buffer.from('{}'), 1000)).toEqual(expected);
  });

  it('does not compare what is longer than the limit', () => {
    const long = describeHubLock(Buffer.alloc(hubLockLimit + 1), null);
    expect([long, compared(long, long).verdict]).toEqual([{ state: 'present', mtime: null, sha256: null, text: null }, 'unknown']);
  });
});
