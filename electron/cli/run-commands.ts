import { type Command, Option } from 'commander';
import type { Params, Progress, Reply, UndoUsage } from '../../shared/contract';
import { AppError, exitCodeFor, exitCodes } from '../../shared/errors';
import type { Guard, RunOutcome, RunReport } from '../../shared/run-report';
import type { Host } from '../ipc/host';
import { parseAllow } from './arguments';
import type { Cli } from './cli';
import { reportText } from './report-text';
import { formatBytes, formatCount, formatTally, formatTime, oneLine, table } from './text';

type RunName = 'session.start' | 'session.end' | 'preview' | 'undo' | 'prune' | 'clean' | 'prune.undo' | 'prune.free' | 'inbox.resolve';

/** `session start|end|list`, `preview` and `undo`. */
export function addRunCommands(program: Command, cli: Cli): void {
  const group = program.command('session').description('work through a connection');
  const allow = (): Option =>
    new Option('--allow <guards>', 'let these guards through in this run, separated by commas').argParser(parseAllow).default([], 'none');
  const run = (name: 'start' | 'end', description: string): void => {
    group
      .command(name)
      .description(description)
      .argument('<name>')
      .addOption(allow())
      .action((connection: string, options: { readonly allow: readonly Guard[] }) =>
        runAndReport(cli, `session.${name}`, { connection, allow: options.allow }),
      );
  };
  run('start', 'push the local skills to the remote');
  run('end', 'bring home what was made on the remote');
  group
    .command('list')
    .description('show the sessions that are not over')
    .action(async () => {
      const { sessions } = await cli.request('session.list', {});
      const { connections } = cli.json ? { connections: [] } : await cli.request('connection.list', {});
      const nameOf = (id: string): string => oneLine(connections.find((connection) => connection.id === id)?.name ?? id);
      const rows = sessions.map(({ connection, state, startedAt }) => [nameOf(connection), state, `since ${formatTime(startedAt)}`]);
      await cli.print({ schema: 1, sessions }, rows.length === 0 ? 'No session is open.' : table(rows));
    });
  program
    .command('preview')
    .description('show what a run would do; changes nothing')
    .argument('<name>')
    .addOption(new Option('--direction <direction>', 'which run').choices(['push', 'sync-back']).makeOptionMandatory())
    .action((connection: string, { direction }: { readonly direction: 'push' | 'sync-back' }) =>
      runAndReport(cli, 'preview', { connection, direction }),
    );
  program
    .command('undo')
    .description('undo the last run of this connection that wrote here; again takes that back')
    .argument('<name>')
    .option('--run <id>', 'undo this run, if it is the next to be undone; --size names that one')
    .option('--size', 'only say how much is kept for this, and which run is next')
    .option('--free', 'delete for good what is kept; no earlier run can be undone then')
    .action((connection: string, options: UndoOptions) => undo(cli, connection, options));
}

interface UndoOptions {
  readonly run?: string;
  readonly size?: true;
  readonly free?: true;
}

async function undo(cli: Cli, connection: string, { run, size, free }: UndoOptions): Promise<void> {
  if ([run, size, free].filter((option) => option !== undefined).length > 1) {
    throw new AppError('usage.invalid', { what: '--run, --size and --free cannot be used together.' });
  }
  const amount = (usage: UndoUsage) => `${formatCount(usage.runs)} ${usage.runs === 1 ? 'run' : 'runs'}, ${formatTally(usage)}.`;
  if (free === true) {
    const freed = await cli.request('undo.free', { connection });
    return cli.print({ schema: 1, ...freed }, `Deleted for good: ${amount(freed)}`);
  }
  if (size !== true) return runAndReport(cli, 'undo', { connection, run });
  const usage = await cli.request('undo.usage', { connection });
  const next = usage.next === null ? '' : `\nNext: the ${usage.next.kind} of ${formatTime(usage.next.time)} (${usage.next.run}).`;
  await cli.print({ schema: 1, ...usage }, `Kept for undo: ${amount(usage)}${next}`);
}

const exitByOutcome: { readonly [O in Exclude<RunOutcome, 'failed'>]: number } = {
  done: exitCodes.done,
  partly: exitCodes.partly,
  held: exitCodes.held,
  stopped: exitCodes.stopped,
  interrupted: exitCodes.failed,
};

/** The exit code for a run. */
export function exitCodeOf({ outcome, error }: Pick<RunReport, 'outcome' | 'error'>): number {
  if (outcome !== 'failed') return exitByOutcome[outcome];
  return error === null ? exitCodes.failed : exitCodeFor(error.code);
}

/** Runs to the end, or to the next safe point when asked to stop; asked twice, leaves at once. */
export async function runAndReport<K extends RunName>(cli: Cli, name: K, params: Params<K>): Promise<void> {
  const { deps } = cli;
  let isStopping = false;
  let app: Host | null = null;
  const cancel = async (): Promise<void> => {
    const connection = app === null ? null : await connectionOf(app, params);
    if (connection !== null) await app?.dispatch('run.cancel', { connection });
  };
  const stopListening = deps.onStop(() => {
    if (isStopping) return deps.exitNow(exitCodes.failed);
    isStopping = true;
    deps.stderr('Stopping at the next safe point. Once more leaves at once.\n');
    void cancel();
  });
  try {
    const report = (await cli.request(name, params, (opened) => {
      // Nothing has begun: the safe point is here.
      if (isStopping) throw new AppError('run.cancelled', {});
      app = opened;
      if (deps.showsProgress) showProgress(cli, opened);
    })) as RunReport;
    await cli.print(report, reportText(report));
    cli.exitCode = exitCodeOf(report);
  } finally {
    stopListening();
  }
}

/** The connection that a run works on; null when what it decides about no longer waits, so that there is nothing to cancel. */
async function connectionOf(app: Host, params: Params<RunName>): Promise<string | null> {
  if ('connection' in params) return params.connection;
  const waiting = await app.dispatch('inbox.list', {});
  const { items } = waiting.ok ? (waiting.value as Reply<'inbox.list'>) : { items: [] };
  return items.find(({ id }) => params.ids.includes(id))?.connection ?? null;
}

/** One line for each phase. */
function showProgress(cli: Cli, app: Host): void {
  let phase = '';
  app.listen((event) => {
    if (event.event !== 'progress' || event.data.phase === phase) return;
    phase = event.data.phase;
    cli.deps.stderr(`${oneLine(event.data.phase)}${amount(event.data)}…\n`);
  });
}

function amount({ total, unit }: Progress): string {
  if (total === null || unit === null) return '';
  return unit === 'bytes' ? ` ${formatBytes(total)}` : ` ${formatCount(total)} files`;
}
