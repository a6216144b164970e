import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLocalDisk } from '../../../electron/endpoints/local-disk';
import type { Change, IncomingFile } from '../../../electron/engine/endpoint';
import { stageContents } from '../../../electron/engine/stage';
import { storedName } from '../../../electron/engine/state-names';
import { AppError } from '../../../shared/errors';
import { incoming, patience, seededBytes, write } from '../../contract/contract-side';
import { createFaultyDisk, systemError } from '../../support/faulty-disk';
import { contentText, makeTempFolder, readTree, removeTempFolder } from '../../support/tree';

let folder: string;
beforeEach(async () => {
  folder = await makeTempFolder('stage');
  await mkdir(join(folder, 'home'));
});
afterEach(() => removeTempFolder(folder));

const makeDisk = () =>
  createLocalDisk({
    home: join(folder, 'home'),
    stagingDir: join(folder, 'staging'),
    undoDir: join(folder, 'undo'),
    now: () => Date.now(),
  });
const stage = (changes: readonly Change[], contents: AsyncIterable<IncomingFile>, disk = makeDisk()) =>
  stageContents(disk, { changes, contents }, patience);
const stagedNames = () => readdir(join(folder, 'staging'));

describe('stageContents', () => {
  it('brings each content under the name of its path, private, with time and execute bit', async () => {
    const mtime = Date.UTC(2024, 1, 2, 3, 4, 5, 678);
    const big = seededBytes(300_000, 'staged');
    const changes = [write('skills/a.md', 'one', { mtime }), write('skills/run.sh', big, { mtime, executable: true })];
    expect(await stage(changes, incoming({ 'skills/run.sh': big, 'skills/a.md': 'one' }))).toEqual(new Map());
    expect(await readTree(join(folder, 'staging'))).toEqual(
      new Map([
        [storedName('skills/a.md'), { kind: 'file', text: 'one', mode: 0o600, mtime }],
        [storedName('skills/run.sh'), { kind: 'file', text: contentText(big), mode: 0o700, mtime }],
      ]),
    );
    expect((await readTree(folder)).get('staging')).toEqual({ kind: 'folder', mode: 0o700 });
  });

  it('fails content of another length or hash than planned, and keeps nothing of it', async () => {
    const shorter = { ...write('skills/short.md', 'planned text') };
    const changes = [
      shorter,
      write('skills/long.md', 'plan'),
      write('skills/same-length.md', 'planned text'),
      write('skills/fine.md', 'fine'),
    ];
    const contents = (async function* (): AsyncGenerator<IncomingFile> {
      yield* incoming({ 'skills/short.md': 'planned', 'skills/same-length.md': 'another text' });
      // Says the planned length and sends more.
      yield {
        path: 'skills/long.md',
        size: 4,
        body: (async function* () {
          yield Buffer.from('pl');
          yield Buffer.from('an and more');
        })(),
      };
      yield* incoming({ 'skills/fine.md': 'fine' });
    })();
    const changed = 'it changed while it was read';
    expect(await stage(changes, contents)).toEqual(
      new Map([
        ['skills/short.md', changed],
        ['skills/long.md', changed],
        ['skills/same-length.md', changed],
      ]),
    );
    expect(await stagedNames()).toEqual([storedName('skills/fine.md')]);
  });

  it('fails what does not arrive, and takes no content that nobody asked for', async () => {
    const contents = incoming({ 'skills/unasked.md': 'surprise', '../outside.md': 'surprise', 'skills/a.md': 'one' });
    expect(await stage([write('skills/a.md', 'one'), write('skills/b.md', 'two two')], contents)).toEqual(
      new Map([['skills/b.md', 'its content did not arrive']]),
    );
    expect(await stagedNames()).toEqual([storedName('skills/a.md')]);
  });

  it('takes the first of two contents for one path', async () => {
    const contents = (async function* () {
      yield* incoming({ 'skills/a.md': 'one' });
      yield* incoming({ 'skills/a.md': 'six' });
    })();
    expect(await stage([write('skills/a.md', 'one')], contents)).toEqual(new Map());
    expect((await readTree(join(folder, 'staging'))).get(storedName('skills/a.md'))).toMatchObject({ text: 'one' });
  });

  it('takes a second content where the first was not the planned one', async () => {
    const contents = (async function* () {
      for (const text of ['someone', 'the one', 'nothing']) yield* incoming({ 'skills/a.md': text });
    })();
    const mtime = Date.UTC(2024, 1, 2);
    expect(await stage([write('skills/a.md', 'the one', { mtime })], contents)).toEqual(new Map());
    expect(await readTree(join(folder, 'staging'))).toEqual(
      new Map([[storedName('skills/a.md'), { kind: 'file', text: 'the one', mode: 0o600, mtime }]]),
    );
  });

  it('keeps what arrived when the source breaks off, and says why the rest is missing', async () => {
    const contents = (async function* (): AsyncGenerator<IncomingFile> {
      yield* incoming({ 'skills/a.md': 'one' });
      yield {
        path: 'skills/b.md',
        size: 7,
        body: (async function* (): AsyncGenerator<Uint8Array> {
          yield Buffer.from('two');
          throw systemError('ECONNRESET');
        })(),
      };
    })();
    const problems = await stage([write('skills/a.md', 'one'), write('skills/b.md', 'two two'), write('skills/c.md', 'three')], contents);
    const reason = 'its content did not arrive: the system said ECONNRESET';
    expect(problems).toEqual(
      new Map([
        ['skills/b.md', reason],
        ['skills/c.md', reason],
      ]),
    );
    expect(await stagedNames()).toEqual([storedName('skills/a.md')]);
  });

  it('fails one path when its file cannot be made, and stages the others', async () => {
    const { disk } = createFaultyDisk(makeDisk(), {
      when: 'before',
      at: ({ name, argument }) => name === 'stage' && argument === storedName('skills/a.md'),
      code: 'ENOSPC',
    });
    const problems = await stage(
      [write('skills/a.md', 'one'), write('skills/b.md', 'two two')],
      incoming({ 'skills/a.md': 'one', 'skills/b.md': 'two two' }),
      disk,
    );
    expect(problems).toEqual(new Map([['skills/a.md', 'the disk is full']]));
  });

  it('replaces a leftover of the same name', async () => {
    await stage([write('skills/a.md', 'left over')], incoming({ 'skills/a.md': 'left over' }));
    expect(await stage([write('skills/a.md', 'new')], incoming({ 'skills/a.md': 'new' }))).toEqual(new Map());
    expect((await readTree(join(folder, 'staging'))).get(storedName('skills/a.md'))).toMatchObject({ text: 'new' });
  });

  it('ends with run.cancelled while content is awaited', async () => {
    const controller = new AbortController();
    const contents = (async function* (): AsyncGenerator<IncomingFile> {
      yield {
        path: 'skills/a.md',
        size: 9,
        body: (async function* (): AsyncGenerator<Uint8Array> {
          yield Buffer.from('part');
          controller.abort();
          await new Promise(() => undefined);
        })(),
      };
    })();
    await expect(stageContents(makeDisk(), { changes: [write('skills/a.md', 'nine byte')], contents }, controller.signal)).rejects.toEqual(
      new AppError('run.cancelled', {}),
    );
    expect(await stagedNames()).toEqual([]);
  });
});
