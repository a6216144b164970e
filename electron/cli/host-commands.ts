import type { Command } from 'commander';
import { AppError, exitCodes } from '../../shared/errors';
import { parsePort } from './arguments';
import type { Cli } from './cli';
import { openApp } from './owner';

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
    .action(async ({ once, keep }: { readonly once?: boolean; readonly keep?: boolean }) => {
      const code = await cli.deps.runDemo({ once: once === true, json: cli.json, keep: keep === true });
      cli.exitCode = code ?? exitCodes.done;
    });
}

async function serve(cli: Cli, port: number, open: boolean): Promise<void> {
  const { deps } = cli;
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
    let isLost = false;
    const app = await openApp(deps, cli.folders, () => {
      isLost = true;
      stop();
    });
    try {
      if (isStopping) return;
      const web = await deps.startWebHost({ host: app, port });
      try {
        await deps.stdout(`READY ${web.url}\n`);
        if (open) deps.openBrowser(web.url);
        await stopped;
      } finally {
        await web.close();
      }
    } finally {
      await app.dispose();
    }
    if (isLost && !isStopping) throw new AppError('app.lost', { reason: 'the app that answered here ended', started: false });
  } finally {
    stopListening();
  }
}
