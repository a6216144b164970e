import { assertNever } from '../../shared/assert-never';
import { growthPhrases } from '../../shared/phrases/paths';
import { allowableGuards, type RunKind, type RunOutcome, type RunReport } from '../../shared/run-report';
import { planText } from './plan-text';
import { formatBytes, formatDuration, formatTally, forTerminal, oneLine, table } from './text';

/** Paths shown; the JSON report has them all. */
const mostPaths = 50;

const kinds: { readonly [K in RunKind]: string } = {
  push: 'Push',
  'sync-back': 'Sync-back',
  preview: 'Preview',
  undo: 'Undo',
  prune: 'Prune',
  clean: 'Clean',
  resolve: 'Decision',
  'put-back': 'Put back',
};

/** What became of a run, in a sentence. */
export function outcomeSentence(report: RunReport): string {
  const { outcome, stop, error, paths } = report;
  const count = (...outcomes: readonly string[]): number => paths.filter((path) => outcomes.includes(path.outcome)).length;
  switch (outcome) {
    case 'done':
      return report.kind === 'preview' || isOnlyPlan(report) ? 'Nothing was changed; this is what would happen.' : 'Done.';
    case 'partly':
      return `Partly done: ${count('failed')} could not be placed. Everything else is complete; run the same again.`;
    case 'held':
      return heldSentence(questionsIn(paths));
    case 'stopped':
      return stop === null
        ? 'Stopped before the first change.'
        : `Stopped before the first change: ${stop.message}${wayThrough(stop.guard)}`;
    case 'failed':
      return error === null ? 'Failed.' : error.message;
    case 'interrupted':
      return 'Interrupted. Every file is old or new, none half-written. Run the same again to go on.';
    default:
      return assertNever(outcome);
  }
}

/** What waits: path by path, but all that is held for its size in one place is one question, and has one reason. */
function questionsIn(paths: RunReport['paths']): number {
  const waiting = paths.filter(({ outcome }) => outcome === 'conflict' || outcome === 'held');
  return new Set(waiting.map(({ path, reason }) => (reason.endsWith(growthPhrases['not-downloaded']) ? reason : path))).size;
}

function heldSentence(waiting: number): string {
  return `Held: ${waiting} ${waiting === 1 ? 'item waits' : 'items wait'} for your decision, safely. "ebbgate inbox list" shows what.`;
}

function wayThrough(guard: (typeof allowableGuards)[number]): string {
  return allowableGuards.includes(guard) ? `\nIf this is what you expect: the same again with --allow ${guard} (for that run only).` : '';
}

/** A prune or clean that showed what it would do. One that had nothing to do showed the same. */
function isOnlyPlan({ plan, paths }: RunReport): boolean {
  return plan !== undefined && paths.length === 0;
}

/** A run report for people. */
export function reportText(report: RunReport): string {
  const title = `${kinds[report.kind]}, ${oneLine(report.connection.name)}, ${formatDuration(report.durationMs)}`;
  const parts = [title, forTerminal(outcomeSentence(report))];
  if (wasReached(report.outcome)) parts.push(ledgerText(report));
  if (report.plan !== undefined && report.paths.length === 0) parts.push(planText(report.plan));
  const paths = pathsText(report);
  if (paths !== '') parts.push(paths);
  parts.push(...report.alerts.map(alertText), ...report.notes.map((note) => `Note: ${forTerminal(note)}`));
  return parts.join('\n');
}

function wasReached(outcome: RunOutcome): boolean {
  return outcome !== 'failed';
}

/** Runs that look at nothing but what they place or remove, so that the other figures say nothing. */
export const lookless: ReadonlySet<RunKind> = new Set(['resolve', 'undo', 'prune', 'clean', 'put-back']);

/** Refused in all, by excluded folder, and by every other rule. */
function refusedRows({ byTree, byRule, ...refused }: RunReport['ledger']['refused']): string[][] {
  const rules = Object.entries(byRule).filter(([rule]) => rule !== 'excluded-name');
  const parts = [...Object.entries(byTree), ...rules].sort(([, a], [, b]) => b.bytes - a.bytes);
  return [
    ['refused', `${formatTally(refused)}${refused.estimated ? ' or more' : ''}`],
    ...parts.map(([name, tally]) => [`  ${oneLine(name)}`, formatTally(tally)]),
  ];
}

function ledgerText({ ledger, kind, outcome }: RunReport): string {
  const hasWritten = kind !== 'preview' && outcome !== 'stopped';
  const placed = [
    ['written', formatTally(ledger.written)],
    ['removed', formatTally(ledger.removed)],
  ];
  if (lookless.has(kind)) return table(placed, '  ');
  const { refused, wire } = ledger;
  // Before the first change nothing was placed, and what would change is no more unchanged than written.
  if (!hasWritten)
    return table([...(kind === 'push' ? [] : [['on the remote', formatTally(ledger.onRemote)]]), ...refusedRows(refused)], '  ');
  const rows = [
    ...(kind === 'push' ? [] : [['on the remote', formatTally(ledger.onRemote)]]),
    ...refusedRows(refused),
    ['transferred', formatTally(ledger.transferred)],
    ...placed,
    ['unchanged', formatTally(ledger.unchanged)],
    ['on the wire', `${formatBytes(wire.sent)} sent, ${formatBytes(wire.received)} received`],
  ];
  return table(rows, '  ');
}

function pathsText({ paths, pathsOmitted }: RunReport): string {
  // Bookkeeping is in the ledger, by tree: one by one it would hide the rest. Whatever else did not travel is named.
  const shown = paths.filter(({ outcome, reason }) => outcome !== 'refused' || !reason.startsWith('excluded-name'));
  const rows = shown
    .slice(0, mostPaths)
    .map(({ outcome, path, bytes, reason }) => [
      outcome,
      `${oneLine(path)} (${formatBytes(bytes)})${reason === '' ? '' : `: ${oneLine(reason)}`}`,
    ]);
  const left = shown.length - rows.length + pathsOmitted;
  return [...(rows.length > 0 ? [table(rows, '  ')] : []), ...(left > 0 ? [`  and ${left} more (--json lists them)`] : [])].join('\n');
}

function alertText({ kind, actual, usual, culprit, holding }: RunReport['alerts'][number]): string {
  const what = {
    growth: 'Growth',
    'refused-bookkeeping': 'Refused bookkeeping',
    shrink: 'Far less than usual',
    'restore-points': 'Restore points',
  };
  const size = `${formatBytes(actual)}${usual > 0 ? ` (usual: ${formatBytes(usual)})` : ''}`;
  return `${what[kind]}: ${size}${culprit === '' ? '' : `, ${oneLine(culprit)}`}${holding ? ', held' : ''}`;
}
