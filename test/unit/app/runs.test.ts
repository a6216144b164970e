import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RunOptions } from '../../../electron/app/runs';
import type { Endpoint } from '../../../electron/engine/endpoint';
import { AppError } from '../../../shared/errors';
import { contentsOf, makeTempFolder, removeTempFolder } from '../../support/tree';
import { connectionNamed, makeGate, makeRunPlace, type RunPlace } from './run-place';

let folder: string;
let place: RunPlace;
beforeEach(async () => {
  folder = await makeTempFolder('runs');
  place = await makeRunPlace(folder);
});
afterEach(async () => {
  vi.useRealTimers();
  await place.runs.end();
  await removeTempFolder(folder);
});

const box = connectionNamed('box');
const push: RunOptions = { direction: 'push', allow: ['first-session'], dryRun: false };
const pull: RunOptions = { ...push, direction: 'sync-back' };

describe('a run', () => {
  it('reports what was reached and what happened, and records it', async () => {
    await place.local.write({ 'skills/a.md': 'one' });
    const gate = makeGate();
    place.before = gate.wait;
    const running = place.runs.run(box, push);
    await gate.reached;
    place.clock.advance(1500);
    gate.open();
    expect(await running).toMatchObject({
      ...{ schema: 1, kind: 'push', outcome: 'done', stop: null, error: null, durationMs: 1500, pathsOmitted: 0 },
      id: expect.stringMatching(/^2026-01-02T03-04-05-000Z-[0-9a-f]{6}$/),
      connection: { id: 'id-box', name: 'box' },
      remote: { user: 'me', host: 'real.invalid', port: 2222, hostKey: 'SHA256:key', home: '/memory/.hermes' },
      ...{ startedAt: '2026-01-02T03:04:05.000Z', endedAt: '2026-01-02T03:04:06.500Z' },
      ledger: { wire: { sent: 10, received: 20, handshake: 5 }, written: { files: 1, bytes: 3 } },
      paths: [{ path: 'skills/a.md', outcome: 'written' }],
    });
    const found = await place.records.baseline('id-box');
    expect(found.kind === 'present' && [...found.baseline.entries.keys()]).toEqual(['skills/a.md']);
    expect((await place.records.memories('id-box')).remote?.entries.size).toBe(1);
    expect([place.sides, place.runs.isRunning('id-box')]).toEqual([{ opened: 1, closed: 1 }, false]);
  });

  it.each([
    [connectionNamed('box'), { user: 'u', host: 'h.invalid', port: 22 }],
    [connectionNamed('box', { address: { kind: 'alias', alias: 'there' } }), { user: '', host: 'there', port: 0 }],
  ])('that cannot reach the remote is a report with the error and the known address', async (connection, address) => {
    place.before = async () => {
      throw new AppError('ssh.refused', { host: 'h.invalid', port: 22 });
    };
    const report = await place.runs.run(connection, push);
    expect(report).toMatchObject({
      outcome: 'failed',
      error: { code: 'ssh.refused' },
      paths: [],
      ledger: { refused: { estimated: true } },
    });
    expect(report.remote).toEqual({ ...address, hostKey: null, home: null });
  });

  it('writes nothing when it cannot keep what it is about to do', async () => {
    const saveBaseline = async () => Promise.reject(new AppError('local.failed', { operation: 'write', path: 'x', reason: 'full' }));
    place = await makeRunPlace(folder, { saveBaseline });
    await place.remote.write({ 'skills/a.md': 'one' });
    const report = await place.runs.run(box, pull);
    expect([report.outcome, report.error?.code, report.paths]).toEqual(['failed', 'local.failed', []]);
    expect([contentsOf(await place.local.read()), place.sides]).toEqual([{}, { opened: 1, closed: 1 }]);
  });

  it('is done although what it learnt for the next one cannot be kept', async () => {
    let asked = 0;
    const saveMemories = async () => {
      asked += 1;
      throw new AppError('local.failed', { operation: 'write', path: 'x', reason: 'full' });
    };
    place = await makeRunPlace(folder, { saveMemories });
    await place.remote.write({ 'skills/a.md': 'one' });
    expect([(await place.runs.run(box, pull)).outcome, asked]).toEqual(['done', 1]);
    expect([contentsOf(await place.local.read()), place.sides]).toEqual([{ 'skills/a.md': 'one' }, { opened: 1, closed: 1 }]);
  });

  it('leaves its connection free only once both sides are closed, even when it could not be written down', async () => {
    const conclude = async () => {
      throw new AppError('local.failed', { operation: 'write', path: 'x', reason: 'full' });
    };
    const running = place.runs.run(box, { ...pull, conclude });
    await expect(running).rejects.toMatchObject({ code: 'local.failed' });
    expect([place.sides, place.runs.isRunning('id-box')]).toEqual([{ opened: 1, closed: 1 }, false]);
  });

  it('that breaks off while files come home reports what is in place', async () => {
    await place.remote.write({ 'skills/a.md': 'one', 'skills/b.md': 'two' });
    place.around = (endpoint: Endpoint) => ({
      ...endpoint,
      read: async function* (files, signal) {
        for await (const file of endpoint.read(files, signal)) {
          if (file.path === 'skills/b.md') throw new AppError('ssh.lost', { host: 'h', port: 22, reason: 'reset' });
          yield file;
        }
      },
    });
    const report = await place.runs.run(box, pull);
    expect([report.outcome, report.error?.code]).toEqual(['failed', 'ssh.lost']);
    expect(report.paths.map(({ path, outcome }) => [path, outcome])).toEqual([
      ['skills/b.md', 'failed'],
      ['skills/a.md', 'written'],
    ]);
    const found = await place.records.baseline('id-box');
    expect(found.kind === 'present' && [...found.baseline.entries.keys()]).toEqual(['skills/a.md']);
  });

  it('that only looks keeps nothing and is a preview', async () => {
    await place.local.write({ 'skills/a.md': 'one' });
    const report = await place.runs.run(box, { ...push, allow: [], dryRun: true });
    expect([report.kind, report.outcome, report.paths.length]).toEqual(['preview', 'done', 1]);
    expect(report).toMatchObject({
      planned: { written: { files: 1, bytes: 3 }, removed: { files: 0, bytes: 0 } },
      ledger: { written: { files: 0 } },
    });
    expect([contentsOf(await place.remote.read()), await place.records.baseline('id-box')]).toEqual([{}, { kind: 'none' }]);
    expect(place.told.every(({ kind }) => kind === 'preview')).toBe(true);
  });
});

