import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEventHub, makeHost } from '../../../electron/ipc/gate';
import type { Connection } from '../../../shared/connection';
import { AppError } from '../../../shared/errors';
import type { GuardEvent, GuardView, WatchedHome } from '../../../shared/guard';
import type { InspectedSide } from '../../../shared/inspection';
import { runReport } from '../app/reports';
import { handlersWith } from '../ipc/handlers';
import { testCli } from './test-cli';

const event: GuardEvent = {
  ...{ id: 'e1', connection: 'a', side: 'local', source: 'hermes', at: '2026-10-15T14:05:00.000Z', lastAt: '2026-10-15T14:05:00.000Z' },
  ...{ kinds: ['bookkeeping', 'hub-lock'], amount: { files: 4, bytes: 24_000_000 }, usual: 3_000_000, culprit: 'skills/.curator_backups' },
  ...{ parts: [], hubLock: { state: 'replaced', differingSkills: ['wiki'] }, canPutBack: true },
};
const home: WatchedHome = {
  ...{ home: '/home/me/.hermes', connections: ['a'], state: 'ok', lookedAt: '2026-10-15T14:05:00.000Z', watch: 'events' },
};
const view = (...events: readonly GuardEvent[]): GuardView => ({ watching: true, homes: [home], events });

describe('guard', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ebbgate-cli-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('--once exits 3 with one document when something waits, and 0 when nothing does', async () => {
    const answers = [view(event), view()];
    const cli = testCli(folder, { 'guard.look': async () => answers.shift() ?? view() });
    const found = await cli.run('guard', '--once', '--json');
    expect([found.code, JSON.parse(found.out)]).toEqual([3, { schema: 1, homes: [home], events: [event] }]);
    const nothing = await cli.run('guard', '--once', '--json');
    expect([nothing.code, JSON.parse(nothing.out)]).toEqual([0, { schema: 1, homes: [home], events: [] }]);
  });

  it('says in words who brought how much, and what can be done', async () => {
    const { out, code } = await testCli(folder, { 'guard.look': async () => view(event) }).run('guard', '--once');
    expect(code).toBe(3);
    expect(out).toMatch(
      /^\/home\/me\/\.hermes: looked at\n.*bookkeeping arrived, the hub's lock file is not the last good one \(Hermes's sync-back\)/,
    );
    expect(out).toContain('4 files, 24 MB in skills/.curator_backups (usual: 3.0 MB)');
    expect(out).toContain('The lock file was replaced; differs in wiki. "ebbgate guard --put-back e1" or "ebbgate guard --dismiss e1"');
  });

  it('says that no events come, where only the rescan watches', async () => {
    const cli = testCli(folder, { 'guard.look': async () => ({ ...view(), homes: [{ ...home, watch: 'rescan' }] }) });
    expect((await cli.run('guard', '--once')).out).toContain('looked at. Changes there are not reported by this system right now');
    expect(JSON.parse((await cli.run('guard', '--once', '--json')).out)).toMatchObject({ homes: [{ watch: 'rescan' }] });
  });

  it('--once --remotes inspects every remote too, and goes on past one that is away', async () => {
    const remote: InspectedSide = {
      ...{ readable: true, problem: null, home: '/home/far/.hermes', runsHermes: false, trees: [], profiles: [], restorePoints: [] },
      ...{ ledgerBlobs: { files: 0, bytes: 0 }, leftovers: [] },
      hubLock: { state: 'missing', mtime: null, sha256: null, verdict: 'unknown', differingSkills: [] },
    };
    const parity = { state: 'not-found', file: null, added: [], absent: [], unusable: [] } as const;
    const sides: string[] = [];
    const connections: Connection[] = [];
    const cli = testCli(folder, {
      'guard.look': async () => view(),
      inspect: async ({ connection, side }) => {
        sides.push(side);
        if (connection === connections[0]?.id) throw new AppError('ssh.no-shell', { host: 'h', detail: 'it is away' });
        return { local: null, remote, parity };
      },
    });
    for (const name of ['away', 'near']) await cli.run('connection', 'add', name, '--address', 'u@h');
    connections.push(...JSON.parse((await cli.run('connection', 'list', '--json')).out).connections);
    const { code, out } = await cli.run('guard', '--once', '--remotes', '--json');
    expect([code, sides]).toEqual([6, ['remote', 'remote']]);
    expect(JSON.parse(out).remotes).toMatchObject([
      { connection: { name: 'away' }, remote: null, error: { code: 'ssh.no-shell' } },
      { connection: { name: 'near' }, remote, error: null },
    ]);
    const text = (await cli.run('guard', '--once', '--remotes')).out;
    expect(text).toMatch(/^away: .*it is away/m);
    expect(text).toMatch(/^near: \/home\/far\/\.hermes\n {2}Hermes +not found/m);
    expect((await cli.run('guard', '--remotes')).code).toBe(2);
  });

  it('puts back and dismisses by id, one at a time', async () => {
    const asked: unknown[] = [];
    const cli = testCli(folder, {
      'guard.put-back': async (params) => {
        asked.push(params);
        return runReport({ kind: 'put-back' });
      },
      'guard.dismiss': async (params) => {
        asked.push(params);
        return {};
      },
    });
    expect(JSON.parse((await cli.run('guard', '--put-back', 'e1', '--json')).out)).toMatchObject({ kind: 'put-back', outcome: 'done' });
    expect((await cli.run('guard', '--dismiss', 'e2')).code).toBe(0);
    expect(asked).toEqual([{ id: 'e1' }, { id: 'e2' }]);
    expect((await cli.run('guard', '--put-back', 'e1', '--dismiss', 'e1')).code).toBe(2);
    expect((await cli.run('guard', '--once', '--dismiss', 'e1')).code).toBe(2);
  });

  it('prints each event as it is found, and again when more came, until it is stopped', async () => {
    const events = createEventHub();
    const more = { ...event, lastAt: '2026-10-15T14:09:00.000Z', amount: { files: 5, bytes: 51_000_000 } };
    let now = view();
    const lines: string[] = [];
    let stop = (): void => undefined;
    const cli = testCli(
      folder,
      {},
      {
        compose: async () => ({
          ...makeHost(handlersWith({ 'guard.watch': async () => now, 'guard.list': async () => now }), events),
          dispose: async () => undefined,
          resumed: () => undefined,
        }),
        stdout: async (text) => {
          lines.push(text);
          if (lines.length === 1) {
            now = view(event, { ...event, id: 'e2' });
            events.emit({ event: 'changed', data: {} });
          } else if (lines.length === 2) {
            now = view(more, { ...event, id: 'e2' });
            events.emit({ event: 'changed', data: {} });
          } else stop();
        },
        onStop: (callback) => {
          stop = callback;
          return () => undefined;
        },
      },
    );
    now = view(event);
    expect((await cli.run('guard', '--json')).code).toBe(0);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { schema: 1, event },
      { schema: 1, event: { ...event, id: 'e2' } },
      { schema: 1, event: more },
    ]);
  });

  it('says that it is switched off', async () => {
    const { code, err } = await testCli(folder, { 'guard.watch': async () => ({ ...view(), watching: false }) }).run('guard');
    expect([code, err]).toEqual([2, expect.stringContaining('switched off')]);
  });
});
