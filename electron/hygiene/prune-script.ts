/// <reference path="../raw.d.ts" />
import { randomBytes } from 'node:crypto';
import { AppError, isAppError } from '../../shared/errors';
import { quoteWord } from '../../shared/quote';
import type { SshConnection } from '../ssh/ssh-connection';
import { stopError } from '../ssh/ssh-errors';
import source from './prune.sh?raw';

/** What prune.sh is told; see its head. */
export interface PruneScript {
  readonly home: string;
  readonly mode: 'look' | 'move' | 'restore' | 'kept' | 'drop' | 'empty';
  readonly run?: string;
  readonly steal?: boolean;
  readonly before?: string;
  readonly words: readonly string[];
}

/** Longest silence while a tree is measured or deleted, in milliseconds. */
const stallMs = 300_000;

const body = source
  .split('\n')
  .filter((line) => !/^\s*#/.test(line))
  .join('\n');

/** Runs prune.sh and returns the words it answered. `ssh.no-shell` when it did not begin or lacks a tool: nothing happened then. */
export async function runPruneScript(connection: SshConnection, script: PruneScript, signal: AbortSignal): Promise<readonly string[]> {
  const marker = `ebbgate-${randomBytes(16).toString('hex')}`;
  const { home, mode, run = '', steal = false, before = '' } = script;
  const values = { M: marker, H: home, mode, run, steal: steal ? '1' : '', before };
  const settings = Object.entries(values).map(([name, value]) => `${name}=${quoteWord(value)}`);
  const input = Buffer.from(`${settings.join('\n')}\nset -- ${script.words.map(quoteWord).join(' ')}\n${body}\n`);
  const channel = await connection.exec(`exec /bin/sh -c 'eval "$(head -c ${input.length})"'`, { signal, stallMs });
  try {
    channel.stdin.end(input);
    const output = await readAll(channel.stdout);
    const words = wordsOf(output, marker);
    if (words === null) throw noShell(connection, channel.stderrText().trim() || 'the shell did not run what was sent');
    if (words.at(-1) !== `${marker}-end`) throw brokenOff(connection, script, signal, channel.stderrText().trim());
    if (words[0] === 'no-tool') throw noShell(connection, `the remote has no ${words[1]}`);
    return words.slice(0, -1);
  } catch (error) {
    if (signal.aborted) throw stopError(signal);
    throw error;
  } finally {
    channel.close();
  }
}

async function readAll(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Everything up to our own end; what start-up files print around it is not looked at. Null when it never began. */
function wordsOf(output: Buffer, marker: string): readonly string[] | null {
  const begin = `\0${marker}-begin\0`;
  const at = output.indexOf(begin);
  if (at < 0) return null;
  const words = output.toString('utf8', at + begin.length).split('\0');
  const end = words.indexOf(`${marker}-end`);
  return end < 0 ? words : words.slice(0, end + 1);
}

function noShell(connection: SshConnection, detail: string): AppError {
  return connection.failure() ?? new AppError('ssh.no-shell', { host: connection.target.host, detail: detail.slice(-200) });
}

function brokenOff(connection: SshConnection, { home, mode }: PruneScript, signal: AbortSignal, said: string): AppError {
  if (signal.aborted) return stopError(signal);
  const operation = mode === 'look' ? 'list the restore points' : 'move everything';
  return connection.failure() ?? new AppError('remote.failed', { operation, path: home, said });
}

/** Whether the remote has no shell that can be used, so that SFTP is the way. */
export function lacksShell(error: unknown): error is AppError<'ssh.no-shell'> {
  return isAppError(error, 'ssh.no-shell');
}
