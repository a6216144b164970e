import type { Command } from 'commander';
import { Option } from 'commander';
import { type NewConnection, type NewSkillsPolicy, type RemoteAddress, showAddress } from '../../shared/connection';
import { AppError, exitCodes } from '../../shared/errors';
import type { Proposal } from '../../shared/proposal';
import { absolutePath } from '../platform/app-paths';
import { parseList, parseRemoteAddress } from './arguments';
import { type Cli, RequestFailure } from './cli';
import { forTerminal, oneLine, table } from './text';

interface AddOptions {
  readonly address?: RemoteAddress;
  readonly alias?: string;
  readonly identity?: string;
  readonly knownHosts?: string;
  readonly acceptHostKey?: string;
  readonly remoteHome?: string;
  readonly profile?: string;
  readonly roots?: readonly string[];
  readonly newSkills?: NewSkillsPolicy;
  readonly sshConfig: boolean;
}

/** `connection add|list|remove|forget-secrets|test|import`. */
export function addConnectionCommands(program: Command, cli: Cli): void {
  const group = program.command('connection').description('saved remotes');
  addAdd(group, cli);
  group
    .command('list')
    .description('show the saved connections')
    .action(async () => {
      const { connections } = await cli.request('connection.list', {});
      const rows = connections.map(({ name, address, roots, localHome }) => [
        oneLine(name),
        showAddress(address),
        roots.join(', '),
        oneLine(localHome),
      ]);
      await cli.print(
        { schema: 1, connections },
        rows.length === 0 ? 'There are no connections yet. "ebbgate connection add" makes one.' : table(rows),
      );
    });
  group
    .command('remove')
    .description('forget a connection; files on both sides stay')
    .argument('<name>')
    .action(async (name: string) => {
      await cli.request('connection.remove', { connection: name });
      await cli.print({ schema: 1, removed: name }, `The connection ${oneLine(name)} was removed.`);
    });
  group
    .command('forget-secrets')
    .description('forget the passphrases and passwords that the tray app remembers for a connection')
    .argument('<name>')
    .action(async (name: string) => {
      await cli.request('connection.forget-secrets', { connection: name });
      await cli.print({ schema: 1, forgot: name }, `Nothing is remembered for ${oneLine(name)} any more.`);
    });
  addTest(group, cli);
  addImport(group, cli);
}

function addAdd(group: Command, cli: Cli): void {
  group
    .command('add')
    .description('save a remote; connects to nothing')
    .argument('<name>')
    .addOption(new Option('--address <user@host[:port]>', 'where it is').argParser(parseRemoteAddress))
    .option('--alias <ssh alias>', 'a name from the SSH configuration, instead of --address')
    .option('--identity <file>', 'private key (default: the SSH agent, then the usual keys)')
    .option('--known-hosts <file>', 'replaces all other known-hosts files and receives accepted keys')
    .option('--accept-host-key <SHA256:…>', 'accept this host key if the remote shows it')
    .option('--remote-home <dir>', 'Hermes home on the remote (default: ~/.hermes there)')
    .option('--profile <name>', 'Hermes profile, on both sides')
    .option('--roots <list>', 'synced folders, separated by commas (default: skills)', parseList)
    .addOption(
      new Option('--new-skills <policy>', 'what to do with new skills from the remote (default: bring)').choices(['bring', 'review']),
    )
    .option('--no-ssh-config', "read neither the user's nor the system's SSH configuration")
    .action(async (name: string, options: AddOptions) => {
      const connection = await cli.request('connection.add', newConnection(cli, name, options));
      const added = `The connection ${oneLine(connection.name)} (${showAddress(connection.address)}) was added.`;
      await cli.print({ schema: 1, connection }, `${added} "ebbgate connection test" tries it.`);
    });
}

