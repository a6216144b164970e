import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { AppError } from '../../shared/errors';
import { CarriedStream } from './carried-stream';
import { plainReason } from './ssh-errors';

const stderrLimit = 4096;
/** Milliseconds for the command to end after it was asked to, and for its last words after it ended. */
const endGraceMs = 1000;

/** Runs a `ProxyCommand` through the user's shell, as OpenSSH does; its standard input and output carry the connection. */
export function startProxyCommand(command: string, place: { readonly host: string; readonly port: number }): CarriedStream {
  const isWindows = process.platform === 'win32';
  const [shell, ...args] = isWindows ? ['cmd.exe', '/d', '/s', '/c', command] : [process.env.SHELL || '/bin/sh', '-c', `exec ${command}`];
  // A group of its own, so that what the command starts can be ended with it.
  const child = spawn(shell ?? '', args, { detached: !isWindows, windowsHide: true, stdio: ['pipe', 'pipe', 'pipe'], env: nested() });
  const ended = whenEnded(child);
  const kill = (signal: NodeJS.Signals): void => killAll(child, signal);
  const onExit = (): void => kill('SIGKILL');
  process.once('exit', onExit);
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-stderrLimit);
  });
  const stream = new CarriedStream({
    input: child.stdout,
    output: child.stdin,
    end: async () => {
      kill('SIGTERM');
      const timer = setTimeout(() => kill('SIGKILL'), endGraceMs);
      await ended;
      clearTimeout(timer);
      kill('SIGKILL');
      process.off('exit', onExit);
    },
  });
  void ended.then((why) => {
    if (why === null && stream.bytesRead > 0) return stream.finish();
    const lastWords = said.trim().split('\n').at(-1) ?? '';
    const reason = plainReason({ message: `the ProxyCommand ended (${why ?? 'without an error'})${lastWords ? `: ${lastWords}` : ''}` });
    // What worked and broke off is a lost connection; what never worked is an unreachable machine.
    stream.destroy(stream.bytesRead > 0 ? new Error(reason) : new AppError('ssh.unreachable', { ...place, reason }));
  });
  return stream;
}

/**
 * The environment of a shell below another one. Node's pipes are sockets, and bash reads ~/.bashrc where its standard input is
 * a socket and no shell is above it (`SHLVL`, its manual under "Invoked by remote shell daemon"): what that prints would be
 * taken for the server's.
 */
function nested(): NodeJS.ProcessEnv {
  return { ...process.env, SHLVL: String(Math.max(1, Number(process.env.SHLVL) || 0)) };
}

/** Settles when the command is over and has said all: null after a plain end, else how it ended. */
function whenEnded(child: ChildProcessWithoutNullStreams): Promise<string | null> {
  return new Promise((resolve) => {
    const settle = (code: number | null, signal: string | null): void => resolve(code === 0 ? null : (signal ?? `exit code ${code}`));
    child.once('error', (error) => resolve(plainReason(error)));
    child.once('close', settle);
    // Something it left behind may hold its output open for ever.
    child.once('exit', (code, signal) => void setTimeout(() => settle(code, signal), endGraceMs).unref());
  });
}

function killAll(child: ChildProcessWithoutNullStreams, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(child.pid), '/t', '/f'], { windowsHide: true });
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The whole group is gone.
  }
}
