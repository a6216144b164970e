import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countPlaywright, countVitest } from '../../../build/test-counts.mjs';

let folder = '';
let next = 0;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ebbgate-counts-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function report(content) {
  next += 1;
  const file = join(folder, `${next}.json`);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

const vitest = (changes) =>
  report({ numPassedTests: 5, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [], ...changes });
const playwright = (stats, errors = []) => report({ stats: { expected: 3, unexpected: 0, flaky: 0, skipped: 0, ...stats }, errors });

describe('countVitest', () => {
  it('counts what passed', () => {
    expect(countVitest(vitest({}), 0)).toEqual({ passed: 5, failed: 0, notRun: 0 });
  });

  it('counts skipped tests as not run, never as passed', () => {
    expect(countVitest(vitest({ numPendingTests: 2, numTodoTests: 1 }), 0)).toEqual({ passed: 5, failed: 0, notRun: 3 });
  });

  it('counts a file that did not load as one failure', () => {
    const testResults = [
      { status: 'failed', assertionResults: [] },
      { status: 'failed', assertionResults: [{ status: 'failed' }] },
    ];
    expect(countVitest(vitest({ numFailedTests: 1, testResults }), 1)).toEqual({ passed: 5, failed: 2, notRun: 0 });
  });

  it('counts a failed run that names no failed test as one failure', () => {
    expect(countVitest(vitest({}), 1)).toEqual({ passed: 5, failed: 1, notRun: 0 });
  });

  it.each(['', '{"numPassedTests": 5'])('counts a report that is cut (%j) as a failure', (content) => {
    expect(countVitest(report(content), 0)).toEqual({ passed: 0, failed: 1, notRun: 0 });
  });

  it('counts a missing report as a failure', () => {
    expect(countVitest(join(folder, 'missing.json'), 0)).toEqual({ passed: 0, failed: 1, notRun: 0 });
  });
});

describe('countPlaywright', () => {
  it('counts passed, failed and skipped tests', () => {
    expect(countPlaywright(playwright({ unexpected: 1, skipped: 2 }), 1)).toEqual({ passed: 3, failed: 1, notRun: 2 });
  });

  it('counts a test that passed only when repeated as failed', () => {
    expect(countPlaywright(playwright({ flaky: 1 }), 0)).toEqual({ passed: 3, failed: 1, notRun: 0 });
  });

  it('counts errors outside of tests', () => {
    expect(countPlaywright(playwright({}, [{ message: 'set-up' }]), 1)).toEqual({ passed: 3, failed: 1, notRun: 0 });
  });

  it('counts a missing report as a failure', () => {
    expect(countPlaywright(join(folder, 'missing.json'), 1)).toEqual({ passed: 0, failed: 1, notRun: 0 });
  });
});
