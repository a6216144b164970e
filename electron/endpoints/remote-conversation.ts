import { AppError } from '../../shared/errors';
import { causePhrases } from '../../shared/phrases/causes';
import { throwIfCancelled } from '../engine/cancel';
import type { ExecChannel } from '../ssh/exec-channel';
import type { SshConnection } from '../ssh/ssh-connection';
import { ByteReader } from './byte-reader';
import { renderScript, type ScriptSettings, wantsPlain } from './remote-script';

/** Longest silence of the remote while it lists or hashes, in milliseconds. */
export const stallMs = 120_000;
/** Longest wait for the first sign of our script, in milliseconds: start-up files may be slow, not endless. */
const startMs = 30_000;

/** One running script: its channel and a reader placed after its mark. */
export interface Conversation {
  readonly channel: ExecChannel;
  readonly reader: ByteReader;
  /** From the request to the script's first byte, in milliseconds. */
  readonly roundTripMs: number;
  /** Next record as text; an empty one ends a part. Throws when the remote fell silent or ended. */
  record(): Promise<string>;
  /** Closes the conversation and returns the error for an answer that ended in the middle. */
  endedEarly(): AppError;
}

/** Connections whose remote has no gzip. */
const plainOnly = new WeakSet<SshConnection>();

/** Starts the script and waits for its mark. `ssh.no-shell` when there is none to come. */
export async function converse(connection: SshConnection, settings: ScriptSettings, signal: AbortSignal): Promise<Conversation> {
  const script = renderScript(settings, plainOnly.has(connection));
  const startedAt = performance.now();
  // A script that waits for its digest may be silent for as long as a session lasts.
  const channel = await connection.exec(script.command, settings.digest === 'later' ? { signal } : { signal, stallMs });
  channel.stdin.write(script.input);
  const reader = new ByteReader(channel.stdout);
  const { host, port } = connection.target;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new AppError('ssh.timed-out', { host, port, seconds: startMs / 1000 })), startMs);
  });
  const start = await Promise.race([reader.skipTo(script.mark), late])
    .catch((error: unknown) => {
      channel.close();
      throw error;
    })
    .finally(() => clearTimeout(timer));
  if (!start.found) {
    channel.close();
    if (start.skipped.includes(wantsPlain) && !plainOnly.has(connection)) {
      plainOnly.add(connection);
      return converse(connection, settings, signal);
    }
    const said = (start.skipped.trim() || channel.stderrText().trim()).split('\n').at(-1) ?? '';
    throw new AppError('ssh.no-shell', {
      host,
      detail: said === '' ? 'its start-up files ended the shell' : `it answered "${said.slice(0, 200)}"`,
    });
  }
  const endedEarly = () => {
    channel.close();
    return new AppError('ssh.lost', { host, port, reason: channel.stderrText().trim().slice(-300) || causePhrases['answer-cut'] });
  };
  const record = async () => {
    const bytes = await reader.record('//\n');
    if (bytes === null) throw endedEarly();
    return bytes.toString('utf8');
  };
  return { channel, reader, roundTripMs: performance.now() - startedAt, record, endedEarly };
}

/** The facts before the first section of an answer, by name; names may come more than once. */
export type Facts = ReadonlyMap<string, readonly string[]>;

/** Reads facts up to the empty record. A line `error …` becomes the error it stands for. */
export async function readFacts(talk: Conversation, connection: SshConnection): Promise<Facts> {
  const facts = new Map<string, string[]>();
  for (;;) {
    const record = await talk.record();
    if (record === '') return facts;
    const at = record.indexOf(' ');
    const name = at < 0 ? record : record.slice(0, at);
    const value = at < 0 ? '' : record.slice(at + 1);
    if (name === 'error') throw remoteError(value, connection);
    facts.set(name, [...(facts.get(name) ?? []), value]);
  }
}

/** The first value of a fact. */
export function fact(facts: Facts, name: string): string | null {
  return facts.get(name)?.[0] ?? null;
}

function remoteError(text: string, connection: SshConnection): AppError {
  const [reason = '', ...rest] = text.split(' ');
  const path = rest.join(' ');
  switch (reason) {
    case 'home-missing':
      return new AppError('remote.home-missing', { path });
    case 'home-invalid':
      return new AppError('remote.home-invalid', { path, reason: causePhrases['own-home-folder'] });
    case 'home-unreadable':
      return new AppError('remote.failed', { operation: 'open the Hermes home', path, said: 'Permission denied' });
    case 'tool-missing':
      return new AppError('ssh.no-shell', { host: connection.target.host, detail: `its shell lacks "${path}"` });
    case 'no-temporary-folder':
      return new AppError('remote.failed', { operation: 'make a temporary folder', path: '/tmp', said: 'mktemp failed' });
    default:
      return new AppError('remote.failed', { operation: 'answer', path: '', said: text });
  }
}

/** Text of a failed write, told apart where the cause is a full disk. */
export function writeError(said: string, home: string): AppError {
  const words = said.trim().slice(0, 500);
  return /no space left|quota|disk full/i.test(words)
    ? new AppError('remote.disk-full', { path: home, said: words })
    : new AppError('remote.failed', { operation: 'store the files', path: home, said: words });
}

/** Work on a conversation that was begun under another signal: ends with `run.cancelled`, and the conversation with it, when this one aborts. */
export async function endedBy<T>(signal: AbortSignal, talk: Conversation, work: () => Promise<T>): Promise<T> {
  throwIfCancelled(signal);
  const cancel = () => talk.channel.close();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await work();
  } catch (error) {
    throwIfCancelled(signal);
    throw error;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