describe('a second run', () => {
  it.each([
    ['of the same connection', connectionNamed('box')],
    ['of another connection to the same folder', connectionNamed('other', { localHome: '/home/box' })],
    ['of a folder inside it', connectionNamed('other', { localHome: '/home/box', roots: ['plugins', 'skills/a'] })],
  ])('%s is refused at once, and the first goes on', async (_name, other) => {
    const gate = makeGate();
    place.before = gate.wait;
    const first = place.runs.run(box, push);
    await gate.reached;
    expect(() => place.runs.run(other, push)).toThrow(expect.objectContaining({ code: 'run.busy' }));
    expect([place.runs.isRunning('id-box'), place.runs.isRunning('id-other')]).toEqual([true, false]);
    gate.open();
    expect((await first).outcome).toBe('done');
    expect((await place.runs.run(box, push)).outcome).toBe('done');
  });

  it.each([
    ['another home', connectionNamed('other')],
    ['another profile', connectionNamed('other', { localHome: '/home/box', profile: 'work' })],
    ['another folder whose name begins alike', connectionNamed('other', { localHome: '/home/box', roots: ['skillset'] })],
  ])('of %s goes on beside it', async (_name, other) => {
    const gate = makeGate();
    place.before = gate.wait;
    const first = place.runs.run(box, push);
    await gate.reached;
    place.before = async () => undefined;
    expect((await place.runs.run(other, push)).outcome).toBe('done');
    gate.open();
    await first;
  });
});

describe('a cancelled run', () => {
  it('is interrupted, closes what it opened and records nothing', async () => {
    await place.local.write({ 'skills/a.md': 'one' });
    place.around = (endpoint) => ({
      ...endpoint,
      list: async (request, signal) => {
        const listing = await endpoint.list(request, signal);
        place.runs.cancel('id-box');
        return listing;
      },
    });
    const report = await place.runs.run(box, push);
    expect([report.outcome, report.error?.code, place.sides]).toEqual(['interrupted', 'run.cancelled', { opened: 1, closed: 1 }]);
    expect([contentsOf(await place.remote.read()), await place.records.baseline('id-box')]).toEqual([{}, { kind: 'none' }]);
  });

  it('is interrupted whatever the sides make of it', async () => {
    place.before = (signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('socket closed')));
        place.runs.cancel('id-box');
      });
    expect(await place.runs.run(box, push)).toMatchObject({ outcome: 'interrupted', error: { code: 'run.cancelled' } });
  });

  it('is waited for when everything ends; nothing happens where there is none', async () => {
    place.runs.cancel('nobody');
    place.before = (signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('socket closed')));
      });
    const running = place.runs.run(box, push);
    await place.runs.end();
    expect(place.runs.isRunning('id-box')).toBe(false);
    expect((await running).outcome).toBe('interrupted');
  });
});

describe('progress', () => {
  const bytewise = (endpoint: Endpoint, step: () => void): Endpoint => ({
    ...endpoint,
    read: async function* (files, signal) {
      for await (const file of endpoint.read(files, signal)) {
        yield {
          ...file,
          body: (async function* () {
            for await (const chunk of file.body)
              for (const byte of chunk) {
                step();
                yield Buffer.from([byte]);
              }
          })(),
        };
      }
    },
  });
  const phases = () => place.told.map(({ phase, done }) => (phase === 'transferring' ? done : phase));

  it('tells every phase, and within one not more often than every 100 ms', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    await place.local.write({ 'skills/a.md': 'twelve bytes' });
    place.around = (endpoint) => bytewise(endpoint, () => vi.advanceTimersByTime(40));
    await place.runs.run(box, push);
    expect(phases()).toEqual(['connecting', 'listing', 'comparing', 1, 4, 7, 10, 'recording']);
    expect(place.told[4]).toEqual({ connection: 'id-box', kind: 'push', phase: 'transferring', done: 4, total: 12, unit: 'bytes' });
  });

  it('can be asked for at any time, and is gone afterwards', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const seen: unknown[] = [];
    await place.local.write({ 'skills/a.md': 'four' });
    place.around = (endpoint) => bytewise(endpoint, () => seen.push(place.runs.progressOf('id-box')?.done));
    await place.runs.run(box, push);
    expect([seen, place.runs.progressOf('id-box')]).toEqual([[0, 1, 2, 3], null]);
  });
});
