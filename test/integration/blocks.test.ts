import { mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createLocalEndpoint } from '../../electron/endpoints/local';
import { createRemoteShellEndpoint } from '../../electron/endpoints/remote-shell';
import type { Basis, WantedFile } from '../../electron/engine/endpoint';
import { connectSsh } from '../../electron/ssh/client';
import { listSkills, patience, seededBytes } from '../contract/contract-side';
import { makeBusyboxPath } from '../support/busybox';
import { makePlace, outcomesOf, pathsOf } from '../support/session';
import { startSshd } from '../support/sshd';
import type { SshdOptions } from '../support/sshd-config';
import { makeBsdPath, makeToolFolder, makeToyboxPath } from '../support/toolsets';
import { contentText, folderHome, makeTempFolder, removeTempFolder, sha256, type TestHome } from '../support/tree';

type Contents = Readonly<Record<string, Buffer>>;

const tools = mkdtempSync(join(tmpdir(), 'ebbgate-tools-'));
afterAll(() => rmSync(tools, { recursive: true }));

let tearDown: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of tearDown.reverse()) await step();
  tearDown = [];
});

/** Noise, which no compression makes small. */
const noise = (length: number, seed: string) => Buffer.from(seededBytes(length, seed));
const base = noise(2_500_000, 'what both sides had');
const edited = Buffer.concat([base.subarray(0, 1_200_000), noise(1000, 'an edit'), base.subarray(1_201_000)]);
const big = 'skills/a/big.bin';
const other = 'skills/b/other.bin';

/** Says of every block what the client says of its own. */
const lyingSum = 'case $1 in */part.*) cat "$T/known" ;; *) exec /usr/bin/sha256sum "$@" ;; esac';

interface Sides {
  readonly local: TestHome;
  readonly remote: TestHome;
  readonly remoteHome: string;
  readonly basis: Basis;
  /** All that comes for the files, as they are listed now; `meanwhile` runs after that. */
  read(contents: Contents, basis?: Basis | null, meanwhile?: () => unknown): Promise<Arrived>;
}

interface Arrived {
  /** What came last for each path. */
  readonly contents: Readonly<Record<string, string>>;
  /** Every path, as often as it came. */
  readonly paths: readonly string[];
  readonly wire: number;
}

const hashesOf = (contents: Contents) => Object.fromEntries(Object.entries(contents).map(([path, bytes]) => [path, sha256(bytes)]));

async function makeSides(options: SshdOptions, here: Contents, there: Contents): Promise<Sides> {
  const sshd = await startSshd(options);
  const parent = await makeTempFolder('blocks');
  const [local, remote] = [folderHome(join(parent, 'here')), folderHome(join(parent, 'there'))];
  await local.write(here);
  await remote.write(there);
  const connection = await connectSsh(sshd.target(), { signal: AbortSignal.timeout(60_000), acceptHostKey: null });
  tearDown.push(
    () => sshd.stop(),
    () => removeTempFolder(parent),
    () => connection.close(),
  );
  const remoteHome = join(parent, 'there');
  const endpoint = createRemoteShellEndpoint({ connection, remoteHome, profile: null, clientId: 'laptop', inlineBytes: 0 });
  const folders = { stagingDir: join(parent, 'staging'), undoDir: join(parent, 'undo') };
  const localSide = createLocalEndpoint({ home: join(parent, 'here'), ...folders, now: Date.now });
  return {
    ...{ local, remote, remoteHome, basis: localSide },
    read: async (contents, basis = localSide, meanwhile = () => undefined) => {
      await listSkills(endpoint);
      const wanted: readonly WantedFile[] = Object.entries(contents).map(([path, bytes]) => ({
        ...{ path, size: bytes.length, hash: sha256(bytes) },
      }));
      await meanwhile();
      const before = connection.wire().received;
      const found: [string, string][] = [];
      for await (const { path, body } of endpoint.read(wanted, patience, basis ?? undefined))
        found.push([path, sha256(await buffer(body))]);
      const paths = found.map(([path]) => path);
      return { contents: Object.fromEntries(found), paths, wire: connection.wire().received - before };
    },
  };
}

