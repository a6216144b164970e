// Counts tests from the reports that the runners wrote. A report that is missing or broken counts as one failure.
import { readFileSync } from 'node:fs';

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/** A run that failed without naming a failed test (it did not load, it leaked an error) is a failure of its own. */
function withExit({ passed, failed, notRun }, exitCode) {
  return { passed, failed: exitCode !== 0 && failed === 0 ? 1 : failed, notRun };
}

/** Vitest's json report. A file that could not be loaded holds no tests, and counts as one failure. */
export function countVitest(file, exitCode) {
  const report = readReport(file);
  if (!report) return { passed: 0, failed: 1, notRun: 0 };
  const unloadable = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  ).length;
  const counts = {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloadable,
    notRun: report.numPendingTests + report.numTodoTests,
  };
  return withExit(counts, exitCode);
}

/** Playwright's json report. A test that passed only when repeated has failed. */
export function countPlaywright(file, exitCode) {
  const report = readReport(file);
  if (!report) return { passed: 0, failed: 1, notRun: 0 };
  const { expected, unexpected, flaky, skipped } = report.stats;
  return withExit({ passed: expected, failed: unexpected + flaky + report.errors.length, notRun: skipped }, exitCode);
}
