import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inboxId, openInbox } from '../../../electron/app/inbox';
import { takeOwnerLock } from '../../../electron/store/owner-lock';
import { emptyLedger, runReport } from '../app/reports';
import { composeApp, type TestCli, testCli } from './test-cli';

let folder: string;
let cli: TestCli;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ebbgate-cli-'));
  cli = testCli(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const addBox = (to: TestCli = cli) => to.run('connection', 'add', 'box', '--address', 'u@h');

describe('looking', () => {
  it('prints each answer as one document', async () => {
    const parity = { state: 'not-found', file: null, added: [], absent: [], unusable: [] } as const;
    const side = { local: null, remote: null, parity };
    // The commands below run at once and take the data folder in turn.
    cli = testCli(folder, { inspect: async () => side }, { busyWaitMs: 20_000 });
    await addBox();
    const inbox = await openInbox(join(cli.dataDir, 'inbox'));
    const [{ id }] = JSON.parse((await cli.run('connection', 'list', '--json')).out).connections;
    const version = { hash: 'a'.repeat(64), bytes: 3, executable: false };
    const kept = {
      kind: 'conflict',
      connection: id,
      path: 'skills/a',
      bytes: 3,
      createdAt: 'x',
      reason: 'r',
      local: null,
      remote: version,
    } as const;
    const item = await inbox.put(kept, null);
    writeFileSync(
      join(cli.dataDir, 'history.jsonl'),
      `${JSON.stringify(runReport({ connection: { id, name: 'box' }, startedAt: new Date().toISOString() }))}\n`,
    );
    const documents = await Promise.all(
      [['session', 'list'], ['inbox', 'list'], ['inbox', 'list', 'box'], ['status'], ['inspect', 'box'], ['history', 'box']].map(
        async (args) => {
          const { code, out, err } = await cli.run(...args, '--json');
          return [code, err, JSON.parse(out)];
        },
      ),
    );
    const items = [{ ...kept, id: inboxId(id, 'skills/a'), stored: false }];
    expect(items).toEqual([item]);
    expect(documents.slice(0, 5)).toEqual([
      [0, '', { schema: 1, sessions: [] }],
      [0, '', { schema: 1, items, bytes: 0 }],
      [0, '', { schema: 1, items, bytes: 0 }],
      [0, '', { schema: 1, connections: [], needsYou: 1 }],
      [0, '', { schema: 1, ...side, error: null }],
    ]);
    expect(documents[5]).toMatchObject([0, '', { schema: 1, runs: [{ id: 'run' }] }]);
  });

  it('says of each past run what it moved', async () => {
    const ledger = { ...emptyLedger, written: { files: 1, bytes: 7 }, removed: { files: 2, bytes: 24_000_000 } };
    const runs = [runReport({ kind: 'prune', ledger: { ...ledger, written: emptyLedger.written } }), runReport({ ledger }), runReport()];
    const { out } = await testCli(folder, { 'history.list': async () => ({ runs }) }).run('history');
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => line.replace(/.*done +/, '')),
    ).toEqual(['24 MB removed', '7 B written, 24 MB removed, 0 B refused', '0 B written, 0 B refused']);
  });

  it('prints the history as a file, part after part', async () => {
    const parts = [
      { text: 'one\n', next: 'run-1' },
      { text: 'two\n', next: null },
    ];
    const asked: unknown[] = [];
    const withParts = testCli(folder, {
      'history.export': async (params) => {
        asked.push(params);
        return parts[asked.length - 1] ?? { text: '', next: null };
      },
    });
    expect(await withParts.run('history', '--export', 'csv')).toEqual({ code: 0, out: 'one\ntwo\n', err: '' });
    expect(asked).toEqual([{ format: 'csv' }, { format: 'csv', before: 'run-1' }]);
    for (const more of [['--json'], ['--limit', '3']]) {
      expect((await withParts.run('history', '--export', 'csv', ...more)).code).toBe(2);
    }
  });

  it('says in words that there is nothing', async () => {
    for (const args of [['connection', 'list'], ['session', 'list'], ['inbox', 'list'], ['history'], ['status']]) {
      const { code, out } = await cli.run(...args);
      expect([code, out]).toEqual([0, expect.stringMatching(/^(There are no|No|Nothing) .*\.\n$|^Nothing waits\.\n$/)]);
    }
  });
});

describe('the data folder', () => {
  it('is taken and left again by a command', async () => {
    await addBox();
    expect(readdirSync(cli.dataDir).sort()).toEqual(['inbox', 'state.json']);
  });

  it('works on with a broken state.json, which is set aside', async () => {
    await addBox();
    writeFileSync(join(cli.dataDir, 'state.json'), '{"version":1,');
    const { code, out } = await cli.run('connection', 'list', '--json');
    expect([code, JSON.parse(out)]).toEqual([0, { schema: 1, connections: [] }]);
    const aside = readdirSync(cli.dataDir).filter((name) => name.startsWith('state.json.broken-'));
    expect(aside).toHaveLength(1);
    expect(readFileSync(join(cli.dataDir, aside[0] ?? ''), 'utf8')).toBe('{"version":1,');
  });

  it('exits 1 with a sentence when it cannot be written', async () => {
    const inTheWay = join(folder, 'file');
    writeFileSync(inTheWay, '');
    const { code, out, err } = await cli.run('status', '--data-dir', join(inTheWay, 'data'));
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^Ebbgate could not make .*: part of the path is a file.*\n$/);
    mkdirSync(join(cli.dataDir, 'state.json'), { recursive: true });
    expect((await cli.run('status', '--json')).code).toBe(1);
  });

  it('is served by the process that owns it', async () => {
    await addBox();
    const owner = await composeApp(cli, {});
    const before = cli.composed();
    const listed = JSON.parse((await cli.run('connection', 'list', '--json')).out);
    expect([listed.connections.length, cli.composed()]).toEqual([1, before]);
    await owner.dispose();
  });

  it('is busy, exit 5, when its owner does not answer', async () => {
    mkdirSync(cli.dataDir);
    const lock = await takeOwnerLock(cli.dataDir);
    const { code, out } = await cli.run('status', '--json');
    expect([code, JSON.parse(out).error]).toMatchObject([5, { code: 'store.busy', details: { pid: process.pid } }]);
    await lock.release();
    expect((await cli.run('status', '--json')).code).toBe(0);
  });

  it('takes every change of commands that run at once', async () => {
    const clis = Array.from({ length: 8 }, () => testCli(folder, {}, { busyWaitMs: 20_000 }));
    const added = await Promise.all(clis.map((one, i) => one.run('connection', 'add', `box ${i}`, '--address', 'u@h')));
    expect(added.map(({ code, err }) => [code, err])).toEqual(clis.map(() => [0, '']));
    expect(JSON.parse((await cli.run('connection', 'list', '--json')).out).connections).toHaveLength(8);
  });
});
