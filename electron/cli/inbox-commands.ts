import type { Command } from 'commander';
import type { InboxItem, Resolution } from '../../shared/inbox';
import type { Cli } from './cli';
import { runAndReport } from './run-commands';
import { formatBytes, formatTime, oneLine, table } from './text';

const resolving: readonly (readonly [Resolution, string])[] = [
  ['keep-local', 'keep the file here; it goes out at the next push'],
  ['keep-remote', "put the remote's version in its place; what was here can be undone"],
  ['keep-both', "keep the file here and put the remote's version beside it"],
  ['release', 'let a guarded file, a whole new skill, or what was held for its size come home'],
  ['discard', 'leave it on the remote until it changes there again; what was held for its size, until it grows much again'],
  ['exclude', 'never ask about it again: a rule leaves it where it is, a guarded file always stays as it is here'],
  ['expect', 'what was held for its size is expected from now on, and comes home'],
];

/** `inbox list`, the decisions about what waits, and those made earlier. */
export function addInboxCommands(program: Command, cli: Cli): void {
  const group = program.command('inbox').description('what waits for a decision; deciding connects to nothing');
  addList(group, cli);
  for (const [choice, description] of resolving) {
    group
      .command(choice)
      .description(description)
      .argument('<id...>')
      .action((ids: readonly string[]) => runAndReport(cli, 'inbox.resolve', { ids, choice }));
  }
  addDecisions(group, cli);
}

function addList(group: Command, cli: Cli): void {
  group
    .command('list')
    .description('show what waits')
    .argument('[name]')
    .action(async (connection: string | undefined) => {
      const { items, bytes } = await cli.request('inbox.list', { connection });
      const text = items.length === 0 ? 'Nothing waits.' : `${table(items.map(row))}\n${formatBytes(bytes)} stored on this computer.`;
      await cli.print({ schema: 1, items, bytes }, text);
    });
}

function row({ id, kind, bytes, path, reason }: InboxItem): readonly string[] {
  return [id, kind, formatBytes(bytes), `${oneLine(path)}: ${oneLine(reason)}`];
}

function addDecisions(group: Command, cli: Cli): void {
  group
    .command('decisions')
    .description('show what was decided for good: declined versions, excluded paths, guarded files that stay')
    .argument('[name]')
    .action(async (connection: string | undefined) => {
      const { decisions } = await cli.request('decision.list', { connection });
      const rows = decisions.map(({ id, choice, createdAt, path }) => [id, choice, formatTime(createdAt), oneLine(path)]);
      await cli.print({ schema: 1, decisions }, rows.length === 0 ? 'Nothing was decided for good.' : table(rows));
    });
  group
    .command('revoke')
    .description('take a decision back; files stay as they are')
    .argument('<id>')
    .action(async (id: string) => {
      await cli.request('decision.revoke', { id });
      await cli.print({ schema: 1 }, 'Taken back. The next session decides anew.');
    });
}
