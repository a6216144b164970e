import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type History, openHistory } from '../../../electron/app/history';
import { csvLine, exportHistory, seriesOf } from '../../../electron/app/history-export';
import type { ByteLedger, RunReport } from '../../../shared/run-report';
import { emptyLedger, runReport } from './reports';

let folder: string;
let history: History;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ebbgate-export-'));
  history = openHistory(join(folder, 'history.jsonl'), { now: () => Date.parse('2026-06-01T00:00:00.000Z') });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function ledger(written: number, restorePoints: number, others = 0, estimated = false): ByteLedger {
  const byTree = { '.curator_backups': { files: 1, bytes: restorePoints }, node_modules: { files: 1, bytes: others } };
  return {
    ...emptyLedger,
    written: { files: 1, bytes: written },
    refused: { files: 2, bytes: restorePoints + others, estimated, byTree, byRule: {} },
  };
}

const reached: Pick<RunReport, 'remote'> = { remote: { user: 'u', host: 'h', port: 22, hostKey: null, home: '/home/u/.hermes' } };

describe('seriesOf', () => {
  it("gives a connection's finished teardowns, oldest first", async () => {
    const other = { id: 'b', name: 'lab' };
    const runs: readonly Partial<RunReport>[] = [
      { id: '1', ledger: ledger(5, 100, 20) },
      { id: '2', kind: 'push', ledger: ledger(7, 1) },
      { id: '3', outcome: 'stopped', ledger: ledger(9, 1) },
      { id: '4', outcome: 'failed', remote: runReport().remote, ledger: ledger(9, 1) },
      { id: '5', connection: other, ledger: ledger(9, 1) },
      { id: '6', outcome: 'held', endedAt: '2026-01-02T00:00:00.000Z', ledger: ledger(0, 50, 0, true) },
    ];
    for (const run of runs) await history.append(runReport({ ...reached, ...run }));
    const endedAt = '2026-01-01T00:00:01.500Z';
    expect(await seriesOf(history, 'a')).toEqual([
      { run: '1', endedAt, outcome: 'done', written: 5, refused: 120, restorePoints: 100, estimated: false },
      { run: '6', endedAt: '2026-01-02T00:00:00.000Z', outcome: 'held', written: 0, refused: 50, restorePoints: 50, estimated: true },
    ]);
    expect((await seriesOf(history, 'a', 1)).map(({ run }) => run)).toEqual(['6']);
  });
});

describe('exportHistory', () => {
  it('gives whole reports as JSONL, newest first, part by part and none twice', async () => {
    const ids = Array.from({ length: 1100 }, (_, index) => `run-${index}`);
    writeFileSync(join(folder, 'history.jsonl'), ids.map((id) => `${JSON.stringify(runReport({ id }))}\n`).join(''));
    const parts: string[] = [];
    for (let before: string | null | undefined; before !== null; ) {
      const part = await exportHistory(history, { format: 'jsonl', before });
      parts.push(part.text);
      before = part.next;
      // What ends between two parts is newer, and moves nothing.
      await history.append(runReport({ id: `late-${parts.length}` }));
    }
    const lines = parts.join('').trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as RunReport).id)).toEqual(ids.toReversed());
    expect(parts).toHaveLength(3);
    expect(JSON.parse(lines.at(-1) ?? '')).toEqual(runReport({ id: 'run-0' }));
  });

  it('gives one row of figures a run as CSV, with the names of the columns once', async () => {
    await history.append(runReport({ id: 'old', connection: { id: 'b', name: 'lab' } }));
    await history.append(runReport({ id: 'new', connection: { id: 'a', name: '=cmd|"x"!A1' }, ledger: ledger(5, 100, 20) }));
    const { text, next } = await exportHistory(history, { format: 'csv' });
    const [names, first, second, end] = text.split('\r\n');
    expect(names).toMatch(/^run,kind,connection,host,started_at,ended_at,duration_ms,outcome,.*,restore_point_bytes,/);
    expect(first).toBe(
      `new,sync-back,"'=cmd|""x""!A1",h,2026-01-01T00:00:00.000Z,2026-01-01T00:00:01.500Z,1500,done,,,1,5,0,0,2,120,false,100,0,0,0,0,`,
    );
    expect([second?.split(',').length, end, next]).toEqual([names?.split(',').length, '', null]);
    expect((await exportHistory(history, { format: 'csv', connection: 'b' })).text.split('\r\n')[1]).toMatch(/^old,/);
  });
});

describe('csvLine', () => {
  it.each([
    ['=1+1', `'=1+1`],
    ['+49 1', `'+49 1`],
    ['-2', `'-2`],
    ['@SUM(A1)', `'@SUM(A1)`],
    ['|cmd', `'|cmd`],
    ['%x', `'%x`],
    ['  =1', `'  =1`],
    ['\t=1', `"'\t=1"`],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    [' padded ', '" padded "'],
    ['plain-name', 'plain-name'],
    ['', ''],
  ])('writes the text %j as %j', (cell, written) => {
    expect(csvLine([cell])).toBe(`${written}\r\n`);
  });

  it('writes numbers as they are, negative ones too, and nothing for null', () => {
    expect(csvLine([-1, 0, true, null])).toBe('-1,0,true,\r\n');
  });
});
