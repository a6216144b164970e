import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { connectToOwner } from '../ipc/socket-client';
import { ownerSocketPath } from '../ipc/socket-path';
import type { CliDeps } from './deps';
import { terminalReader } from './read-answer';
import { runCli } from './run';

// A reader that closed its end, such as `head`, has what it wanted.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve) => stream.write(text, () => resolve()));
}

const browsers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

const deps: CliDeps = {
  env: process.env,
  stdout: (text) => write(process.stdout, text),
  stderr: (text) => void process.stderr.write(text),
  showsProgress: process.stderr.isTTY === true,
  readAnswer: terminalReader(process.stdin, process.stderr),
  connect: (dataDir) => connectToOwner(ownerSocketPath(dataDir)),
  async compose(options) {
    const { compose } = await import('../compose');
    return compose(options);
  },
  async startWebHost(options) {
    const { startWebHost } = await import('../web/server');
    // Bundled, this file lies in out/main.
    return startWebHost({ ...options, rendererDir: join(import.meta.dirname, '../renderer') });
  },
  async playDemo(surroundings) {
    const { playDemo } = await import('../demo/demo');
    return playDemo(surroundings);
  },
  onStop(callback) {
    process.on('SIGINT', callback).on('SIGTERM', callback);
    return () => void process.off('SIGINT', callback).off('SIGTERM', callback);
  },
  exitNow: (code) => process.exit(code),
  openBrowser(url) {
    const [command, ...args] = browsers[process.platform] ?? ['xdg-open'];
    // The address is printed as well: without a browser nothing is lost.
    const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
    child.on('error', () => undefined);
    child.unref();
  },
  busyWaitMs: 5000,
};

const code = await runCli(process.argv.slice(2), deps);
// Whatever a library still holds open must not keep a finished command alive.
process.exit(code);
