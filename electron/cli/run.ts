import { Command, CommanderError } from 'commander';
import type { WireError } from '../../shared/contract';
import { AppError, exitCodeFor, exitCodes, toWireError } from '../../shared/errors';
import { Cli, type GlobalOptions, wireOf } from './cli';
import { addConnectionCommands } from './connection-commands';
import type { CliDeps } from './deps';
import { addGuardCommand } from './guard-commands';
import { addHostCommands } from './host-commands';
import { addInboxCommands } from './inbox-commands';
import { addLookCommands } from './look-commands';
import { addPruneCommands } from './prune-commands';
import { addRunCommands } from './run-commands';
import { forTerminal } from './text';

/** Runs one command (arguments without node and program) and answers its exit code. Never rejects. */
export async function runCli(argv: readonly string[], deps: CliDeps): Promise<number> {
  const said = { out: '', err: '' };
  const program = makeProgram(said);
  const cli = new Cli(deps, () => program.opts<GlobalOptions>());
  addConnectionCommands(program, cli);
  addRunCommands(program, cli);
  addInboxCommands(program, cli);
  addPruneCommands(program, cli);
  addLookCommands(program, cli);
  addGuardCommand(program, cli);
  addHostCommands(program, cli);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return cli.exitCode;
  } catch (error) {
    // Parsing may have ended before it came to the option.
    const json = cli.json || wantsJson(argv);
    if (error instanceof CommanderError) return usage(error, said, json, deps);
    return fail(wireOf(error), json, deps);
  }
}

function makeProgram(said: { out: string; err: string }): Command {
  return new Command('ebbgate')
    .description('Brings real work home from the machine your Hermes Agent uses over SSH, and keeps bookkeeping out.')
    .option('--json', 'print one JSON document')
    .option('--data-dir <dir>', "the app's own folder (or EBBGATE_DATA_DIR)")
    .option('--hermes-home <dir>', 'Hermes home on this computer (or HERMES_HOME; default: ~/.hermes)')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => {
        said.out += text;
      },
      writeErr: (text) => {
        said.err += text;
      },
    })
    .exitOverride();
}

function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end < 0 ? argv : argv.slice(0, end)).includes('--json');
}

/** Help that was asked for is an answer; everything else the parser says is a mistake in the command. */
async function usage(
  error: CommanderError,
  said: { readonly out: string; readonly err: string },
  json: boolean,
  deps: CliDeps,
): Promise<number> {
  if (error.exitCode === 0) {
    await deps.stdout(said.out);
    return exitCodes.done;
  }
  const isHelp = error.code === 'commander.help';
  const what = isHelp ? 'A command is missing.' : sentence(error.message.replace(/^error: /, ''));
  const wire = toWireError(new AppError('usage.invalid', { what }));
  if (json || !isHelp) return fail(wire, json, deps);
  deps.stderr(said.err);
  return exitCodes.usage;
}

function sentence(text: string): string {
  const start = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.?!)]$/.test(start) ? start : `${start}.`;
}

async function fail(wire: WireError, json: boolean, deps: CliDeps): Promise<number> {
  if (json) await deps.stdout(`${JSON.stringify({ schema: 1, error: wire }, null, 2)}\n`);
  else deps.stderr(`${forTerminal(wire.message)}\n`);
  return exitCodeFor(wire.code);
}
