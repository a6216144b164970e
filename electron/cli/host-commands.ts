import type { Command } from 'commander';
import { AppError, exitCodes } from '../../shared/errors';
import type { Host } from '../ipc/host';
import { parsePort } from './arguments';
import type { Cli } from './cli';
import type { CliDeps } from './deps';
import { openApp } from './owner';
import { reportText } from './report-text';
import { exitCodeOf } from './run-commands';

interface DemoOptions {
  readonly once?: boolean;
  readonly keep?: boolean;
  readonly open: boolean;
}

/** What runs until it is stopped: `serve` and `demo`. */
export function addHostCommands(program: Command, cli: Cli): void {
  program
    .command('serve')
    .description('show the window in a browser on this computer, until stopped')
    .option('--port <n>', 'port on 127.0.0.1 (default: any free one)', parsePort)
    .option('--open', 'open the browser')
    .action((options: { readonly port?: number; readonly open?: boolean }) => serve(cli, options.port ?? 0, options.open === true));
  program
    .command('demo')
    .description('see it work with a made-up remote on this computer')
    .option('--once', 'one session from start to end, then leave')
    .option('--keep', 'leave the made-up folders where they are')
    .option('--no-open', 'print the address of the window, and open no browser')
    .action((options: DemoOptions) => demo(cli, options));
}

/** Plays the demo and prints its sync-back; without `--once` the window stays until stopped. */
async function demo(cli: Cli, { once = false, keep = false, open }: DemoOptions): Promise<void> {
  const { deps } = cli;
  const report = await deps.playDemo({
    once,
    keep,
    say: (line) => deps.stderr(`${line}\n`),
    showWindow: (host) => untilStopped(deps, (stopped) => showWindow(deps, host, { port: 0, open }, stopped)),
  });
  await cli.print(report, reportText(report));
  cli.exitCode = exitCodeOf(report);
}

/** Runs `work` with a promise that settles at the first wish to stop; the second one leaves at once. */
export async function untilStopped(deps: CliDeps, work: (stopped: Promise<void>) => Promise<void>): Promise<void> {
  let stop = (): void => undefined;
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  let isStopping = false;
  const stopListening = deps.onStop(() => {
    if (isStopping) return deps.exitNow(exitCodes.failed);
    isStopping = true;
    stop();
  });
  try {
    await work(stopped);
  } finally {
    stopListening();
  }
}

async function showWindow(
  deps: CliDeps,
  host: Host,
  options: { readonly port: number; readonly open: boolean },
  stopped: Promise<void>,
): Promise<void> {
  const web = await deps.startWebHost({ host, port: options.port });
  try {
    await deps.stdout(`READY ${web.url}\n`);
    if (options.open) deps.openBrowser(web.url);
    await stopped;
  } finally {
    await web.close();
  }
}

async function serve(cli: Cli, port: number, open: boolean): Promise<void> {
  const { deps } = cli;
  await untilStopped(deps, async (stopped) => {
    const stop = { isWished: false };
    void stopped.then(() => {
      stop.isWished = true;
    });
    let isLost = false;
    let lose = (): void => undefined;
    const lost = new Promise<void>((resolve) => {
      lose = resolve;
    });
    const app = await openApp(deps, { ...cli.folders, lasting: true }, () => {
      isLost = true;
      lose();
    });
    try {
      void app.dispatch('guard.watch', {});
      if (!stop.isWished) await showWindow(deps, app, { port, open }, Promise.race([stopped, lost]));
    } finally {
      await app.dispose();
    }
    if (isLost && !stop.isWished) throw new AppError('app.lost', { reason: 'the app that answered here ended', started: false });
  });
}
