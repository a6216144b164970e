import type { Command } from 'commander';
import { Option } from 'commander';
import { AppError, exitCodeFor, exitCodes } from '../../shared/errors';
import type { ArrivalKind, GuardEvent, GuardView, WatchedHome } from '../../shared/guard';
import type { ComposedApp } from '../ipc/host';
import { type Cli, RequestFailure } from './cli';
import { askRemotes, remoteText } from './guard-remotes';
import { untilStopped } from './host-commands';
import { openApp } from './owner';
import { reportText } from './report-text';
import { exitCodeOf } from './run-commands';
import { formatBytes, formatTally, formatTime, oneLine } from './text';

interface GuardOptions {
  readonly once?: true;
  readonly remotes?: true;
  readonly putBack?: string;
  readonly dismiss?: string;
}

/** `guard`: what Hermes's own sync-back did to the local skills. */
export function addGuardCommand(program: Command, cli: Cli): void {
  program
    .command('guard')
    .description('watch the local skills and tell what Hermes brought there, until stopped; changes nothing by itself')
    .option('--once', 'compare with the last look, then leave; exit 3 when something waits for a decision')
    .option('--remotes', 'with --once: also inspect the remote of every connection')
    .addOption(
      new Option('--put-back <id>', 'write the last good hub lock over the one that was found').conflicts(['once', 'remotes', 'dismiss']),
    )
    .addOption(new Option('--dismiss <id>', 'what was found is fine').conflicts(['once', 'remotes']))
    .action(async ({ once, remotes, putBack, dismiss }: GuardOptions) => {
      if (remotes === true && once !== true) throw new AppError('usage.invalid', { what: '--remotes belongs to --once.' });
      if (putBack !== undefined) return putBackLock(cli, putBack);
      if (dismiss !== undefined) return dismissEvent(cli, dismiss);
      return once === true ? lookOnce(cli, remotes === true) : keepWatching(cli);
    });
}

async function lookOnce(cli: Cli, withRemotes: boolean): Promise<void> {
  const { homes, events } = await cli.request('guard.look', {});
  const asked = withRemotes ? await askRemotes(cli) : [];
  const lines = [...homes.map(homeText), ...(events.length === 0 ? ['Nothing waits.'] : events.map(eventText)), ...asked.map(remoteText)];
  await cli.print(
    { schema: 1, homes, events, ...(withRemotes ? { remotes: asked } : {}) },
    homes.length === 0 ? 'There are no connections yet, so there is nothing to watch.' : lines.join('\n'),
  );
  const away = asked.find(({ error }) => error !== null)?.error ?? null;
  if (events.length > 0) cli.exitCode = exitCodes.held;
  else if (away !== null) cli.exitCode = exitCodeFor(away.code);
}

async function putBackLock(cli: Cli, id: string): Promise<void> {
  const report = await cli.request('guard.put-back', { id });
  await cli.print(report, reportText(report));
  cli.exitCode = exitCodeOf(report);
}

async function dismissEvent(cli: Cli, id: string): Promise<void> {
  await cli.request('guard.dismiss', { id });
  await cli.print({ schema: 1, dismissed: id }, 'It is settled. What is there counts as good from now on.');
}

/** Prints each event, and again when more came, as one line of JSON with --json. */
async function keepWatching(cli: Cli): Promise<void> {
  await untilStopped(cli.deps, async (stopped) => {
    let lose: (how: 'lost') => void = () => undefined;
    const lost = new Promise<'lost'>((resolve) => {
      lose = resolve;
    });
    const app = await openApp(cli.deps, cli.folders, () => lose('lost'));
    try {
      const shown = new Map<string, string>();
      const warned = new Set<string>();
      let last: Promise<void> = Promise.resolve();
      const show = ({ homes, events }: GuardView): void => {
        const eventless = homes.filter(({ home, watch }) => watch === 'rescan' && !warned.has(home));
        for (const { home } of eventless) {
          warned.add(home);
          cli.deps.stderr(`${oneLine(home)}: ${withoutEvents}.\n`);
        }
        for (const event of events) {
          if (shown.get(event.id) === event.lastAt) continue;
          shown.set(event.id, event.lastAt);
          last = last.then(() => cli.deps.stdout(`${cli.json ? JSON.stringify({ schema: 1, event }) : eventText(event)}\n`));
        }
      };
      const view = await ask(app, 'guard.watch');
      if (!view.watching) throw new AppError('usage.invalid', { what: 'Guard mode is switched off in the settings.' });
      app.listen(({ event }) => {
        // The app may end in between; that is told below.
        if (event === 'changed') void ask(app, 'guard.list').then(show, () => undefined);
      });
      if (!cli.json) cli.deps.stderr(`Watching ${view.homes.map(({ home }) => oneLine(home)).join(', ') || 'nothing yet'}.\n`);
      show(view);
      const ended = await Promise.race([stopped, lost]);
      await last;
      if (ended === 'lost') throw new AppError('app.lost', { reason: 'the app that watched ended', started: false });
    } finally {
      await app.dispose();
    }
  });
}

async function ask(app: ComposedApp, name: 'guard.watch' | 'guard.list'): Promise<GuardView> {
  const envelope = await app.dispatch(name, {});
  if (!envelope.ok) throw new RequestFailure(envelope.error);
  return envelope.value as GuardView;
}

const states: { readonly [S in WatchedHome['state']]: string } = {
  ok: 'looked at',
  'first-look': 'looked at for the first time; from now on it is compared with this',
  missing: 'has no skills folder right now; it is compared again once that is back',
  unreadable: 'could not be read completely; it is compared again once it can',
};

function homeText({ home, state, lookedAt, watch }: WatchedHome): string {
  const found = lookedAt === null ? 'a run works there; look again when it has ended' : states[state];
  return `${oneLine(home)}: ${found}${watch === 'rescan' ? `. ${withoutEvents}` : ''}`;
}

const withoutEvents = 'Changes there are not reported by this system right now: it is only looked at every 10 minutes';

const kinds: { readonly [K in ArrivalKind]: string } = {
  bookkeeping: 'bookkeeping arrived',
  growth: 'far more than usual appeared',
  'hub-lock': "the hub's lock file is not the last good one",
};

function eventText({ id, at, source, kinds: found, amount, usual, culprit, hubLock, canPutBack }: GuardEvent): string {
  const who = source === 'hermes' ? "Hermes's sync-back" : 'not a run of Ebbgate';
  const size =
    amount.files === 0 ? '' : `: ${formatTally(amount)} in ${oneLine(culprit)}${usual > 0 ? ` (usual: ${formatBytes(usual)})` : ''}`;
  const skills =
    hubLock === null || hubLock.differingSkills.length === 0 ? '' : `; differs in ${hubLock.differingSkills.map(oneLine).join(', ')}`;
  const lock = hubLock === null ? '' : ` The lock file was ${hubLock.state === 'unreadable' ? 'made unreadable' : hubLock.state}${skills}.`;
  const ways = [...(canPutBack ? [`"ebbgate guard --put-back ${id}"`] : []), `"ebbgate guard --dismiss ${id}"`].join(' or ');
  return `${formatTime(at)}  ${found.map((kind) => kinds[kind]).join(', ')} (${who})${size}.${lock} ${ways}`;
}
