import { type ChildProcess, spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import type { TestSshd } from './sshd';

const program = resolve(import.meta.dirname, '../../out/main/cli.js');

/** How a command ended. */
export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The built command line over folders of its own, one process for each command. */
export interface BuiltCli {
  readonly dataDir: string;
  readonly hermesHome: string;
  run(...args: readonly string[]): Promise<CliResult>;
  /** Runs with `--json` and reads the one document on stdout. */
  json<T>(...args: readonly string[]): Promise<{ readonly code: number | null; readonly document: T }>;
  /** Starts a command that lasts; the test ends it. */
  spawn(...args: readonly string[]): ChildProcess;
  /** Saves a connection to the server under the name `build-box`. */
  addConnection(sshd: TestSshd, ...more: readonly string[]): Promise<CliResult>;
}

/** The built command line in a temporary folder: home, Hermes home and data folder lie in it. */
export function builtCli(folder: string): BuiltCli {
  const dataDir = join(folder, 'data');
  const hermesHome = join(folder, 'hermes');
  const { SSH_AUTH_SOCK: _agent, HERMES_HOME: _hermes, EBBGATE_DATA_DIR: _data, ...inherited } = process.env;
  const env = { ...inherited, HOME: folder };
  const start = (args: readonly string[]) =>
    spawn(process.execPath, [program, ...args, '--data-dir', dataDir, '--hermes-home', hermesHome], { cwd: folder, env });
  const run = async (...args: readonly string[]): Promise<CliResult> => {
    const child = start(args);
    child.stdin.end();
    const said = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said.stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said.stderr += text;
    });
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { code, ...said };
  };
  return {
    dataDir,
    hermesHome,
    run,
    async json<T>(...args: readonly string[]) {
      const { code, stdout, stderr } = await run(...args, '--json');
      try {
        return { code, document: JSON.parse(stdout) as T };
      } catch {
        throw new Error(`${args.join(' ')} printed no document (exit ${code}): ${stdout.slice(0, 500)} ${stderr.slice(0, 500)}`);
      }
    },
    spawn: (...args) => start(args),
    addConnection: (sshd, ...more) => {
      const address = `${sshd.username}@${sshd.host}:${sshd.port}`;
      const options = ['--address', address, '--identity', sshd.identityFile, '--known-hosts', sshd.knownHostsFile, '--no-ssh-config'];
      return run('connection', 'add', 'build-box', ...options, ...more);
    },
  };
}
