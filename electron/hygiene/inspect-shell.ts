import { isAppError } from '../../shared/errors';
import type { ExecChannel } from '../ssh/exec-channel';
import type { SshConnection } from '../ssh/ssh-connection';
import { stopError } from '../ssh/ssh-errors';
import { type InspectScriptSettings, renderInspectScript } from './inspect-script';
import { endOf, readShellAnswer, type ShellAnswer } from './shell-findings';

/** More than any honest answer: a hundred profiles with their manifests stay far below. */
const outputLimit = 64 * 1024 * 1024;
const factsMs = 120_000;
/** Unpacking archives is worth waiting for, not for ever; what is not done by then counts as not checked. */
const checksMs = 120_000;

/** Runs inspect.sh under the remote's shell and reads its answer. A lost link or a cancel throws. */
export async function runInspectScript(
  connection: SshConnection,
  settings: InspectScriptSettings,
  signal: AbortSignal,
): Promise<ShellAnswer> {
  const { command, input, marker } = renderInspectScript(settings);
  try {
    const channel = await connection.exec(command, { signal });
    channel.stdin.end(input);
    const output = await readOutput(channel, marker);
    const answer = readShellAnswer(output, marker, settings.rules);
    if (answer.kind !== 'unusable') return answer;
    // A remote that went away has not shown that its shell is unusable.
    const failure = connection.failure();
    if (failure !== null) throw failure;
    if (signal.aborted) throw stopError(signal);
    const said = channel.stderrText().trim();
    return { kind: 'unusable', detail: said === '' ? answer.detail : `${answer.detail} (it said: ${said.slice(-200)})` };
  } catch (error) {
    if (isAppError(error, 'ssh.no-shell')) return { kind: 'unusable', detail: error.details.detail };
    throw error;
  }
}

/** Everything up to our end marker, the end of output, or the time limits. */
async function readOutput(channel: ExecChannel, marker: string): Promise<Buffer> {
  const [end, facts] = [Buffer.from(endOf(marker)), Buffer.from('\0facts-end\0')];
  let output: Buffer = Buffer.alloc(0);
  let checking = false;
  let timer = setTimeout(() => channel.close(), factsMs);
  try {
    for await (const chunk of channel.stdout as AsyncIterable<Buffer>) {
      // The markers may lie across two chunks.
      const from = Math.max(0, output.length - end.length);
      output = Buffer.concat([output, chunk]);
      if (output.indexOf(end, from) >= 0 || output.length > outputLimit) break;
      if (checking || output.indexOf(facts, from) < 0) continue;
      checking = true;
      clearTimeout(timer);
      timer = setTimeout(() => channel.close(), checksMs);
    }
    return output;
  } catch (error) {
    // Closing the channel at a time limit ends the reading early; a lost link and a cancel carry their own error.
    if (isPrematureClose(error)) return output;
    throw error;
  } finally {
    clearTimeout(timer);
    channel.close();
  }
}

function isPrematureClose(error: unknown): boolean {
  return (error as { readonly code?: unknown }).code === 'ERR_STREAM_PREMATURE_CLOSE';
}
