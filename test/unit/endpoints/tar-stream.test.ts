import { execFileSync } from 'node:child_process';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { Header, type HeaderData } from 'tar';
import { describe, expect, it } from 'vitest';
import { inOneChunk, packTar, type TarMember, unpackTar } from '../../../electron/endpoints/tar-stream';
import { makeTempFolder, readTree, removeTempFolder } from '../../support/tree';

interface Plain {
  readonly path: string;
  readonly text: string;
  readonly executable?: boolean;
}

async function* members(files: readonly Plain[]): AsyncGenerator<TarMember> {
  for (const { path, text, executable = false } of files) {
    const bytes = Buffer.from(text);
    yield { path, size: bytes.length, executable, mtime: 1_700_000_000_123, body: inOneChunk(bytes) };
  }
}

async function bytesOf(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}
const pack = (files: readonly Plain[]) => bytesOf(packTar(members(files)));

async function* cut(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

type Found = [path: string, size: number, text: string];

/** What comes out of an archive: path, announced size, content. */
async function unpack(bytes: Uint8Array, chunk = 1000, found: Found[] = []): Promise<readonly Readonly<Found>[]> {
  for await (const { path, size, body } of unpackTar(cut(bytes, chunk))) found.push([path, size, (await bytesOf(body)).toString()]);
  return found;
}
const whole = (files: readonly Plain[]) => files.map(({ path, text }) => [path, Buffer.byteLength(text), text]);

const long = `skills/${'long-folder-name/'.repeat(20)}file.md`;
const hostileNames = [
  'skills/plain.md',
  'skills/-rf',
  'skills/a b  c',
  'skills/new\nline',
  'skills/日本é.md',
  'skills/it\'s "x" $(y) `z` \\ !',
  `skills/${'n'.repeat(100)}`,
  `skills/${'é'.repeat(60)}`,
  `${'f'.repeat(155)}/${'n'.repeat(99)}`,
  long,
];

describe('an archive', () => {
  it('gives back every file under its exact name, empty ones too', async () => {
    const files = hostileNames.map((path, index) => ({ path, text: 'x'.repeat(index * 300) }));
    expect(await unpack(await pack(files))).toEqual(whole(files));
  });

  it('gives back any names and contents, however the stream is cut', async () => {
    const name = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 150 })
      .filter((text) => !/[/\0\ud800-\udfff]/.test(text) && !/^\.{1,2}$/.test(text));
    const file = fc.record({
      path: fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => `skills/${names.join('/')}`),
      text: fc.string(),
    });
    const property = fc.asyncProperty(fc.array(file, { maxLength: 4 }), fc.integer({ min: 1, max: 2000 }), async (files, chunk) => {
      expect(await unpack(await pack(files), chunk)).toEqual(whole(files));
    });
    await fc.assert(property, { numRuns: 50 });
  });

  it('is read by the tar of this system, with long names and modes', async () => {
    const folder = await makeTempFolder('tar');
    try {
      const files = [
        { path: 'skills/run.sh', text: '#!/bin/sh', executable: true },
        { path: long, text: 'deep' },
        { path: 'skills/é', text: '' },
      ];
      execFileSync('tar', ['-xf', '-', '-C', folder], { input: await pack(files) });
      const tree = await readTree(folder);
      expect(files.map(({ path }) => tree.get(path))).toMatchObject([
        { kind: 'file', text: '#!/bin/sh', mtime: 1_700_000_000_000 },
        { kind: 'file', text: 'deep' },
        { kind: 'file', text: '' },
      ]);
      const modes = [tree.get('skills/run.sh'), tree.get(long)].map((image) => (image?.kind === 'file' ? (image.mode ?? 0) & 0o100 : null));
      expect(modes).toEqual([0o100, 0]);
    } finally {
      await removeTempFolder(folder);
    }
  });

  it('may be compressed; what follows its end is left alone', async () => {
    const first = [{ path: 'skills/a', text: 'one' }];
    const archives = [await pack(first), await pack([{ path: 'skills/b', text: 'two' }])];
    const expected = whole(first);
    expect(await unpack(gzipSync(archives[0] ?? ''), 7)).toEqual(expected);
    expect(await unpack(Buffer.concat(archives))).toEqual(expected);
    expect(await unpack(gzipSync(Buffer.concat(archives)))).toEqual(expected);
  });

  it('that is cut short ends with a short last file, never with a wrong one', async () => {
    const files = [
      { path: 'skills/a', text: 'first' },
      { path: 'skills/b', text: 'second '.repeat(200) },
    ];
    const bytes = await pack(files);
    for (let length = 0; length < bytes.length; length += 37) {
      const found: Found[] = [];
      // Cut in the filling after a file, the parser complains; everything before has come out by then.
      await unpack(bytes.subarray(0, length), 1000, found).catch(() => undefined);
      for (const [index, [path, size, text]] of found.entries()) {
        const original = files[index];
        expect([path, size, original?.text.startsWith(text)]).toEqual([original?.path, Buffer.byteLength(original?.text ?? ''), true]);
        if (index < found.length - 1) expect(text.length).toBe(size);
      }
    }
    const half = await unpack(bytes.subarray(0, 512 * 3 + 100));
    expect(half.map(([path, , text]) => [path, text.length])).toEqual([
      ['skills/a', 5],
      ['skills/b', 100],
    ]);
  });

  it('can be left early, and its files be left unread', async () => {
    const bytes = await pack([
      { path: 'skills/a', text: 'a'.repeat(100_000) },
      { path: 'skills/b', text: 'second' },
    ]);
    for await (const { path } of unpackTar(cut(bytes, 1000))) {
      expect(path).toBe('skills/a');
      break;
    }
    const unread: string[] = [];
    for await (const { path } of unpackTar(cut(bytes, 1000))) unread.push(path);
    expect(unread).toEqual(['skills/a', 'skills/b']);
  });

  it('passes the failure of its source on', async () => {
    const bytes = await pack([{ path: 'skills/a', text: 'a'.repeat(5000) }]);
    const breaking = async function* (): AsyncGenerator<Uint8Array> {
      yield bytes.subarray(0, 2000);
      throw new Error('the line is gone');
    };
    const read = async () => {
      for await (const { body } of unpackTar(breaking())) for await (const _ of body);
    };
    await expect(read()).rejects.toThrow('the line is gone');
  });
});

