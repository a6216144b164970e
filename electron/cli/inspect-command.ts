import { type Command, Option } from 'commander';
import type { Reply, WireError } from '../../shared/contract';
import { exitCodeFor, isOffline } from '../../shared/errors';
import type { HubLock, InspectedSide, RestorePoint, RuleParity, SideName } from '../../shared/inspection';
import { type Cli, wireOf } from './cli';
import { formatBytes, formatTally, formatTime, forTerminal, oneLine, table } from './text';

/** `inspect`: the bookkeeping on both sides. This computer is shown when the remote is away, too. */
export function addInspectCommand(program: Command, cli: Cli): void {
  program
    .command('inspect')
    .description('show the bookkeeping on both sides; changes nothing')
    .argument('<name>')
    .addOption(new Option('--side <side>', 'where to look').choices(['local', 'remote', 'both']).default('both'))
    .action(async (connection: string, { side }: { readonly side: SideName | 'both' }) => {
      const { local, remote, parity, error } = await look(cli, connection, side);
      const sides = [
        ...(local === null ? [] : [sideText('This computer', local)]),
        ...(remote === null ? [] : [sideText('The remote', remote)]),
        ...(error === null ? [] : [`The remote: ${forTerminal(error.message)}`]),
        parityText(parity),
      ];
      await cli.print({ schema: 1, local, remote, parity, error }, sides.join('\n'));
      if (error !== null) cli.exitCode = exitCodeFor(error.code);
    });
}

/** Both sides, or this computer alone and why. */
async function look(
  cli: Cli,
  connection: string,
  side: SideName | 'both',
): Promise<Reply<'inspect'> & { readonly error: WireError | null }> {
  try {
    return { ...(await cli.request('inspect', { connection, side })), error: null };
  } catch (thrown) {
    const error = wireOf(thrown);
    if (side !== 'both' || !isOffline(error.code)) throw thrown;
    return { ...(await cli.request('inspect', { connection, side: 'local' })), error };
  }
}

function parityText({ state, file, added, absent, unusable }: RuleParity): string {
  const where = file === null ? '' : ` (${oneLine(file)})`;
  if (state === 'not-found') return 'Rules: no Hermes is installed here to compare them with.';
  if (state === 'unreadable') return `Rules: the list of the installed Hermes cannot be read${where}; ours is used.`;
  if (state === 'in-step') return `Rules: in step with the installed Hermes${where}.`;
  const parts: readonly (readonly [string, readonly string[]])[] = [
    ['new there and used here too', added],
    ['no longer excluded there, still kept out here', absent],
    ['excluded there, and no name that can be a rule', unusable],
  ];
  const told = parts.flatMap(([what, names]) => (names.length === 0 ? [] : [`${what}: ${names.map(oneLine).join(', ')}`]));
  return `Rules: the installed Hermes${where} differs: ${told.join('; ')}.`;
}

const verdicts: { readonly [V in HubLock['verdict']]: string } = {
  same: 'the same on both sides',
  differs: 'another one on each side',
  'only-local': 'only this computer has one',
  'only-remote': 'only the remote has one',
  none: 'neither side has one',
  unknown: 'not compared',
};

/** What inspection found on one side, for people. */
export function sideText(title: string, side: InspectedSide): string {
  const head = `${title}: ${oneLine(side.home)}`;
  if (!side.readable) return `${head}\n  cannot be read: ${forTerminal(side.problem ?? 'no reason was given')}`;
  const rows = [
    ['Hermes', side.runsHermes ? 'runs here' : 'not found'],
    ...side.trees.map((tree) => [oneLine(tree.path), `${formatTally(tree)}${tree.estimated ? ' or more' : ''}`]),
    ['ledger store', formatTally(side.ledgerBlobs)],
    ['hub lock', hubLockText(side.hubLock)],
    ...restorePointRows(side.restorePoints),
    ...side.profiles.flatMap(({ name, trees, restorePoints }) => [
      ...trees.map((tree) => [oneLine(tree.path), `${formatTally(tree)}${tree.estimated ? ' or more' : ''}`]),
      ...(restorePoints.length === 0 ? [] : [[`profile ${oneLine(name)}`, ''], ...restorePointRows(restorePoints)]),
    ]),
    ...side.leftovers.map(({ path, bytes, reason }) => [oneLine(path), `${formatBytes(bytes)}, ${oneLine(reason)}`]),
  ];
  const problem = side.problem === null ? '' : `\n  ${forTerminal(side.problem)}`;
  return `${head}${problem}\n${table(rows, '  ')}`;
}

function hubLockText({ state, mtime, sha256, verdict, differingSkills }: HubLock): string {
  const skills = differingSkills.length === 0 ? '' : `: ${differingSkills.map(oneLine).join(', ')}`;
  const when = mtime === null ? '' : `, changed ${formatTime(mtime)}`;
  const content = sha256 === null ? '' : `, SHA-256 ${sha256.slice(0, 12)}…`;
  return `${state}${when}${content}, ${verdicts[verdict]}${skills}`;
}

/** How many restore points are listed; the rest is counted. */
const listed = 10;

function restorePointRows(points: readonly RestorePoint[]): readonly (readonly string[])[] {
  const bytes = points.reduce((sum, point) => sum + point.bytes, 0);
  const left = points.length - listed;
  return [
    ['restore points', `${points.length}, ${formatBytes(bytes)}`],
    ...points.slice(0, listed).map((point) => [`  ${oneLine(point.id)}`, restorePointText(point)]),
    ...(left > 0 ? [['', `and ${left} more`]] : []),
  ];
}

function restorePointText({ bytes, reason, restorable, problem, copyOfOtherSide }: RestorePoint): string {
  const state =
    restorable === true ? 'can be restored' : restorable === false ? `cannot be restored: ${oneLine(problem ?? 'unknown')}` : 'not checked';
  return [
    formatBytes(bytes),
    ...(reason === null ? [] : [oneLine(reason)]),
    state,
    ...(copyOfOtherSide ? ['a copy of one on this computer'] : []),
  ].join(', ');
}
