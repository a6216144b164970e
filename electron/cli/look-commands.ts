import { type Command, Option } from 'commander';
import type { ConnectionView, Status } from '../../shared/contract';
import { AppError } from '../../shared/errors';
import { type ExportFormat, type ExportPart, exportFormats } from '../../shared/history';
import type { RunReport } from '../../shared/run-report';
import { parseLimit } from './arguments';
import type { Cli } from './cli';
import { addInspectCommand } from './inspect-command';
import { lookless } from './report-text';
import { formatAge, formatBytes, formatTime, oneLine, table } from './text';

/** What only looks: `inspect`, `history`, `status`. */
export function addLookCommands(program: Command, cli: Cli): void {
  addInspectCommand(program, cli);
  addHistory(program, cli);
  program
    .command('status')
    .description('show every connection from what is stored; connects to nothing')
    .action(async () => {
      const status = await cli.request('status', {});
      await cli.print({ schema: 1, connections: status.connections, needsYou: status.needsYou }, statusText(status, Date.now()));
    });
}

interface HistoryOptions {
  readonly limit?: number;
  readonly export?: ExportFormat;
}

function addHistory(program: Command, cli: Cli): void {
  program
    .command('history')
    .description('show past runs, newest first')
    .argument('[name]')
    .addOption(new Option('--limit <n>', 'at most so many').argParser(parseLimit).conflicts('export'))
    .addOption(new Option('--export <format>', 'print all of it as a file').choices(exportFormats))
    .action(async (connection: string | undefined, { limit, export: format }: HistoryOptions) => {
      if (format !== undefined) return exportAll(cli, connection, format);
      const { runs } = await cli.request('history.list', { connection, limit: limit ?? (cli.json ? undefined : 30) });
      const rows = runs.map((run) => {
        return [formatTime(run.startedAt), oneLine(run.connection.name), run.kind, run.outcome, figuresText(run)];
      });
      await cli.print({ schema: 1, runs }, rows.length === 0 ? 'There are no runs yet.' : table(rows));
    });
}

/** What a run moved: a figure that is nothing is left out, where it says nothing about the run. */
function figuresText({ kind, ledger: { written, removed, refused } }: RunReport): string {
  const figures = [
    ...(lookless.has(kind) && written.bytes === 0 ? [] : [`${formatBytes(written.bytes)} written`]),
    ...(removed.files === 0 ? [] : [`${formatBytes(removed.bytes)} removed`]),
    ...(lookless.has(kind) ? [] : [`${formatBytes(refused.bytes)} refused`]),
  ];
  return figures.join(', ');
}

async function exportAll(cli: Cli, connection: string | undefined, format: ExportFormat): Promise<void> {
  if (cli.json) throw new AppError('usage.invalid', { what: '--json and --export cannot be used together.' });
  for (let before: string | null | undefined; before !== null; ) {
    const part: ExportPart = await cli.request('history.export', { connection, format, before });
    await cli.deps.stdout(part.text);
    before = part.next;
  }
}

function statusText({ connections }: Status, now: number): string {
  if (connections.length === 0) return 'There are no connections yet. "ebbgate connection add" makes one.';
  const found = connections.reduce((sum, { guard }) => sum + guard.length, 0);
  const items = connections.reduce((sum, { needsYou }) => sum + needsYou, 0) - found;
  const guarded = found === 0 ? '' : `\nGuard mode found something (${found}): "ebbgate guard --once" shows what.`;
  const waiting = items === 0 ? '' : `\n${items} ${items === 1 ? 'item waits' : 'items wait'} for your decision: "ebbgate inbox list".`;
  const reasons = connections.flatMap((connection) => {
    const reason = connection.state === 'ready' || connection.state === 'working' ? null : reasonOf(connection, now);
    return reason === null ? [] : [`\n${oneLine(connection.name)}: ${oneLine(reason)}`];
  });
  return `${table(connections.map(statusRow))}${reasons.join('')}${waiting}${guarded}`;
}

const asksText: Readonly<Record<NonNullable<ConnectionView['asks']>, string>> = {
  agent: 'it waits for your key agent',
  passphrase: 'it needs your passphrase, where it was asked for',
  password: 'it needs your password, where it was asked for',
  interactive: 'it needs your answer, where it was asked for',
};

/** Why a connection is not simply ready: what it waits for, what is wrong with its link, or the words of its last run. */
function reasonOf({ asks, failedTest, link, lastRun, session }: ConnectionView, now: number): string | null {
  if (asks !== null) return asksText[asks];
  if (link?.error != null) return link.error.message;
  if (lastRun?.stop != null) return lastRun.stop.message;
  if (lastRun?.error != null) return lastRun.error.message;
  if (lastRun?.outcome === 'interrupted') return lastRun.notes[0] ?? null;
  if (session?.state === 'pending') return 'its last session was not brought home yet; "ebbgate session end" does that';
  return failedTest === null ? null : `its last test failed ${formatAge(failedTest.at, now)} (${failedTest.check}): ${failedTest.advice}`;
}

function statusRow({ name, state, session, lastTeardown }: ConnectionView): readonly string[] {
  const work = session === null ? 'no session' : `session ${session.state} since ${formatTime(session.startedAt)}`;
  if (lastTeardown === null) return [oneLine(name), state, work, 'never ended'];
  const { written, refused } = lastTeardown.ledger;
  const figures = `${formatBytes(written.bytes)} written, ${formatBytes(refused.bytes)} refused`;
  return [oneLine(name), state, work, `ended ${formatTime(lastTeardown.endedAt)} (${lastTeardown.outcome}), ${figures}`];
}