const hostile = "skills/it's $(id) & `id`\n-rf %s ü/\n--help #.bin";
const cut = base.subarray(0, 1_700_000);
const grown = Buffer.concat([base, noise(300_000, 'more')]);
const shifted = Buffer.concat([Buffer.from('x'), base.subarray(0, 1_300_000)]);
const created = noise(1_100_000, 'nothing like it here');

describe.each<readonly [string, () => SshdOptions, boolean]>([
  ['GNU tools', () => ({}), true],
  ['BusyBox', () => ({ login: 'busybox', path: makeBusyboxPath(join(tools, 'busybox')) }), true],
  ['tools as on macOS and the BSDs', () => ({ path: makeBsdPath(join(tools, 'bsd')) }), true],
  ['toybox, which has no dd', () => ({ path: makeToyboxPath(join(tools, 'toybox')) }), false],
  ['an account that reads through Fish', () => ({ login: 'fish' }), true],
])('large files that are much the same here, from a remote with %s', { timeout: 120_000 }, (_name, options, hasDd) => {
  it('come home exactly, whatever became of them there', async () => {
    const there = {
      [big]: edited,
      [hostile]: edited,
      'skills/a/grown.bin': grown,
      'skills/a/cut.bin': cut,
      'skills/a/shifted.bin': shifted,
      'skills/a/new.bin': created,
      'skills/a/small.md': Buffer.from('small\n'),
    };
    const { 'skills/a/new.bin': _, ...known } = there;
    const here = Object.fromEntries(Object.keys(known).map((path) => [path, base]));
    const { read } = await makeSides(options(), here, there);
    const arrived = await read(there);
    expect(arrived.contents).toEqual(hashesOf(there));
    expect(arrived.paths).toHaveLength(Object.keys(there).length);
    const whole = Object.values(there).reduce((sum, { length }) => sum + length, 0);
    // All of what was shifted and of what is new, what was added, a block or two of the others, and the way there.
    const least = shifted.length + created.length + 300_000;
    expect(arrived.wire).toBeLessThan(hasDd ? least + 8 * 65_536 : whole + 100_000);
  });
});

