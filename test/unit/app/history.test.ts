import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openHistory } from '../../../electron/app/history';
import { runReport } from './reports';

const now = Date.parse('2026-06-01T00:00:00.000Z');
const daysAgo = (days: number): string => new Date(now - days * 86_400_000).toISOString();

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ebbgate-history-'));
  file = join(folder, 'history.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (maxRuns?: number) => openHistory(file, { now: () => now, ...(maxRuns === undefined ? {} : { maxRuns }) });
const report = (id: string, days = 0, connection = 'a') =>
  runReport({ id, startedAt: daysAgo(days), connection: { id: connection, name: connection } });
const ids = async (history = open(), query = {}) => (await history.list(query)).map(({ id }) => id);

describe('openHistory', () => {
  it('is empty before the first run', async () => {
    expect(await open().list()).toEqual([]);
  });

  it('gives whole reports back, newest first, from a private file', async () => {
    const history = open();
    await Promise.all([history.append(report('1', 2)), history.append(report('2', 1))]);
    expect(await open().list()).toEqual([report('2', 1), report('1', 2)]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('filters by connection before it counts', async () => {
    const history = open();
    for (const [index, connection] of ['a', 'b', 'a', 'b', 'b'].entries()) await history.append(report(`${index}`, 0, connection));
    expect(await ids(history, { connection: 'a', limit: 2 })).toEqual(['2', '0']);
    expect(await ids(history, { limit: 2 })).toEqual(['4', '3']);
    expect(await ids(history, { limit: 0 })).toEqual([]);
  });

  it('drops a cut last line and starts a new one after it', async () => {
    await open().append(report('1'));
    await open().append(report('2'));
    truncateSync(file, statSync(file).size - 20);
    expect(await ids()).toEqual(['1']);
    await open().append(report('3'));
    expect(await ids()).toEqual(['3', '1']);
  });

  it('passes over lines that are not reports', async () => {
    writeFileSync(file, 'garbage\n\n{"schema":2}\nnull\n');
    await open().append(report('1'));
    appendFileSync(file, '[1]\n');
    expect(await ids()).toEqual(['1']);
  });

  it('reads reports that are longer than a block, with letters of several bytes', async () => {
    const long = runReport({ id: 'long', startedAt: daysAgo(0), notes: ['äé漢'.repeat(60_000)] });
    const history = open();
    await history.append(report('1'));
    await history.append(long);
    await history.append(report('2'));
    expect(await history.list()).toEqual([report('2'), long, report('1')]);
  });

  it('reads only the end of a long file for the newest runs', async () => {
    const line = `${JSON.stringify(report('x'))}\n`;
    // A start that would make the whole answer fail if it were looked at: a line with an invalid date is older than anything.
    writeFileSync(file, `${'z'.repeat(3_000_000)}\n${line.repeat(40)}`);
    expect(await ids(open(), { limit: 30 })).toHaveLength(30);
  });

  it('leaves out runs older than twelve months', async () => {
    const history = open();
    await history.append(report('old', 366));
    await history.append(report('new', 364));
    expect(await ids(history)).toEqual(['new']);
  });

  it('writes the file anew once it is clearly over the cap, keeping the newest', async () => {
    const lines = Array.from({ length: 120 }, (_, i) => JSON.stringify(report(`${i}`)));
    writeFileSync(file, `${lines.join('\n')}\n`);
    await open(100).append(report('last'));
    const kept = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(kept).toHaveLength(100);
    expect(kept[0]).toBe(lines[21]);
    expect((await ids(open(100)))[0]).toBe('last');
  });

  it('leaves a file alone that is only a little over the cap, and shows no more than the cap', async () => {
    writeFileSync(file, Array.from({ length: 105 }, (_, i) => `${JSON.stringify(report(`${i}`))}\n`).join(''));
    await open(100).append(report('last'));
    expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(106);
    expect(await ids(open(100))).toHaveLength(100);
  });

  it('writes the file anew when its first runs are far too old', async () => {
    for (const [id, days] of [
      ['1', 500],
      ['2', 380],
      ['3', 10],
    ] as const)
      appendFileSync(file, `${JSON.stringify(report(id, days))}\n`);
    await open().append(report('4'));
    expect(
      readFileSync(file, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).id),
    ).toEqual(['3', '4']);
  });

  it('fails with a sentence when it cannot be written or read', async () => {
    mkdirSync(file);
    await expect(open().append(report('1'))).rejects.toMatchObject({ code: 'store.failed', details: { file } });
    await expect(open().list()).rejects.toMatchObject({ code: 'store.failed', details: { file } });
  });
});
