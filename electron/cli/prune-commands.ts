import { type Command, Option } from 'commander';
import { AppError } from '../../shared/errors';
import type { SideName } from '../../shared/inspection';
import type { RemovalKind } from '../../shared/plan';
import { parseLimit } from './arguments';
import type { Cli } from './cli';
import { runAndReport } from './run-commands';

interface ApplyOptions {
  readonly apply?: true;
  readonly plan?: string;
  readonly purge?: true;
  readonly undo?: true;
  readonly free?: true;
}

interface PruneOptions extends ApplyOptions {
  readonly side: SideName | 'both';
  readonly keep: number;
  readonly keepRecent?: true;
  readonly includeRemoteOwn?: true;
  readonly check?: true;
}

interface CleanOptions extends ApplyOptions {
  readonly side: SideName | 'both';
  readonly only: readonly string[];
  readonly all?: true;
}

/** `prune` and `clean`. */
export function addPruneCommands(program: Command, cli: Cli): void {
  withApply(program.command('prune').description('show which restore points can go; --apply removes exactly those').argument('<name>'))
    .addOption(whichSide())
    .addOption(new Option('--keep <n>', 'how many stay, the newest that can be restored among them').argParser(parseLimit).default(1))
    .option('--keep-recent', 'also keep everything younger than 7 days')
    .option('--include-remote-own', 'also remove what a remote that runs Hermes made itself')
    .option('--check', 'check archives over SFTP too, which downloads them')
    .action((connection: string, options: PruneOptions) => {
      const { side, keep, keepRecent, includeRemoteOwn, check } = options;
      return run(cli, 'prune', connection, options, () =>
        runAndReport(cli, 'prune', { connection, side, keep, keepRecent, includeRemoteOwn, check, ...applying(options) }),
      );
    });
  withApply(
    program
      .command('clean')
      .description('show what older pushes left on the remote, and broken sync-backs of Hermes here; --apply removes what was chosen')
      .argument('<name>'),
  )
    .addOption(whichSide())
    .option('--only <path>', 'choose this one; may be given several times', (path, before: readonly string[]) => [...before, path], [])
    .option('--all', 'choose all')
    .action((connection: string, options: CleanOptions) => {
      const { side, only, all = false } = options;
      return run(cli, 'clean', connection, options, () =>
        runAndReport(cli, 'clean', { connection, side, only, all, ...applying(options) }),
      );
    });
}

function whichSide(): Option {
  return new Option('--side <side>', 'where').choices(['local', 'remote', 'both']).default('both');
}

function withApply(command: Command): Command {
  return command
    .option('--apply', 'carry it out')
    .option('--plan <fingerprint>', 'only if the plan is still this one')
    .option('--purge', 'delete for good at once; it cannot be put back')
    .option('--undo', 'put back what the last one took')
    .option('--free', 'delete for good what the last one took');
}

function applying({ apply, plan, purge }: ApplyOptions) {
  return { apply: apply === true, plan, purge: purge === true };
}

async function run(cli: Cli, kind: RemovalKind, connection: string, options: ApplyOptions, work: () => Promise<void>): Promise<void> {
  const { apply, plan, purge, undo, free } = options;
  const chosen = [apply, undo, free].filter((choice) => choice === true).length;
  if (chosen > 1) throw new AppError('usage.invalid', { what: '--apply, --undo and --free cannot be used together.' });
  if (apply !== true && (plan !== undefined || purge === true)) {
    throw new AppError('usage.invalid', { what: '--plan and --purge belong to --apply.' });
  }
  if (undo === true) return runAndReport(cli, 'prune.undo', { connection, kind });
  if (free === true) return runAndReport(cli, 'prune.free', { connection, kind });
  return work();
}