describe('a large file that is much the same here', { timeout: 60_000 }, () => {
  it('takes little more than the block that differs, and the whole without a basis', async () => {
    const { read } = await makeSides({}, { [big]: base }, { [big]: edited });
    const arrived = await read({ [big]: edited });
    expect(arrived).toMatchObject({ contents: hashesOf({ [big]: edited }), paths: [big] });
    expect(arrived.wire).toBeLessThan(3 * 65_536);
    expect((await read({ [big]: edited }, null)).wire).toBeGreaterThan(base.length);
  });

  it('comes whole when the one here changes between two looks at it, is cut, or goes', async () => {
    const { read, basis, local } = await makeSides({}, { [big]: base, [other]: base }, { [big]: edited, [other]: edited });
    const laterWith = (change: () => Promise<void>): Basis => {
      let looks = 0;
      return {
        async *read(files, signal) {
          looks += 1;
          if (looks === 2) await change();
          yield* basis.read(files, signal);
        },
      };
    };
    const changes = [
      () => local.write({ [big]: Buffer.concat([Buffer.from('now'), base.subarray(3)]) }),
      () => local.write({ [big]: base.subarray(0, 200_000) }),
      () => local.remove(big),
    ];
    for (const change of changes) {
      await local.write({ [big]: base });
      const arrived = await read({ [big]: edited, [other]: edited }, laterWith(change));
      expect(arrived).toMatchObject({ contents: hashesOf({ [big]: edited, [other]: edited }), paths: [big, other, big] });
    }
  });

  it('comes whole when the one here cannot be read at all', async () => {
    const { read } = await makeSides({}, { [big]: base }, { [big]: edited });
    const basis: Basis = {
      // biome-ignore lint/correctness/useYield: it fails before it gives anything
      async *read() {
        throw new Error('the disk is gone');
      },
    };
    expect(await read({ [big]: edited }, basis)).toMatchObject({ contents: hashesOf({ [big]: edited }), paths: [big] });
  });

  it('that changes there after the listing leaves the others as they are', async () => {
    const { read, remote, remoteHome } = await makeSides({}, { [big]: base, [other]: base }, { [big]: edited, [other]: edited });
    const wanted = { [big]: edited, [other]: edited };
    const inPlace = Buffer.concat([edited.subarray(0, 2_000_000), Buffer.from('later'), edited.subarray(2_000_005)]);
    const changes: readonly (readonly [() => unknown, string | undefined])[] = [
      [() => remote.write({ [big]: inPlace }), sha256(inPlace)],
      [() => remote.write({ [big]: grown }), sha256(grown)],
      [() => truncateSync(join(remoteHome, big), 1_250_000), sha256(edited.subarray(0, 1_250_000))],
      [() => remote.remove(big), undefined],
      [
        async () => {
          await remote.remove(big);
          await remote.write({ [big]: { link: join(remoteHome, other) } });
        },
        undefined,
      ],
    ];
    for (const [change, last] of changes) {
      await remote.remove(big).catch(() => undefined);
      await remote.write({ [big]: edited });
      const arrived = await read(wanted, undefined, change);
      expect([arrived.contents[big], arrived.contents[other]]).toEqual([last, sha256(edited)]);
    }
  });

  it.each([
    ['claims that nothing differs', { sha256sum: lyingSum }],
    ['sends less than it announced', { head: 'case $2 in ?????) exec /usr/bin/head -c 100 ;; *) exec /usr/bin/head "$@" ;; esac' }],
    ['sends what nobody understands', { awk: 'case $* in *rows*) echo "4 what//" ;; *) exec /usr/bin/awk "$@" ;; esac' }],
    ['ends in the middle', { head: 'case $2 in ?????) kill $PPID ;; *) exec /usr/bin/head "$@" ;; esac' }],
    ['cannot cut files', { split: 'exit 1' }],
  ])('comes right from a remote that %s', async (name, scripts) => {
    const texts = Object.fromEntries(Object.entries(scripts).map(([tool, text]) => [tool, `#!/bin/sh\n${text}\n`]));
    const path = `${makeToolFolder(join(tools, name.replaceAll(' ', '-')), { links: {}, scripts: texts })}:/usr/bin:/bin`;
    const { read } = await makeSides({ path }, { [big]: base, [other]: base }, { [big]: edited, [other]: edited, 'skills/new': created });
    const wanted = { [big]: edited, [other]: edited, 'skills/new': created };
    expect((await read(wanted)).contents).toEqual(hashesOf(wanted));
  });
});

describe.each([
  ['an honest remote', false, false],
  ['an honest remote, prepared', false, true],
  ['a remote that claims that nothing differs', true, false],
  ['a remote that claims that nothing differs, prepared', true, true],
])('a session with %s', { timeout: 120_000 }, (name, lies, lasting) => {
  it('brings an edit of a large file home, and keeps a conflict of another for the inbox', async () => {
    const liar = () => makeToolFolder(join(tools, name), { links: {}, scripts: { sha256sum: `#!/bin/sh\n${lyingSum}\n` } });
    const sshd = await startSshd(lies ? { path: `${liar()}:/usr/bin:/bin` } : {});
    const place = await makePlace({ sshd, composed: { lasting } });
    tearDown.push(
      () => sshd.stop(),
      () => place.tearDown(),
    );
    const quiet = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`skills/quiet/${index}.md`, `quiet ${index}\n`]));
    await place.local.write({ ...quiet, [big]: base, [other]: base });
    expect((await place.start(['first-session'])).outcome).toBe('done');
    const theirs = Buffer.concat([noise(10, 'their edit'), base.subarray(10)]);
    await place.remote.write({ [big]: edited, [other]: theirs });
    await place.local.write({ [other]: edited });
    const report = await place.end();
    expect([report.outcome, pathsOf(report, 'written')]).toEqual(['held', [big]]);
    const { received, handshake } = report.ledger.wire;
    if (!lies) expect(received - handshake).toBeLessThan(6 * 65_536);
    const [item] = await place.inbox();
    expect(item).toMatchObject({ path: other, kind: 'conflict' });
    await place.call('inbox.resolve', { ids: [item?.id ?? ''], choice: 'keep-remote' });
    const now = await place.localContents();
    expect([now[big], now[other]]).toEqual([contentText(edited), contentText(theirs)]);
    // What was remembered of the remote is right, too.
    expect([(await place.start()).outcome, outcomesOf(await place.end())]).toEqual(['done', {}]);
  });
});