/** Paths are made absolute here: the request may be answered by a process that was started in another folder. */
function newConnection(cli: Cli, name: string, options: AddOptions): NewConnection {
  const { address, alias, identity, knownHosts } = options;
  if ((address === undefined) === (alias === undefined)) throw new AppError('usage.invalid', { what: 'Give either --address or --alias.' });
  const file = (path: string | undefined): string | undefined => (path ? absolutePath(path) : path);
  return {
    name,
    address: address ?? { kind: 'alias', alias: alias ?? '' },
    identityFile: file(identity),
    knownHostsFile: file(knownHosts),
    acceptHostKey: options.acceptHostKey,
    useSshConfig: options.sshConfig,
    localHome: cli.folders.hermesHome,
    remoteHome: options.remoteHome,
    profile: options.profile,
    roots: options.roots,
    newSkills: options.newSkills,
  };
}

function addTest(group: Command, cli: Cli): void {
  group
    .command('test')
    .description('try a connection, check by check; changes nothing')
    .argument('<name>')
    .option('--accept-host-key <SHA256:…>', 'accept this host key if the remote shows it')
    .action(async (name: string, { acceptHostKey }: { readonly acceptHostKey?: string }) => {
      const { ok, checks } = await cli.request('connection.test', { connection: name, acceptHostKey });
      const lines = checks.map((check) => {
        const fix = check.fix === null ? '' : `\n      ${forTerminal(check.fix)}`;
        return `${check.ok ? 'ok  ' : 'FAIL'}  ${check.id}: ${oneLine(check.detail)}${fix}`;
      });
      await cli.print({ schema: 1, ok, checks }, lines.join('\n'));
      cli.exitCode = ok ? exitCodes.done : exitCodes.offline;
    });
}

function addImport(group: Command, cli: Cli): void {
  group
    .command('import')
    .description('show the remotes that the SSH and Hermes configuration name; adds them with --apply')
    .argument('[name...]', 'only these')
    .option('--apply', 'save those that are not saved yet')
    .action(async (names: readonly string[], { apply }: { readonly apply?: true }) => {
      const found = await cli.request('connection.proposals', { localHome: cli.folders.hermesHome });
      const unknown = names.find((name) => !found.proposals.some(({ connection }) => connection.name === name));
      if (unknown !== undefined) throw new AppError('usage.invalid', { what: `The configuration names no remote "${unknown}".` });
      const wanted = found.proposals.filter(({ connection }) => names.length === 0 || names.includes(connection.name));
      const { added, notes } = apply ? await addProposals(cli, wanted) : { added: [], notes: [] };
      const shown = { proposals: wanted, added, notes: [...found.notes, ...notes] };
      await cli.print({ schema: 1, ...shown }, importText(shown, apply === true));
    });
}

/** Adds what is not saved yet; one that cannot be added is said, and the others are. */
async function addProposals(cli: Cli, proposals: readonly Proposal[]): Promise<{ added: readonly string[]; notes: readonly string[] }> {
  const added: string[] = [];
  const notes: string[] = [];
  for (const { connection, savedAs } of proposals) {
    if (savedAs !== null) continue;
    try {
      added.push((await cli.request('connection.add', connection)).name);
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error;
      notes.push(`${connection.name} was not added: ${error.wire.message}`);
    }
  }
  return { added, notes };
}

interface Imported {
  readonly proposals: readonly Proposal[];
  readonly added: readonly string[];
  readonly notes: readonly string[];
}

function importText({ proposals, added, notes }: Imported, applied: boolean): string {
  const rows = proposals.map(({ connection, savedAs, file }) => {
    const state = added.includes(connection.name) ? 'added' : savedAs === null ? 'new' : 'saved already';
    return [oneLine(connection.name), showAddress(connection.address), state, oneLine(file)];
  });
  const waiting = !applied && proposals.some(({ savedAs }) => savedAs === null);
  return [
    rows.length === 0 ? 'Neither the SSH nor the Hermes configuration names a remote.' : table(rows),
    ...notes.map(forTerminal),
    ...(waiting ? ['Nothing was saved. "ebbgate connection import --apply" saves those that are new.'] : []),
  ].join('\n');
}
