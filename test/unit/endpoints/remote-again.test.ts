import { describe, expect, it } from 'vitest';
import { changedBetween, without } from '../../../electron/endpoints/remote-again';
import type { IncomingFile } from '../../../electron/engine/endpoint';
import type { ListedEntry } from '../../../electron/engine/entry';

const entry = (changes: Partial<ListedEntry> = {}): ListedEntry => ({
  ...{ kind: 'file', size: 1, mtime: 1000, executable: false, hash: null, stamp: '' },
  ...changes,
});

describe('changedBetween', () => {
  it('finds what came, went or differs, and nothing that only lost its hash', () => {
    const before = new Map([
      ['same', entry({ hash: 'a' })],
      ['gone', entry()],
      ['size', entry()],
      ['time', entry()],
      ['mode', entry()],
      ['kind', entry()],
    ]);
    const after = new Map([
      ['same', entry()],
      ['new', entry()],
      ['size', entry({ size: 2 })],
      ['time', entry({ mtime: 2000 })],
      ['mode', entry({ executable: true })],
      ['kind', entry({ kind: 'link' })],
    ]);
    expect([...changedBetween(before, after)].sort()).toEqual(['gone', 'kind', 'mode', 'new', 'size', 'time']);
  });
});

describe('without', () => {
  it('passes the other files on, and reads past the contents of those that are left', async () => {
    const read: string[] = [];
    async function* body(path: string): AsyncGenerator<Uint8Array> {
      yield Buffer.from(path);
      read.push(path);
    }
    async function* files(): AsyncGenerator<IncomingFile> {
      for (const path of ['a', 'b', 'c']) yield { path, size: 1, body: body(path) };
    }
    const passed: string[] = [];
    for await (const file of without(files(), new Set(['b']))) {
      passed.push(file.path);
      for await (const _ of file.body);
    }
    expect([passed, read]).toEqual([
      ['a', 'c'],
      ['a', 'b', 'c'],
    ]);
  });
});