/** An archive made by hand, as no tar would write it. */
function forge(...entries: readonly (HeaderData & { readonly text?: string })[]): Buffer {
  const parts = entries.flatMap(({ text = '', ...data }) => {
    const head = Buffer.alloc(512);
    new Header({ mode: 0o644, size: Buffer.byteLength(text), mtime: new Date(0), uid: 0, gid: 0, type: 'File', ...data }).encode(head, 0);
    return [head, Buffer.from(text), Buffer.alloc((512 - (Buffer.byteLength(text) % 512)) % 512)];
  });
  return Buffer.concat([...parts, Buffer.alloc(1024)]);
}

describe('a hostile archive', () => {
  it.each([
    ['an absolute name', forge({ path: '/etc/passwd', text: 'evil' }), ['/etc/passwd']],
    ['a name that leads outside', forge({ path: 'skills/../../.env', text: 'evil' }), ['skills/../../.env']],
    ['a hard link', forge({ path: 'skills/a', type: 'Link', linkpath: '/etc/passwd' }), []],
    ['a symbolic link', forge({ path: 'skills/a', type: 'SymbolicLink', linkpath: '/etc' }), []],
    [
      'a link, then a file below it',
      forge({ path: 'skills/a', type: 'SymbolicLink', linkpath: '/etc' }, { path: 'skills/a/x', text: 'evil' }),
      ['skills/a/x'],
    ],
    ['folders', forge({ path: 'skills/a/', type: 'Directory' }, { path: 'skills/b', type: 'Directory' }), []],
    [
      'devices and pipes',
      forge({ path: 'a', type: 'CharacterDevice' }, { path: 'b', type: 'BlockDevice' }, { path: 'c', type: 'FIFO' }),
      [],
    ],
    ['the same name twice', forge({ path: 'skills/a', text: 'one' }, { path: 'skills/a', text: 'second' }), ['skills/a', 'skills/a']],
  ])('with %s brings out regular files only, under exactly the names they came with', async (_name, bytes, names) => {
    expect((await unpack(bytes)).map(([path]) => path)).toEqual(names);
  });

  it.each([
    ['noise', Buffer.from('This account is not available.\n'.repeat(100))],
    ['nothing', Buffer.alloc(0)],
    ['zeros', Buffer.alloc(4096)],
    ['a wrong checksum', Buffer.from(forge({ path: 'skills/a', text: 'evil' }).map((byte, at) => (at === 0 ? byte ^ 1 : byte)))],
  ])('of %s brings out nothing and ends', async (_name, bytes) => {
    expect(await unpack(bytes)).toEqual([]);
  });

  it('that promises more than it holds brings out a short file', async () => {
    const [file, ...others] = await unpack(forge({ path: 'skills/a', size: 10_000_000_000, text: 'little' }));
    expect([file?.[0], file?.[1], (file?.[2].length ?? 0) < 2000, others]).toEqual(['skills/a', 10_000_000_000, true, []]);
  });
});
